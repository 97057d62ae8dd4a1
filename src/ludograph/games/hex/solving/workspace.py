"""The workspace of a proof of Hex: sets of cells for each level of its stack."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.connections import Connections, make_connections
from ludograph.games.hex.solving.table import make_cell_table
from ludograph.rules.kernels.sets import Words
from ludograph.search.proof.table import Table

INFERIOR, CONNECTIONS, MUST_PLAY, SYMMETRY, REVERSIBLE, DOMINATED, KEPT = 1, 2, 4, 8, 16, 32, 64
"""Means that may be left out, for tests: dead and captured cells are filled in; virtual and semi
connections; carriers narrow the must-play; a position and the one turned by 180° are the same;
dead-reversible cells, which an answer makes dead, are no moves; nor are those that another move
fills in; connections are kept for all moves of a position."""
EVERYTHING = INFERIOR | CONNECTIONS | MUST_PLAY | SYMMETRY | REVERSIBLE | DOMINATED | KEPT


def level_type(words: int) -> np.dtype[Any]:
    """Return what is known of a position on the way; ``words`` is the size of a set."""
    fields: list[Any] = [
        ("stones", np.uint64, (2, words)),  # of black, of white, with filled-in cells
        ("captured", np.uint64, (2, words)),  # what a win of either has to add to its carrier
        ("must_play", np.uint64, (words,)),  # the moves still to try
        ("carriers", np.uint64, (words,)),  # the union of those that narrowed them
        ("key", np.uint64),  # of the position in the table
        ("turned", np.bool_),  # whether the table has the position turned by 180°
    ]
    return np.dtype((np.record, fields))


class Workspace(NamedTuple):
    """A proof under way, beside its stack of proof numbers."""

    levels: Any
    """``level_type(words)[levels]``"""
    carrier: Words
    """``uint64[words]``: of the win on its way up."""
    connections: Connections
    before: Connections
    """Those before a move, kept while the moves of a position are evaluated one after another."""
    table: Table
    means: npt.NDArray[np.int64]
    """``int64[1]``: those in use."""


def make_workspace(words: int, levels: int, table_bits: int, means: int = EVERYTHING) -> Workspace:
    """Return room for a number of levels; ``words`` is the size of a set.

    The table has ``2 ** table_bits`` entries.
    """
    return Workspace(
        levels=np.zeros(levels, level_type(words)),
        carrier=np.zeros(words, np.uint64),
        connections=make_connections(words),
        before=make_connections(words),
        table=make_cell_table(table_bits, words),
        means=np.array([means], np.int64),
    )
