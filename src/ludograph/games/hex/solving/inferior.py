"""Cells that need not be searched: the dead and the captured, filled in.

A *dead* cell's color cannot matter, so it may have any. Two free cells are *captured* by a color
if whichever the other color takes, the answer in the other cell makes it dead: both may be given
to the first color without changing who wins (Björnsson, Hayward, Johanson, van Rijswijck: "Dead
cell analysis in Hex and the Shannon game", 2007; Henderson: "Playing and solving the game of
Hex", PhD thesis, University of Alberta, 2010, chapter 3). Filling goes on until nothing is found.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rings import POWERS
from ludograph.games.hex.solving.bits import NONE, ONE, bit
from ludograph.rules import compiled


@compiled
def ring_code(ring: npt.NDArray[np.int64], cell: int, black: np.uint64, white: np.uint64) -> int:
    """Return the colors around a cell as a number to base 3."""
    code = 0
    for direction in range(6):
        shift = np.uint64(ring[cell, direction])
        one = (black >> shift) & ONE
        two = (white >> shift) & ONE
        code += POWERS[direction] * int(np.int64(one + two + two))
    return code


@compiled
def fill(
    ring: npt.NDArray[np.int64],
    dead: npt.NDArray[np.uint8],
    black: np.uint64,
    white: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Fill in what is dead or captured; O(cells) as often as something is found.

    Returns
    -------
    black, white
        The stones and what was filled in; dead cells are black.
    black_captured, white_captured
        What a proof that this color wins has to count among its cells.
    """
    black_captured = NONE
    white_captured = NONE
    changed = True
    while changed:
        changed = False
        for cell in range(ring.shape[0]):
            here = bit(cell)
            if (black | white) & here != NONE:
                continue
            code = ring_code(ring, cell, black, white)
            if dead[code]:
                black |= here
                changed = True
                continue
            for direction in range(3):
                other = ring[cell, direction]
                there = bit(other)
                if (black | white) & there != NONE:
                    continue
                first, second = POWERS[direction], POWERS[direction + 3]
                if not (dead[code + first] or dead[code + 2 * first]):
                    continue
                back = ring_code(ring, other, black, white)
                if dead[code + first] and dead[back + second]:
                    black |= here | there
                    black_captured |= here | there
                    changed = True
                    break
                if dead[code + 2 * first] and dead[back + 2 * second]:
                    white |= here | there
                    white_captured |= here | there
                    changed = True
                    break
    return black, white, black_captured, white_captured
