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
from ludograph.games.hex.setup import BLACK, WHITE

LARGEST = 7
"""Width of the largest board whose cells and borders fit into a word."""

STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""Row and column of a cell's neighbors, around it."""

POWERS = (1, 3, 9, 27, 81, 243)
"""A ring is a number of six digits to base 3: 0 free, 1 black, 2 white."""


class Grid(NamedTuple):
    """What the kernels know of a board of n x n cells."""

    ring: npt.NDArray[np.int64]
    """``int64[n * n, 6]``: the cells and borders around a cell."""
    near: npt.NDArray[np.uint64]
    """``uint64[n * n + 4]``: the same as sets, and the cells at each border."""
    dead: npt.NDArray[np.uint8]
    """``uint8[729]``: 1 where a cell with this ring is dead."""
    killers: npt.NDArray[np.int8]
    """``int8[2, 729]``: where in a ring black, white makes the cell dead; or -1."""
    borders: npt.NDArray[np.uint64]
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


@functools.cache
def dead_rings() -> npt.NDArray[np.uint8]:
    """Return which rings make the cell inside *dead*: its color can never matter.

    A cell matters to a color only if a shortest chain of that color can pass through it, from
    one cell of the ring to another that is not joined to the first around the ring anyway. It
    matters to both colors or to none, so one test that fails is enough (Björnsson, Hayward,
    Johanson, van Rijswijck: "Dead cell analysis in Hex and the Shannon game", 2007).
    """
    dead = np.zeros(3**6, np.uint8)
    for code in range(3**6):
        colors = [code // power % 3 for power in POWERS]
        dead[code] = not (_passable(colors, BLACK + 1) and _passable(colors, WHITE + 1))
    return dead


@functools.cache
def killing_places() -> npt.NDArray[np.int8]:
    """Return in which free place of a ring a stone of each color makes the cell inside dead."""
    dead = dead_rings()
    killers = np.full((2, 3**6), -1, np.int8)
    for code in range(3**6):
        for place, power in enumerate(POWERS):
            for color in (BLACK, WHITE):
                if code // power % 3 == 0 and dead[code + (color + 1) * power]:
                    killers[color, code] = place
    return killers


def _passable(colors: list[int], own: int) -> bool:
    """Tell whether two cells of the ring, free or own, are not joined around it."""
    usable = [place for place in range(6) if colors[place] in (0, own)]
    return any(
        not _joined(colors, own, first, second) and not _joined(colors, own, second, first)
        for first in usable
        for second in usable
        if first != second
    )


def _joined(colors: list[int], own: int, first: int, second: int) -> bool:
    """Tell whether only own stones are between two places, clockwise."""
    between = range(first + 1, second if second > first else second + 6)
    return all(colors[place % 6] == own for place in between)
