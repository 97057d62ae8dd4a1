"""The room of a proof under way: sets of cells for each level of its stack, one level a stone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.hex.solving.connections import Numbers, Sets, make_numbers, make_sets
from ludograph.games.hex.solving.memory import make_memory
from ludograph.search.proof.table import Table

FILL, CONNECT, NARROW, FOLD, PRUNE = 1, 2, 4, 8, 16
"""What may be left out, for tests: dead and captured cells; sure connections; the must-play of
carriers; positions turned by 180° taken for one; moves that an answer makes dead."""
EVERYTHING = FILL | CONNECT | NARROW | FOLD | PRUNE


class HexRoom(NamedTuple):
    """What the proof of a position of Hex works on, beside the stack of numbers."""

    stones: Sets
    """``uint64[levels, 2]``: of black, of white, the borders and what was filled in included."""
    captured: Sets
    """``uint64[levels, 2]``: what a win of black, of white has to count among its cells."""
    must: Sets
    """``uint64[levels]``: the moves still to try."""
    used: Sets
    """``uint64[levels]``: the carriers that narrowed them."""
    keys: Sets
    """``uint64[levels]``: of the positions in the table."""
    turned: Numbers
    """``int64[levels]``: 1 where the table has the position turned by 180°."""
    carrier: Sets
    """``uint64[1]``: of the win on its way up."""
    sets: Sets
    numbers: Numbers
    """Those two are the room of :mod:`ludograph.games.hex.solving.connections`."""
    memory: Table
    flags: Numbers
    """``int64[1]``: the means in use."""


def make_room(levels: int, bits: int, flags: int = EVERYTHING) -> HexRoom:
    """Return room for so many levels, with a table of ``2 ** bits`` entries."""
    return HexRoom(
        stones=np.zeros((levels, 2), np.uint64),
        captured=np.zeros((levels, 2), np.uint64),
        must=np.zeros(levels, np.uint64),
        used=np.zeros(levels, np.uint64),
        keys=np.zeros(levels, np.uint64),
        turned=np.zeros(levels, np.int64),
        carrier=np.zeros(1, np.uint64),
        sets=make_sets(),
        numbers=make_numbers(),
        memory=make_memory(bits),
        flags=np.array([flags], np.int64),
    )
