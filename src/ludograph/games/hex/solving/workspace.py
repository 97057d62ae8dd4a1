"""What a proof of Hex works on: sets of cells for each level of its stack, one level a stone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.solving.connections import Connections, make_connections
from ludograph.games.hex.solving.grid import Words
from ludograph.games.hex.solving.table import make_cell_table
from ludograph.search.proof.table import Table

INFERIOR, CONNECTIONS, MUST_PLAY, SYMMETRY, REVERSIBLE, DOMINATED = 1, 2, 4, 8, 16, 32
"""Means that may be left out, for tests: dead and captured cells are filled in; virtual and semi
connections; carriers narrow the must-play; a position and the one turned by 180° are the same;
dead-reversible cells, which an answer makes dead, are no moves; nor are those that another move
fills in."""
EVERYTHING = INFERIOR | CONNECTIONS | MUST_PLAY | SYMMETRY | REVERSIBLE | DOMINATED

LEVEL = np.dtype(
    (
        np.record,
        [
            ("stones", np.uint64, (2,)),  # of black, of white, with filled-in cells
            (
                "captured",
                np.uint64,
                (2,),
            ),  # what a win of black, of white has to add to its carrier
            ("must_play", np.uint64),  # the moves still to try
            ("carriers", np.uint64),  # the union of those that narrowed them
            ("key", np.uint64),  # of the position in the table
            ("turned", np.bool_),  # whether the table has the position turned by 180°
        ],
    )
)


class Workspace(NamedTuple):
    """A proof under way, beside its stack of proof numbers."""

    levels: Any
    """``LEVEL[levels]``"""
    carrier: Words
    """``uint64[1]``: of the win on its way up."""
    connections: Connections
    table: Table
    means: npt.NDArray[np.int64]
    """``int64[1]``: those in use."""


def make_workspace(levels: int, table_bits: int, means: int = EVERYTHING) -> Workspace:
    """Return room for so many levels, with a table of ``2 ** table_bits`` entries."""
    return Workspace(
        levels=np.zeros(levels, LEVEL),
        carrier=np.zeros(1, np.uint64),
        connections=make_connections(),
        table=make_cell_table(table_bits),
        means=np.array([means], np.int64),
    )
