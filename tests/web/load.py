"""Visitors who ask for costly things all at once, and how long pages take meanwhile."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx

from ludograph import make, play_match
from tests.processes import descendants

ANIMATIONS = 45
UPLOADS = 42
PLIES = 35

BETWEEN = 0.02
"""Seconds between two pages of a visitor, who is so within the rate limit of requests."""


class Visit(NamedTuple):
    """A page that was asked for, and what came of it."""

    path: str
    status: int
    seconds: float


def write_records(folder: Path, count: int) -> list[str]:
    """Write records of different games of some 35 moves; return their numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[str] = []
    seed = 0
    while len(found) < count:
        seed += 1
        number = f"20260101-{seed:010x}"
        path = folder / f"{number}.jsonl"
        start = make("hex", size=7, pie=False)
        if len(play_match(start, ["random", "random"], seed=seed, record=path).moves) < PLIES:
            path.unlink()
        else:
            found.append(number)
    return found


def requests(address: str, numbers: list[str]) -> Iterator[bytes]:
    """Yield requests for animations of these records, and uploads of complete graphs."""
    host = httpx.URL(address).netloc.decode()
    for place in range(ANIMATIONS):
        path = f"/replay/here/{numbers[place % len(numbers)]}/animation.gif"
        yield f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    for place in range(UPLOADS):
        body = "".join(f"{u} {v}\n" for u, v in combinations(range(40 + place), 2)).encode()
        yield (
            f"POST /boards?name=dense.txt HTTP/1.1\r\nHost: {host}\r\nOrigin: {address}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body


@contextmanager
def all_at_once(address: str, numbers: list[str]) -> Iterator[None]:
    """Send all these requests, and go away at the end of the context without any answer."""
    place = httpx.URL(address)
    with ExitStack() as lines:
        for request in requests(address, numbers):
            line = lines.enter_context(socket.create_connection((place.host, place.port or 80)))
            line.sendall(request)
        yield


def pages_of(number: str) -> list[str]:
    """Return what visitors look at who ask for nothing costly."""
    record = f"/replay/here/{number}"
    return [
        "/",
        "/games/hex",
        "/games/flood",
        "/static/board.js",
        "/boards/new",
        "/tournaments",
        record,
        f"{record}/story",
        f"{record}/frames?first=0&count=16",
    ]


def visits(client: httpx.Client, pages: list[str], seconds: float) -> list[Visit]:
    """Ask for pages one after the other for a time; return what came of it."""
    found: list[Visit] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for path in pages:
            began = time.monotonic()
            answer = client.get(path)
            found.append(Visit(path, answer.status_code, time.monotonic() - began))
            time.sleep(BETWEEN)
    return found


def resident(process: int) -> float:
    """Return the MiB of memory of a process and all its descendants, shared pages once."""
    total = 0.0
    for each in [process, *descendants(process)]:
        try:
            text = Path(f"/proc/{each}/smaps_rollup").read_text()
        except OSError:  # it has ended
            continue
        total += next(int(line.split()[1]) for line in text.splitlines() if line[:4] == "Pss:")
    return total / 1024
