"""Slides: straight lines over a board, as far as its cells are free.

The cells of all lines are one array, ``along``, in which a line continues at the next index. So the
steps of a line do not depend on each other. Each line ends with a cell that is never free. After
the last line there are ``NEAR`` more entries.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled
from ludograph.rules.kernels.bits import bit_count
from ludograph.rules.layout import State

IntArray = npt.NDArray[np.int32]

FREE = 0
"""The value of an empty cell in a state."""

NEAR = 4
"""The number of cells that are always tested, without a branch: most lines are short during a game,
and the processor cannot predict their lengths."""


@compiled
def free_steps(along: IntArray, state: State, cells: int, way: int) -> int:
    """Return the number of free cells of a line, up to the first one that is not free; O(steps).

    Parameters
    ----------
    along
        ``int32[places]``: the cells of all lines.
    state, cells
        The state, and the slot of cell 0: ``state[cells + cell]`` is ``FREE`` for an empty cell.
    way
        The index of the first cell of the line.
    """
    stops = 1 << NEAR  # bits of impossible steps
    for step in range(NEAR):
        stops |= (1 if state[cells + along[way + step]] != FREE else 0) << step
    steps = bit_count((stops & -stops) - 1)
    if steps == NEAR:
        while state[cells + along[way + steps]] == FREE:
            steps += 1
    return steps
