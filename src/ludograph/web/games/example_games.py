"""The picture of a game on the first page, and a short recorded game, which the picture plays.

They are the files ``picture.svg`` and ``example.jsonl`` in the game's package. The picture of a
game without a record does not move.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import msgspec

from ludograph.games.registry import declaration
from ludograph.referee.record_reader import parse_record
from ludograph.web.positions.serializers import small_svg
from ludograph.web.replay.replays import RecordLine
from ludograph.web.server.prepared_answers import PreparedAnswer, drawing

FILE, PICTURE = "example.jsonl", "picture.svg"


@lru_cache
def kept_picture(package: str) -> PreparedAnswer | None:
    """Return the answer with the picture in a package; None if there is none."""
    try:
        return drawing((files(package) / PICTURE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def recorded(package: str) -> bytes:
    """Return the record in a package; empty if there is none."""
    try:
        return (files(package) / FILE).read_bytes()
    except FileNotFoundError:
        return b""


def moves_of(package: str) -> int:
    """Return the number of moves of the recorded game in a package; 0 if there is none.

    It counts lines, because reading a record imports its game.
    """
    lines = recorded(package).splitlines()
    return sum(msgspec.json.decode(line, type=RecordLine).move is not None for line in lines)


def picture(name: str, ply: int) -> str:
    """Return the recorded game of a game after some moves, as SVG.

    Raises
    ------
    InvalidInput
        If there is no recorded game, or it has fewer moves.
    """
    record = parse_record(recorded(declaration(name).package), f"the example of {name}")
    return small_svg(record.position_at(ply).scene())
