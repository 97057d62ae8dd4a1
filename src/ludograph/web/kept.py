"""Records in the folder of a server: their beginnings, and what a list says of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.referee import PlayedMove
from ludograph.referee.recording import RecordWriter

TAIL = 1 << 16
"""Bytes at the end of a record, in which its last line is."""


class Kept(NamedTuple):
    """A record in the folder: its number, the game, who played, how it ended, and when."""

    number: str
    game: str
    players: list[str]
    sentence: str
    when: datetime


class _Header(msgspec.Struct):
    game: str
    players: list[str]


class _End(msgspec.Struct):
    end: str
    sentence: str = ""


def write_beginning(
    path: Path, start: Position, moves: Sequence[int], players: Sequence[PlayerSpec]
) -> None:
    """Write the record of a game that was laid aside after some moves."""
    position = start.copy()
    with RecordWriter(path) as record:
        record.header(start, players, None, 0)
        for move in moves:
            seat = position.turn
            position.play(move)
            record.move(position, PlayedMove(seat, move, 0.0))


def summary(path: Path) -> Kept | None:
    """Return what a list says of a record, from its first and its last line; None if it is none."""
    try:
        with path.open("rb") as file:
            header = msgspec.json.decode(file.readline(), type=_Header)
            file.seek(max(0, path.stat().st_size - TAIL))
            when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    except (OSError, msgspec.DecodeError):
        return None
    try:
        sentence = msgspec.json.decode(last, type=_End).sentence
    except msgspec.DecodeError:
        sentence = ""
    return Kept(path.stem, header.game, header.players, sentence, when)
