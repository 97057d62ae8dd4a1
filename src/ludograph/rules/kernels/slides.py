"""Slides: straight lines over a board, as far as its cells are free.

A line leaves a cell through a *slot*, one of the cell's sides. ``beyond[slot]`` is the cell on the
other side, and ``ahead[slot]`` the slot through which the line leaves that one. Where the board
ends there is a cell beyond that is never free.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled
from ludograph.rules.layout import State

IntArray = npt.NDArray[np.int32]

FREE = 0
"""What a state has at a cell on which nothing stands."""

NEAR = 3
"""Steps that are taken, or not, without a jump: most lines are short while a game goes on, and no
processor can foresee which."""


@compiled
def slide(
    beyond: IntArray, ahead: IntArray, state: State, cells: int, slot: int
) -> tuple[int, int]:
    """Return how many free cells a line passes, and the slot at which it is stopped; O(steps).

    Parameters
    ----------
    beyond, ahead
        ``int32[slots]``: the lines of the board.
    state, cells
        ``state[cells + cell]`` is ``FREE`` where nothing stands.
    slot
        Where the line begins.
    """
    steps = 0
    for _ in range(NEAR):
        free = state[cells + beyond[slot]] == FREE
        after = ahead[slot]
        steps += 1 if free else 0
        slot = after if free else slot
    while state[cells + beyond[slot]] == FREE:
        steps += 1
        slot = ahead[slot]
    return steps, slot


@compiled
def slot_after(ahead: IntArray, slot: int, steps: int) -> int:
    """Return the slot through which a line continues after ``steps`` cells; O(steps)."""
    for _ in range(steps):
        slot = ahead[slot]
    return slot
