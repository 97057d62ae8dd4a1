"""The arrays of a proof under way: a level per stone, numbers and sets of cells apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.hex.solving.connections import Numbers, Sets, make_numbers, make_sets
from ludograph.games.hex.solving.memory import Memory, make_memory

FILL, CONNECT, NARROW, FOLD, PRUNE = 1, 2, 4, 8, 16
"""What may be left out, for tests: dead and captured cells; sure connections; the must-play of
carriers; positions turned by 180° taken for one; moves that an answer makes dead."""
EVERYTHING = FILL | CONNECT | NARROW | FOLD | PRUNE

# Columns of ``frames``.
STONES = 0  # of black, then of white, the borders and what was filled in included
CAPTURED = 2  # of black, then of white: what a win of the color has to count among its cells
MUST = 4  # the moves still to try
USED = 5  # the carriers that narrowed them
KEY = 6  # of the position in the table

COUNT, PLACE, CHOSEN, TURNED, PHI_LIMIT, DELTA_LIMIT, ENTERED = range(7)
"""Columns of ``counts``: moves listed; place in the list and code of the one being tried; whether
the table has the position turned by 180°; the proof numbers at which to give up for now; the value
of NODES on entering."""

MODE, LEVEL, NODES, COLOR, FLAGS, WINNER, PHI, DELTA = range(8)
"""Slots of ``progress``. COLOR is to move at level 0; WINNER, PHI and DELTA are on their way up."""

ENTERING, CHOOSING, LEAVING, DONE = range(4)
"""What comes next, in MODE."""


class Stack(NamedTuple):
    """One proof under way: a level per stone."""

    frames: Sets
    """``uint64[levels, 7]``"""
    order: Numbers
    """``int64[levels, cells]``: the moves left to try."""
    phis: Numbers
    """``int64[levels, cells]``: how far these moves are from losing."""
    deltas: Numbers
    """``int64[levels, cells]``: how far these moves are from winning."""
    counts: Numbers
    """``int64[levels, 7]``"""
    carrier: Sets
    """``uint64[1, 1]``: of the answer on its way up."""
    sets: Sets
    numbers: Numbers
    memory: Memory
    progress: Numbers


def make_stack(cells: int, bits: int) -> Stack:
    """Return a stack with a table of ``2 ** bits`` entries."""
    levels = cells + 2
    return Stack(
        frames=np.zeros((levels, 7), np.uint64),
        order=np.zeros((levels, cells), np.int64),
        phis=np.zeros((levels, cells), np.int64),
        deltas=np.zeros((levels, cells), np.int64),
        counts=np.zeros((levels, 7), np.int64),
        carrier=np.zeros((1, 1), np.uint64),
        sets=make_sets(),
        numbers=make_numbers(),
        memory=make_memory(bits),
        progress=np.zeros(8, np.int64),
    )
