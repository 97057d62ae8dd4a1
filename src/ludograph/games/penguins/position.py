"""A position of Penguins with its ice, its fish and its penguins.

Pictures, C players and Python players use this class; only rules and searches read the slots of a
state.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.notation import path_of
from ludograph.games.penguins.rules import (
    FISH,
    FREE,
    GONE,
    LAST,
    MELTED,
    NOWHERE,
    REACH,
    SEAT_SLOTS,
    SEATS,
    UNPLACED,
    WAITING,
)
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.position import Position
from ludograph.rules import State, compiled

IntArray = npt.NDArray[np.int32]


class PenguinsPosition(Position):
    """A position in a game of Penguins.

    Examples
    --------
    >>> from ludograph import penguins
    >>> position = penguins.position("full-tetra:3x2", penguins=1, fish=[1, 2, 1, 1, 3, 1])
    >>> for move in ("0", "5", "0-1"):
    ...     position.play(move)
    >>> position.penguins(0), position.eaten(0), position.fish(0), position.owner(5)
    ([1], 3, 0, 1)
    """

    __slots__ = ()

    setup: PenguinsSetup

    def fish(self, tile: int) -> int:
        """Return the number of fish on a tile, also under a penguin; 0 if the tile has melted."""
        return 0 if self._cells[tile] == MELTED else int(self.setup.fish[tile])

    def owner(self, tile: int) -> int | None:
        """Return the seat whose penguin stands on a tile; None if there is none."""
        cell = int(self._cells[tile])
        return int(self.setup.owners[cell - 1]) if cell > 0 else None

    def is_free(self, tile: int) -> bool:
        """Tell whether a tile is ice without a penguin."""
        return bool(self._cells[tile] == FREE)

    def penguins(self, seat: int) -> list[int]:
        """Return the tiles of a seat's penguins, in the order in which they were placed."""
        first = SEATS + SEAT_SLOTS * self.setup.seats + self.setup.penguins * seat
        tiles = self.state[first : first + self.setup.penguins].tolist()
        return [tile for tile in tiles if tile != NOWHERE]

    def eaten(self, seat: int) -> int:
        """Return the number of fish of a seat, those under its penguins included."""
        return int(self.state[SEATS + SEAT_SLOTS * seat + FISH])

    def unplaced(self, seat: int) -> int:
        """Return the number of penguins that a seat has still to place."""
        return int(self.state[SEATS + SEAT_SLOTS * seat + WAITING])

    def is_eliminated(self, seat: int) -> bool:
        """Tell whether a seat was eliminated, as by an illegal move."""
        return bool(self.state[SEATS + SEAT_SLOTS * seat + GONE])

    def is_stuck(self, seat: int) -> bool:
        """Tell whether none of a seat's penguins can move, while the game goes on."""
        reach = int(self.state[SEATS + SEAT_SLOTS * seat + REACH])
        playing = not (self.is_over or self.is_placing or self.is_eliminated(seat))
        return playing and reach == 0

    @property
    def is_placing(self) -> bool:
        """Whether penguins are still to be placed."""
        return int(self.state[UNPLACED]) > 0

    @property
    def last_move(self) -> int | None:
        """The code of the move played last; None at the start."""
        move = int(self.state[LAST])
        return None if move < 0 else move

    def path(self, move: int) -> list[int]:
        """Return the tiles of a move, from its source to its target; a placement has one tile."""
        return path_of(self.setup, move)

    @property
    def all_fish(self) -> IntArray:
        """The fish of every tile, 0 if the tile has melted: ``int32[n]``."""
        fish: IntArray = np.where(self._cells == MELTED, 0, self.setup.fish)
        return fish

    @property
    def all_owners(self) -> IntArray:
        """The seat of the penguin on each tile, -1 without a penguin: ``int32[n]``."""
        cells = self._cells
        return np.where(cells > 0, self.setup.owners[cells - 1], -1).astype(np.int32)

    @property
    def _cells(self) -> IntArray:
        """The cells of the tiles; the state ends with them and the cell of the water."""
        cells: IntArray = self.state[-self.setup.fish.size - 1 : -1]
        return cells


@compiled
def reach(state: State, seat: int) -> int:
    """Return the number of moves of the penguins of a seat."""
    return state[SEATS + SEAT_SLOTS * seat + REACH]
