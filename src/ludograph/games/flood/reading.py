"""Stable functions to read a state of Flood, for the compiled functions of players."""

from __future__ import annotations

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import gains_at
from ludograph.rules import State, compiled


@compiled
def gain(setup: FloodSetup, state: State, seat: int, color: int) -> int:
    """Return the number of vertices that a color gains for a seat; O(1).

    Parameters
    ----------
    color
        0 to ``setup.color_count - 1``; it need not be legal for the seat.
    """
    return state[gains_at(setup, seat) + color]
