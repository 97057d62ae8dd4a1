"""The usual board as bits: the cell of a row and a column is bit ``row * n + column``.

The four borders are stones from the start and have no bits: black's top and bottom one, white's
left and right one are known by the cells that touch them. A cell has a *ring* of six neighbors,
each touching the next, off the board a border.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.hex.boards.rings import POWERS, dead_rings
from ludograph.games.hex.setup import BLACK, WHITE

Words = npt.NDArray[np.uint64]
"""Sets of cells, a bit each."""

LARGEST = 8
"""Width of the largest board whose cells fit into a word."""

OUTSIDE = -1
"""In a ring, instead of a cell: a border."""

STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""Row and column of a cell's neighbors, around it."""


class Grid(NamedTuple):
    """What the kernels know of a board of n x n cells."""

    board: Words
    """``uint64[1]``: all cells."""
    inner: Words
    """``uint64[1]``: the cells that touch no border."""
    ring: npt.NDArray[np.int64]
    """``int64[n * n, 6]``: the cells around a cell, or ``OUTSIDE``."""
    shifts: npt.NDArray[np.uint64]
    """``uint64[n * n, 6]``: the same as shifts of a word; off the board, to the cell itself."""
    rim: npt.NDArray[np.int64]
    """``int64[n * n]``: the code of a ring in which there are only the borders."""
    near: Words
    """``uint64[n * n]``: the cells around a cell."""
    sides: Words
    """``uint64[2, 2]``: the cells at the two borders of black, of white."""
    dead: npt.NDArray[np.uint8]
    """``uint8[729]``: 1 where a cell with this ring is dead."""


@functools.cache
def make_grid(n: int) -> Grid:
    """Return the board of n x n cells.

    Raises
    ------
    InvalidInput
        If it does not fit into a word.
    """
    if not 1 <= n <= LARGEST:
        raise InvalidInput(f"hex: boards of size 1 to {LARGEST} can be solved, not {n}")
    count = n * n
    ring = np.full((count, 6), OUTSIDE, np.int64)
    shifts = np.empty((count, 6), np.uint64)
    rim = np.zeros(count, np.int64)
    near = [0] * count
    sides = [[0, 0], [0, 0]]
    for cell in range(count):
        for direction, (down, right) in enumerate(STEPS):
            row, column = cell // n + down, cell % n + right
            if 0 <= row < n and 0 <= column < n:
                other = row * n + column
                ring[cell, direction] = other
                near[cell] |= 1 << other
            else:
                color, side = _border(n, row, column)
                rim[cell] += POWERS[direction] * (1 + color)
                sides[color][side] |= 1 << cell
            shifts[cell, direction] = cell if ring[cell, direction] == OUTSIDE else other
    board = (1 << count) - 1
    rim_cells = sides[0][0] | sides[0][1] | sides[1][0] | sides[1][1]
    return Grid(
        np.array([board], np.uint64),
        np.array([board & ~rim_cells], np.uint64),
        ring,
        shifts,
        rim,
        np.array(near, np.uint64),
        np.array(sides, np.uint64),
        dead_rings(),
    )


def _border(n: int, row: int, column: int) -> tuple[int, int]:
    """Return the color of the border off the board, and which of its two it is.

    Where two borders meet it is white's.
    """
    if column < 0 or column >= n:
        return WHITE, int(column >= n)
    return BLACK, int(row >= n)
