"""Stable functions that read a state of Carcassonne, for compiled functions of players."""

from __future__ import annotations

from ludograph.games.carcassonne.setup import FINITE_MEEPLE, SEAT_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import HAND, SEATS
from ludograph.rules import State, compiled


@compiled
def meeples_left(setup: CarcassonneSetup, state: State, seat: int) -> int:
    """Return the number of meeples in a seat's hand; 0 in a mode without a limit of meeples."""
    return state[SEATS + SEAT_SLOTS * seat + HAND] if setup.mode == FINITE_MEEPLE else 0
