"""Stable functions that read a state of Amazons, for compiled functions of players."""

from __future__ import annotations

from ludograph.games.amazons.rules import CELLS, FREE, queens_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import State, compiled


@compiled
def queen_tile(setup: AmazonsSetup, state: State, queen: int) -> int:
    """Return the tile of a queen, 0 to ``setup.starts.size - 1``; even numbers are seat 0's."""
    return state[queens_at(setup) + queen]


@compiled
def is_free(state: State, tile: int) -> bool:
    """Tell whether a tile has neither a queen nor an arrow."""
    return state[CELLS + tile] == FREE
