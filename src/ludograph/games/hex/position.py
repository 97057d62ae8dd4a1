"""A position of Hex with its stones, its borders, the colors of the seats and the pie rule."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import CELLS, LAST, STONE, SWAPPED, WINNER
from ludograph.games.hex.setup import EXACTLY_ONE, NEVER, NOBODY, HexSetup
from ludograph.games.knowledge import holds_for
from ludograph.games.position import Position
from ludograph.rules import State, compiled


class HexPosition(Position):
    """A game of Hex in progress.

    A color is ``BLACK`` (0) or ``WHITE`` (1); ``NOBODY`` (-1) stands for no color. Vertices have
    their numbers on the board. The code of a move is its vertex; the code of the swap is
    ``board.n``.

    Examples
    --------
    >>> from ludograph import hex
    >>> position = hex.position(3)
    >>> position.play("b2")
    >>> position.stones[position.parse("b2")], position.color_to_move
    (np.int32(0), 1)
    """

    __slots__ = ()
    setup: HexSetup

    @property
    def stones(self) -> npt.NDArray[np.int32]:
        """The color of each vertex, including borders, or ``NOBODY``: ``int32[n]``."""
        cells = self.state[CELLS : CELLS + self.board.n]
        return np.where(cells < 0, STONE - cells, NOBODY).astype(np.int32)

    @property
    def borders(self) -> npt.NDArray[np.int32]:
        """The color of each border vertex, ``NOBODY`` for all other vertices: ``int32[n]``."""
        return self.setup.owners.copy()

    @property
    def color_to_move(self) -> int | None:
        """The color of the next stone; None if the game is over."""
        turn = self.turn
        return None if turn is None else self.color(turn)

    def color(self, seat: int) -> int:
        """Return the present color of a seat; a swap exchanges the colors of the seats."""
        return seat ^ int(self.swapped)

    def seat(self, color: int) -> int:
        """Return the seat that has a color at present."""
        return color ^ int(self.swapped)

    @property
    def joined_color(self) -> int | None:
        """The color that has joined its borders, or None."""
        color = int(self.state[WINNER])
        return None if color == NOBODY else color

    @property
    def winner(self) -> int | None:
        """The color that has won, or None.

        In Hex it is :attr:`joined_color`; a variant may have another rule.
        """
        outcome = self.outcome()
        seat = None if outcome is None else outcome.winner
        return None if seat is None else self.color(seat)

    @property
    def last_vertex(self) -> int | None:
        """The vertex of the stone played last, or None."""
        vertex = int(self.state[LAST])
        return None if vertex == NOBODY else vertex

    @property
    def pie(self) -> bool:
        """Whether the game is played with the pie rule."""
        return self.setup.swap_ply != NEVER

    @property
    def swapped(self) -> bool:
        """Whether seat 1 has taken the opening stone, and so the color black."""
        return bool(self.state[SWAPPED])

    @property
    def may_swap(self) -> bool:
        """Whether the seat to move may take the opening stone."""
        return self.ply == self.setup.swap_ply and not self.is_over

    @property
    def swap(self) -> int:
        """The code of the swap."""
        return self.board.n

    def without_pie(self) -> HexPosition:
        """Return a copy of this position in a game without the pie rule."""
        twin = self.copy()
        twin.setup = self.setup._replace(swap_ply=NEVER)
        return twin

    @property
    def size(self) -> int:
        """The number of cells in a row without the borders; 0 on boards without coordinates."""
        return max(self.setup.columns - 2, 0)

    @property
    def is_standard(self) -> bool:
        """Whether this is Hex on the usual board, a rhombus of hexagonal cells."""
        return self.size > 0 and self.setup.joined == EXACTLY_ONE and not self.is_variant

    @property
    def is_variant(self) -> bool:
        """Whether the rules are not those of Hex, so that knowledge of Hex does not hold."""
        return not holds_for(self, HexSetup)

    def place(self, vertex: int) -> tuple[int, int]:
        """Return the row and the column of a vertex on a board with coordinates.

        They are counted from 0, without the borders.
        """
        row, column = divmod(vertex, self.setup.columns)
        return row - 1, column - 1

    def vertex(self, row: int, column: int) -> int:
        """Return the vertex at a row and a column, counted as in :meth:`place`."""
        return (row + 1) * self.setup.columns + column + 1


@compiled
def black_seat(state: State) -> int:
    """Return the seat that plays black: 0, or 1 after a swap."""
    return state[SWAPPED]
