"""The usual board as sets of cells; the number of a cell is ``row * n + column``.

The four borders count as stones, but are no cells: black's borders at the top and the bottom, and
white's at the left and the right, are represented by the cells that touch them. A cell has a *ring*
of six neighbors, each adjacent to the next one; neighbors outside the board are borders.

Inferior cells are filled in, and not searched. The color of a *dead* cell cannot change the winner,
so it may get any. Two free cells are *captured* by a color if a stone of this color on either of
them makes the other one dead. So the color can make the opponent's stone on either cell dead, and
both cells may get its stones without changing the winner (Björnsson, Hayward, Johanson, van
Rijswijck: "Dead cell analysis in Hex and the Shannon game", 2007; Henderson: "Playing and solving
the game of Hex", PhD thesis, University of Alberta, 2010, chapter 3). The fill-in continues until
no such cell is left.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.hex.rings import POWERS, dead_rings
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import signed
from ludograph.rules.kernels.sets import (
    CAPACITY,
    Set,
    Words,
    bit_of,
    common,
    empty,
    first,
    from_int,
    get,
    has,
    is_empty,
    make_rows,
    rest,
    single,
    union,
    with_one,
    without,
    words_for,
)

LARGEST = math.isqrt(CAPACITY)
"""The width of the largest board with cells that fit into a set."""

OUTSIDE = -1
"""The place of a border in a ring, instead of a cell."""

STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""The steps to a cell's neighbors around it, in rows and columns."""


class Grid(NamedTuple):
    """A board of n x n cells in the form for kernels."""

    board: Set
    """All cells. Kernels are compiled for each number of words in a set: one up to 8 x 8 cells, two
    up to 11 x 11, four up to 16 x 16."""
    inner: Set
    """The cells that touch no border."""
    ring: npt.NDArray[np.int64]
    """``int64[n * n, 6]``: the neighbors of each cell, or ``OUTSIDE``."""
    shifts: npt.NDArray[np.uint64]
    """``uint64[n * n, 6]``: the neighbors of each cell, with the cell itself for ``OUTSIDE``."""
    rim: npt.NDArray[np.int64]
    """``int64[n * n]``: the code of each cell's ring with no stones except the borders."""
    near: Words
    """``uint64[n * n, words]``: the neighbors of each cell as a set."""
    sides: Words
    """``uint64[2, 2, words]``: the cells at the two borders of black, then of white."""
    dead: npt.NDArray[np.uint8]
    """``uint8[729]``: 1 if a cell with this ring is dead, otherwise 0."""


@functools.cache
def make_grid(n: int, words: int | None = None) -> Grid:
    """Return the board of n x n cells.

    Parameters
    ----------
    words
        The number of words of its sets; None: the fewest possible.

    Raises
    ------
    InvalidInput
        If the cells do not fit into a set.
    """
    if not 1 <= n <= LARGEST:
        raise InvalidInput(f"hex: boards of size 1 to {LARGEST} can be solved, not {n}")
    count = n * n
    if words is None:
        words = words_for(count)
    inside = np.arange(count).reshape(n, n)
    cells = np.pad(inside, 1, constant_values=OUTSIDE)
    # In a corner the place outside the board belongs to white's border.
    beyond = np.pad(np.zeros((n, n), np.int64), ((1, 1), (0, 0)), constant_values=1 + BLACK)
    beyond = np.pad(beyond, ((0, 0), (1, 1)), constant_values=1 + WHITE)
    places = [np.s_[1 + down : n + 1 + down, 1 + right : n + 1 + right] for down, right in STEPS]
    ring = np.stack([cells[each].ravel() for each in places], axis=1)
    rim = np.stack([beyond[each].ravel() for each in places], axis=1) @ np.array(POWERS)
    borders = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]])
    owners, directions = np.nonzero(ring != OUTSIDE)
    board = (1 << count) - 1
    return Grid(
        from_int(board, words),
        from_int(board & ~sum(1 << cell for cell in set(borders.tolist())), words),
        ring,
        np.where(ring == OUTSIDE, np.arange(count)[:, None], ring).astype(np.uint64),
        rim,
        make_rows(owners, ring[owners, directions], count, words),
        make_rows(np.repeat(np.arange(4), n), borders, 4, words).reshape(2, 2, words),
        dead_rings(),
    )


@compiled
def ring_code(grid: Grid, cell: int, black: Set, white: Set) -> int:
    """Return the ring of a free cell: six digits to base 3, 0 free, 1 black, 2 white."""
    code = grid.rim[cell]
    for direction in range(6):
        shift = grid.shifts[cell, direction]
        one = bit_of(black, shift)
        two = bit_of(white, shift)
        code += POWERS[direction] * signed(one + two + two)
    return code


@compiled
def fill_in(grid: Grid, black: Set, white: Set, changed: Set) -> tuple[Set, Set, Set, Set]:
    """Fill in dead and captured cells; O(1) for each cell with a changed ring.

    Parameters
    ----------
    changed
        The first cells to test: the free cells whose rings have changed since the last fill-in.

    Returns
    -------
    black, white
        The stones with the filled-in cells; dead cells are black.
    black_captured, white_captured
        The captured cells, which belong to the carrier of a win of this color.
    """
    ring, near, dead = grid.ring, grid.near, grid.dead
    black_captured = empty(black)
    white_captured = empty(black)
    free = without(grid.board, union(black, white))
    changed = common(changed, free)
    while not is_empty(changed):
        cell = first(changed)
        changed = rest(changed)
        code = ring_code(grid, cell, black, white)
        filled = empty(black)
        if dead[code]:
            black = with_one(black, cell)
            filled = single(cell, black)
        else:
            for direction in range(6):
                other = ring[cell, direction]
                if other < 0 or not has(free, other):
                    continue
                power = POWERS[direction]
                for_black = dead[code + power]
                for_white = dead[code + 2 * power]
                if not (for_black or for_white):
                    continue
                opposite = POWERS[(direction + 3) % 6]
                back = ring_code(grid, other, black, white)
                if for_black and dead[back + opposite]:
                    filled = with_one(single(cell, black), other)
                    black = union(black, filled)
                    black_captured = union(black_captured, filled)
                    break
                if for_white and dead[back + 2 * opposite]:
                    filled = with_one(single(cell, black), other)
                    white = union(white, filled)
                    white_captured = union(white_captured, filled)
                    break
        free = without(free, filled)
        while not is_empty(filled):
            changed = union(changed, get(near[first(filled)], black))
            filled = rest(filled)
        changed = common(changed, free)
    return black, white, black_captured, white_captured
