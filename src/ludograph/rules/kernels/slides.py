"""Slides: straight lines over a board, as far as its cells are free.

The cells of all lines are one array, ``along``: a line goes on at the next place, so that its steps
need not wait for each other. Where the board ends there is a cell that is never free. Behind the
last line there are ``NEAR`` places more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled
from ludograph.rules.kernels.bits import bit_count
from ludograph.rules.layout import State

IntArray = npt.NDArray[np.int32]

FREE = 0
"""What a state has at a cell on which nothing stands."""

NEAR = 4
"""Cells that are looked at in any case, without a jump: most lines are short while a game goes on,
and no processor can foresee which."""


@compiled
def free_steps(along: IntArray, state: State, cells: int, way: int) -> int:
    """Return how many free cells a line passes from a place on; O(steps).

    Parameters
    ----------
    along
        ``int32[places]``: the cells of all lines.
    state, cells
        ``state[cells + cell]`` is ``FREE`` where nothing stands.
    way
        The place of the first cell of the line.
    """
    stops = 1 << NEAR  # a bit for each step that is not possible
    for step in range(NEAR):
        stops |= (1 if state[cells + along[way + step]] != FREE else 0) << step
    steps = bit_count((stops & -stops) - 1)
    if steps == NEAR:
        while state[cells + along[way + steps]] == FREE:
            steps += 1
    return steps
