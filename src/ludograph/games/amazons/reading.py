"""Stable functions with which compiled functions of players read a state of Amazons."""

from __future__ import annotations

from ludograph.games.amazons.rules import CELLS, FREE, queens_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import State, compiled


@compiled
def queen_tile(setup: AmazonsSetup, state: State, queen: int) -> int:
    """Return the tile of a queen, 0 to ``setup.starts.size - 1``; every second is seat 0's."""
    return state[queens_at(setup) + queen]


@compiled
def is_free(state: State, tile: int) -> bool:
    """Tell whether there is neither a queen nor an arrow on a tile."""
    return state[CELLS + tile] == FREE
