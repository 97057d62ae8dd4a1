"""The usual board as bits: cells row by row, then the four borders as stones.

Cell ``row * n + column`` is a bit; after the cells come black's top and bottom border and white's
left and right one, which are stones from the start. A cell has a *ring* of six neighbors, each
touching the next, off the board a border.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.hex.boards.rings import dead_rings, killing_places

Words = npt.NDArray[np.uint64]
"""Sets of cells and borders, a bit each."""

LARGEST = 7
"""Width of the largest board whose cells and borders fit into a word."""

STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""Row and column of a cell's neighbors, around it."""


class Grid(NamedTuple):
    """What the kernels know of a board of n x n cells."""

    ring: npt.NDArray[np.int64]
    """``int64[n * n, 6]``: the cells and borders around a cell."""
    near: Words
    """``uint64[n * n + 4]``: the same as sets, and the cells at each border."""
    dead: npt.NDArray[np.uint8]
    """``uint8[729]``: 1 where a cell with this ring is dead."""
    killers: npt.NDArray[np.int8]
    """``int8[2, 729]``: where in a ring black, white makes the cell dead; or -1."""
    borders: Words
    """``uint64[2]``: the borders of black, of white."""


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
    ring = np.empty((n * n, 6), np.int64)
    near = [0] * (n * n + 4)
    for cell in range(n * n):
        for direction, (down, right) in enumerate(STEPS):
            other = _place(n, cell // n + down, cell % n + right)
            ring[cell, direction] = other
            near[cell] |= 1 << other
            near[other] |= 1 << cell
    borders = [3 << (n * n), 12 << (n * n)]
    return Grid(
        ring,
        np.array(near, np.uint64),
        dead_rings(),
        killing_places(),
        np.array(borders, np.uint64),
    )


def _place(n: int, row: int, column: int) -> int:
    """Return a cell or a border; where two borders meet off the board it is white's."""
    if column < 0 or column >= n:
        return n * n + (2 if column < 0 else 3)
    if row < 0 or row >= n:
        return n * n + (0 if row < 0 else 1)
    return row * n + column
