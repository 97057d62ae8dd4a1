"""Taking moves back: who may, and the board as it was then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.factory import IN_PROCESS
from ludograph.referee.result import PlayedMove


def reason_against(
    seat: int, specs: Sequence[PlayerSpec | Any], names: Sequence[str], moves: Sequence[PlayedMove]
) -> str:
    """Return why a seat cannot take its last move back; an empty text if it can.

    Who plays in a process of its own, or is an object, keeps a board that cannot be set back.
    """
    for other, spec in enumerate(specs):
        if not (isinstance(spec, PlayerSpec) and spec.kind in IN_PROCESS):
            name = f"{names[other]} (seat {other})"
            return f"{name} keeps a board of its own, and cannot take moves back"
    if last_of(seat, moves) is None:
        return "you have made no move yet"
    return ""


def last_of(seat: int, moves: Sequence[PlayedMove]) -> int | None:
    """Return which of the moves is the last one of a seat."""
    places = (place for place, played in enumerate(moves) if played.seat == seat)
    return max(places, default=None)


def replayed(first: Position, moves: Sequence[PlayedMove]) -> Position:
    """Return the board after some moves."""
    position = first.copy()
    for played in moves:
        position.play(played.move)
    return position
