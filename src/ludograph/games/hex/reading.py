"""Stable functions to read a state of Hex, for the compiled functions of players."""

from __future__ import annotations

from ludograph.games.hex.evaluation.distances import BLOCKED, distance
from ludograph.games.hex.rules import SWAPPED
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import State, compiled


@compiled
def black_seat(state: State) -> int:
    """Return the seat that plays black: 0, or 1 after a swap."""
    return state[SWAPPED]


@compiled
def stones_needed(setup: HexSetup, state: State, color: int) -> int:
    """Return the fewest stones that a color needs to join its borders without answers; O(links).

    If it cannot join them any more, return the number of all cells.
    """
    needed = distance(setup, state, color)
    return setup.free.size if needed == BLOCKED else needed
