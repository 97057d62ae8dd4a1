"""Records in the folder of a server: their beginnings, and what a list says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.referee import PlayedMove
from ludograph.referee.options import MatchOptions
from ludograph.referee.recording import RecordWriter

TAIL = 1 << 16
"""Bytes at the end of a record, in which its last line is."""


LONGEST_NAME = 200
"""Characters of a record's name, without the end ``.jsonl``."""


class Kept(NamedTuple):
    """A record in the folder: its name, the game, who played, how it ended, and when.

    Attributes
    ----------
    can_go_on
        Whether it is of a match of this server that was laid aside.
    """

    number: str
    game: str
    players: list[str]
    sentence: str
    when: datetime
    can_go_on: bool = False


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
        record.header(start, players, MatchOptions())
        for move in moves:
            seat = position.turn
            position.play(move)
            record.move(position, PlayedMove(seat, move, 0.0))


def is_name(name: str) -> bool:
    """Tell whether a record can be asked for by a name: one part of a path, readable as text."""
    written = name.isprintable() and 0 < len(name) <= LONGEST_NAME
    return written and not {"/", "\\"} & set(name)


def latest_first(paths: Iterable[Path]) -> list[Path]:
    """Return files by when they were changed; those that have gone meanwhile are left out."""
    dated = []
    for path in paths:
        with suppress(FileNotFoundError):
            dated.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(dated, reverse=True)]


def summary(path: Path) -> Kept | None:
    """Return what a list says of a record, from its first and its last line; None if it is none."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return None
        with path.open("rb") as file:
            header = msgspec.json.decode(file.readline(), type=_Header)
            file.seek(max(0, path.stat().st_size - TAIL))
            when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    except (OSError, msgspec.DecodeError):
        return None
    end = _end_in(last)
    return Kept(path.stem, header.game, header.players, end.sentence if end else "", when)


def has_ended(data: bytes) -> bool:
    """Tell whether a record holds the end of its game."""
    return _end_in(data.rstrip(b"\n").rpartition(b"\n")[2]) is not None


def _end_in(line: bytes) -> _End | None:
    """Return the end of a game that a line holds; None if it is another line."""
    try:
        return msgspec.json.decode(line, type=_End)
    except msgspec.DecodeError:
        return None
