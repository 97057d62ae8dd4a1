"""A position of Amazons with its queens, its arrows and its last move."""

from __future__ import annotations

import numpy as np

from ludograph.games.amazons.rules import ARROW, CELLS, FREE, LAST, queens_at
from ludograph.games.amazons.setup import AmazonsSetup, IntArray
from ludograph.games.position import Position
from ludograph.rules import State, compiled


class AmazonsPosition(Position):
    """A position in a game of Amazons.

    Examples
    --------
    >>> from ludograph import amazons
    >>> position = amazons.position(6, queens=1)
    >>> position.queens(0), position.queens(1), position.arrows
    ([0], [35], [])
    """

    __slots__ = ()
    setup: AmazonsSetup

    @property
    def tiles(self) -> IntArray:
        """The content of each tile: 0 free, -1 an arrow, 1 + the seat of a queen; ``int32[n]``."""
        return self.state[CELLS : CELLS + self.board.n].copy()

    def queens(self, seat: int) -> list[int]:
        """Return the tiles of a seat's queens, ascending."""
        return np.flatnonzero(self.tiles == 1 + seat).tolist()

    @property
    def arrows(self) -> list[int]:
        """The tiles with arrows, ascending."""
        return np.flatnonzero(self.tiles == ARROW).tolist()

    @property
    def last_move(self) -> tuple[int, ...]:
        """The source, target and arrow's tile of the last move; empty at the start."""
        n, last = self.board.n, int(self.state[LAST])
        return (last // n**2, last // n % n, last % n) if last >= 0 else ()


@compiled
def queen_tile(setup: AmazonsSetup, state: State, queen: int) -> int:
    """Return the tile of a queen, 0 to ``setup.starts.size - 1``; even numbers are seat 0's."""
    return state[queens_at(setup) + queen]


@compiled
def is_free(state: State, tile: int) -> bool:
    """Tell whether a tile has neither a queen nor an arrow."""
    return state[CELLS + tile] == FREE
