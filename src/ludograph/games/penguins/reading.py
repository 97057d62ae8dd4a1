"""Stable functions with which compiled functions of players read a state of Penguins."""

from __future__ import annotations

from ludograph.games.penguins.rules import REACH, SEAT_SLOTS, SEATS
from ludograph.rules import State, compiled


@compiled
def reach(state: State, seat: int) -> int:
    """Return how many moves the penguins of a seat could make now."""
    return state[SEATS + SEAT_SLOTS * seat + REACH]
