"""Stable functions with which compiled functions of players read a state of Flood."""

from __future__ import annotations

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import gains_at
from ludograph.rules import State, compiled


@compiled
def gain(setup: FloodSetup, state: State, seat: int, color: int) -> int:
    """Return how many vertices a color would gain a seat, 0 to ``setup.color_count - 1``."""
    return state[gains_at(setup, seat) + color]
