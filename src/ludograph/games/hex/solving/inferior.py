"""Cells that need not be searched: the dead and the captured, filled in.

A *dead* cell's color cannot matter, so it may have any. Two free cells are *captured* by a color
if whichever the other color takes, the answer in the other cell makes it dead: both may be given
to the first color without changing who wins (Björnsson, Hayward, Johanson, van Rijswijck: "Dead
cell analysis in Hex and the Shannon game", 2007; Henderson: "Playing and solving the game of
Hex", PhD thesis, University of Alberta, 2010, chapter 3). Filling goes on until nothing is found.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.boards.rings import POWERS
from ludograph.games.hex.solving.grid import Grid
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, bit, lowest, signed


@compiled
def ring_code(grid: Grid, cell: int, black: np.uint64, white: np.uint64) -> int:
    """Return the colors around a free cell as a number to base 3."""
    code = grid.rim[cell]
    for direction in range(6):
        shift = grid.shifts[cell, direction]
        one = (black >> shift) & ONE
        two = (white >> shift) & ONE
        code += POWERS[direction] * signed(one + two + two)
    return code


@compiled
def fill_in(
    grid: Grid, black: np.uint64, white: np.uint64, changed: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Fill in what is dead or captured; O(1) for each cell that has changed.

    Parameters
    ----------
    changed
        The cells to begin with: those free cells whose ring is not the one it was when all was
        filled in.

    Returns
    -------
    black, white
        The stones and what was filled in; dead cells are black.
    black_captured, white_captured
        What a proof that this color wins has to count among its cells.
    """
    ring, near, dead = grid.ring, grid.near, grid.dead
    black_captured = NONE
    white_captured = NONE
    board = grid.board[0]
    changed &= board & ~(black | white)
    while changed != NONE:
        cell = lowest(changed)
        here = bit(cell)
        changed &= ~here
        code = ring_code(grid, cell, black, white)
        filled = NONE
        if dead[code]:
            black |= here
            filled = here
        else:
            for direction in range(6):
                other = ring[cell, direction]
                if other < 0 or (black | white) & bit(other) != NONE:
                    continue
                first = POWERS[direction]
                for_black = dead[code + first]
                for_white = dead[code + 2 * first]
                if not (for_black or for_white):
                    continue
                second = POWERS[(direction + 3) % 6]
                back = ring_code(grid, other, black, white)
                if for_black and dead[back + second]:
                    filled = here | bit(other)
                    black |= filled
                    black_captured |= filled
                    break
                if for_white and dead[back + 2 * second]:
                    filled = here | bit(other)
                    white |= filled
                    white_captured |= filled
                    break
        while filled != NONE:
            changed |= near[lowest(filled)]
            filled &= filled - ONE
        changed &= board & ~(black | white)
    return black, white, black_captured, white_captured
