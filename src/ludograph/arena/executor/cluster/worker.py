"""The tasks that Dask's workers run: they pass games on to processes that play them."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections import defaultdict

import msgspec

from ludograph.arena.executor.cluster.orders import Errand, receive, send

END_SECONDS = 5.0

PROGRAM = (sys.executable, "-m", "ludograph.arena.executor.cluster.process")

_lock = threading.Lock()
_idle: dict[str, list[GameProcess]] = defaultdict(list)
_all: dict[str, set[GameProcess]] = defaultdict(set)


class ProcessLost(Exception):
    """A process that played a game has died; the message says how."""


class GameProcess:
    """A process that plays games for this worker."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the worker
        )

    @property
    def runs(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def play(self, errand: bytes) -> bytes:
        """Return the outcome of an order; raise ProcessLost if the process dies."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            send(self._process.stdin, errand)
            return receive(self._process.stdout)
        except (EOFError, OSError):
            self.end()
            code = self._process.returncode
            how = f"was killed by signal {-code}" if code < 0 else f"exited, {code}"
            raise ProcessLost(f"a process that played a game {how}") from None

    def end(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)


def play(session: str, order: bytes, digests: list[str], *contents: bytes) -> bytes:
    """Play a game of a tournament; called by the cluster's worker in one of its threads."""
    with _lock:
        while _idle[session] and not _idle[session][-1].runs:
            _all[session].discard(_idle[session].pop())
        player = _idle[session].pop() if _idle[session] else None
    if player is None:
        player = GameProcess()
        with _lock:
            _all[session].add(player)
    try:
        errand = Errand(order, dict(zip(digests, contents, strict=True)))
        outcome = player.play(msgspec.msgpack.encode(errand))
    except ProcessLost:
        with _lock:
            _all[session].discard(player)
        raise
    with _lock:
        _idle[session].append(player)
    return outcome


def end(session: str) -> None:
    """End all processes that play for a tournament."""
    with _lock:
        players = _all.pop(session, set())
        _idle.pop(session, None)
    for player in players:
        player.end()


def carry(content: bytes) -> bytes:
    """Return the content of a file: as a task's result, Dask sends it to each worker once."""
    return content
