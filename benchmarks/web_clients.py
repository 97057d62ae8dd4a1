"""A server in a process of its own, and clients that play on it, watch a match, or load its pages.

The clients are plain sockets in one event loop: they use little processor time, and none of the
server's process.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ludograph.cli.serve import listen
from ludograph.web.app import Server, application
from ludograph.web.server.limits import UNLIMITED
from tests.processes import descendants

HOST = "127.0.0.1"

LONGEST_LINE = 1 << 24
"""Bytes of one event."""

PATIENCE = 120.0
"""Seconds after which a client gives up."""


class ServedFolder(NamedTuple):
    """A running server: its port, and the identifier of its process."""

    port: int
    process: int

    def processor_seconds(self) -> float:
        """Return the processor time of the server and its workers so far."""
        return processor_seconds(self.process)


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and its descendants so far."""
    ticks = 0
    for each in (process, *descendants(process)):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended; its parent has its time
            continue
        ticks += sum(map(int, fields[11:15]))  # its own time, and that of its ended children
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(folder: Path, matches: int) -> Iterator[ServedFolder]:
    """Serve the records of a folder in a process of its own, without rate limits."""
    command = [sys.executable, __file__, str(folder), str(matches)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield ServedFolder(int(process.stdout.readline()), process.pid)
    finally:
        process.terminate()
        process.wait(30)


class Answer(NamedTuple):
    """An answer of a server."""

    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """One connection to a server, used for all its requests, with the cookie of its browser."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def connect(self) -> None:
        """Open the connection, again if the server has closed it between requests."""
        self.reader, self.writer = await asyncio.open_connection(
            HOST, self.port, limit=LONGEST_LINE
        )

    async def head(self, method: str, path: str, body: bytes = b"") -> Answer:
        """Send a request; return the answer without its body."""
        fields = {
            "Host": "localhost",
            "Origin": "http://localhost",
            "Accept": "text/html",
            "Accept-Encoding": "gzip",
            "Content-Length": str(len(body)),
        }
        fields |= {"Cookie": self.cookie} if self.cookie else {}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {own}" for name, own in fields.items())]
        data = "\r\n".join([*lines, "", ""]).encode() + body
        try:
            self.writer.write(data)
            text = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):  # as a browser does
            self.writer.close()
            await self.connect()
            self.writer.write(data)
            text = await self.reader.readuntil(b"\r\n\r\n")
        head = text.decode("latin-1").split("\r\n")
        headers = {}
        for line in head[1:-2]:
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return Answer(int(head[0].split()[1]), headers, b"")

    async def request(self, method: str, path: str, body: bytes = b"") -> Answer:
        """Send a request; return the answer."""
        answer = await self.head(method, path, body)
        if "content-length" in answer.headers:
            size = int(answer.headers["content-length"])
            return answer._replace(body=await self.reader.readexactly(size))
        return answer


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Client]:
    """Open a connection for a time."""
    client = Client(port)
    await client.connect()
    try:
        yield client
    finally:
        client.writer.close()


class _Ask(msgspec.Struct):
    moves: list[tuple[int, str, list[int]]]


class _Now(msgspec.Struct):
    ply: int


class _Move(msgspec.Struct):
    seat: int | None


class Event(msgspec.Struct):
    """The fields of an event of a match that a player's page needs."""

    type: str = "close"
    ask: _Ask | None = None
    now: _Now | None = None
    move: _Move | None = None


async def events(client: Client, number: str, key: str = "") -> AsyncIterator[Event]:
    """Yield the events of a match until it ends."""
    await client.head("GET", f"/match/{number}/events?{urlencode({'key': key})}")
    while line := await client.reader.readline():
        if line.startswith(b"data: "):
            event = msgspec.json.decode(line[6:], type=Event)
            yield event
            if event.type == "close":
                return


class Seat(NamedTuple):
    """A match that a client has begun, and the key of its seat."""

    number: str
    key: str

    async def send(self, client: Client, **message: object) -> None:
        """Send what the page of a match sends."""
        body = msgspec.json.encode({"key": self.key, **message})
        answer = await client.request("POST", f"/match/{self.number}/wish", body)
        if answer.status != 200:
            raise SystemExit(f"{message}: {answer.body.decode()}")


async def begun(client: Client, game: str, **fields: str) -> Seat:
    """Begin a match against `random`, with the usual board and options unless fields say more."""
    form = {"player0": "human", "player1": "random", **fields}
    answer = await client.request("POST", f"/games/{game}", urlencode(form).encode())
    if answer.status != 303:
        raise SystemExit(f"{game}: {answer.body.decode()}")
    place = urlsplit(answer.headers["location"])
    return Seat(place.path.rpartition("/")[2], parse_qs(place.query)["key"][0])


class Games(NamedTuple):
    """The number of moves, and the seconds from each move of a client to its next turn."""

    moves: int
    answers: list[float]


async def person(port: int, game: str, moves: int, seed: int) -> Games:
    """Play some moves of both sides, in another game if the first one is too short."""
    draws, seen, answers = random.Random(seed), 0, []
    async with connected(port) as posts:
        await posts.request("GET", "/lobby")  # sets the cookie of the browser
        while seen < moves:
            seat, sent, ply = await begun(posts, game, seed=str(seed)), 0.0, 0
            async with connected(port) as stream:
                async for event in events(stream, *seat):
                    ply = event.now.ply if event.now else ply
                    seen += event.move is not None and event.move.seat is not None
                    if event.type == "end" or seen >= moves:
                        break
                    if event.ask is not None:
                        answers += [time.perf_counter() - sent] if sent else []
                        value, _, _ = draws.choice(event.ask.moves)
                        sent = time.perf_counter()
                        await seat.send(posts, kind="move", ply=ply, value=value)
            if seen >= moves:
                await posts.request("POST", f"/match/{seat.number}/wish", leaving(seat))
    return Games(seen, answers)


def leaving(seat: Seat) -> bytes:
    """Return the message that suspends a game."""
    return msgspec.json.encode({"key": seat.key, "kind": "stop"})


async def people(port: int, games: Sequence[str], moves: int) -> Games:
    """Play some games at once, each for some moves."""
    played = (person(port, game, moves, seed) for seed, game in enumerate(games))
    found = await asyncio.wait_for(asyncio.gather(*played), PATIENCE)
    return Games(sum(each.moves for each in found), [s for each in found for s in each.answers])


async def loads(port: int, path: str, connections: int, each: int) -> list[float]:
    """Load a page repeatedly on some connections at once; return the seconds of each load."""

    async def visitor() -> list[float]:
        found = []
        async with connected(port) as client:
            await client.request("GET", path)  # sets the cookie of the browser
            for _ in range(each):
                began = time.perf_counter()
                answer = await client.request("GET", path)
                found.append(time.perf_counter() - began)
                if answer.status != 200 or not answer.body:
                    raise SystemExit(f"{path}: {answer.status} {answer.headers}")
        return found

    found = await asyncio.wait_for(
        asyncio.gather(*(visitor() for _ in range(connections))), PATIENCE
    )
    return [seconds for own in found for seconds in own]


async def lags(port: int, spectators: int, moves: int) -> list[float]:
    """Return the seconds from each move of a client until each spectator has received it."""
    sent: dict[int, float] = {}  # by the number of moves before
    arrived: list[float] = []

    async def watch(number: str, ready: asyncio.Event) -> None:
        async with connected(port) as client:
            async for event in events(client, number):
                ready.set()
                if event.move is not None and event.now is not None and event.move.seat == 0:
                    arrived.append(time.perf_counter() - sent[event.now.ply - 1])

    async with connected(port) as posts, connected(port) as stream:
        seat = await begun(posts, "flood", **{"board": "square", "board.width": "12"}, seed="1")
        there = [asyncio.Event() for _ in range(spectators)]
        watching = [asyncio.create_task(watch(seat.number, each)) for each in there]
        await asyncio.wait_for(asyncio.gather(*(each.wait() for each in there)), PATIENCE)
        ply = 0
        async for event in events(stream, *seat):
            ply = event.now.ply if event.now else ply
            if event.type == "end" or len(sent) >= moves:
                break
            if event.ask is not None:
                await asyncio.sleep(0.1)  # the move before has arrived everywhere
                sent[ply] = time.perf_counter()
                await seat.send(posts, kind="move", ply=ply, value=event.ask.moves[0][0])
        await asyncio.sleep(0.5)
        await posts.request("POST", f"/match/{seat.number}/wish", leaving(seat))
        await asyncio.wait_for(asyncio.gather(*watching), PATIENCE)
    return arrived


def serve() -> None:
    """Serve a folder until a signal ends it; print the port."""
    folder, matches = Path(sys.argv[1]), int(sys.argv[2])
    app = application(folder, str(folder / "store.db"), matches=matches, rates=UNLIMITED)
    listening = listen(HOST, 0)
    print(listening.getsockname()[1], flush=True)
    Server(app).run(sockets=[listening])


if __name__ == "__main__":
    serve()
