"""What workers and the processes that play for them say to each other, each behind its length."""

from __future__ import annotations

import struct
from typing import IO

import msgspec

from ludograph.arena.finished import FinishedGame

LENGTH = struct.Struct("<Q")


class Errand(msgspec.Struct):
    """An order, encoded, with the files that it needs, by digest."""

    order: bytes
    contents: dict[str, bytes]


class Outcome(msgspec.Struct):
    """What came of an order: a game, or a sentence.

    Attributes
    ----------
    machine
        Where it was played, and by how much clocks were longer there.
    wrong
        Whether what was asked for was wrong, rather than the machine.
    """

    machine: str
    factor: float = 1.0
    game: FinishedGame | None = None
    error: str = ""
    wrong: bool = False


def send(stream: IO[bytes], data: bytes) -> None:
    """Write data behind its length."""
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read what was sent; raise EOFError at the end."""
    (size,) = LENGTH.unpack(_whole(stream, LENGTH.size))
    return _whole(stream, size)


def _whole(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
