"""Stable functions that read a state of Penguins, for compiled functions of players."""

from __future__ import annotations

from ludograph.games.penguins.rules import REACH, SEAT_SLOTS, SEATS
from ludograph.rules import State, compiled


@compiled
def reach(state: State, seat: int) -> int:
    """Return the number of moves of the penguins of a seat."""
    return state[SEATS + SEAT_SLOTS * seat + REACH]
