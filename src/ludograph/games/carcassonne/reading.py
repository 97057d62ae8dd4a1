"""Stable functions with which compiled functions of players read a state of Carcassonne."""

from __future__ import annotations

from ludograph.games.carcassonne.setup import FINITE_MEEPLE, SEAT_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import HAND, SEATS
from ludograph.rules import State, compiled


@compiled
def meeples_left(setup: CarcassonneSetup, state: State, seat: int) -> int:
    """Return how many meeples a seat has in its hand; 0 in a game that does not count them."""
    return state[SEATS + SEAT_SLOTS * seat + HAND] if setup.mode == FINITE_MEEPLE else 0
