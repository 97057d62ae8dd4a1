"""The workspace of a proof of Hex, with sets of cells for each level of its stack."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.connections import Connections, make_connections
from ludograph.games.hex.solving.table import make_cell_table
from ludograph.rules.kernels.sets import Words
from ludograph.search.proof.table import Table

INFERIOR, CONNECTIONS, MUST_PLAY, SYMMETRY, REVERSIBLE, DOMINATED, KEPT = 1, 2, 4, 8, 16, 32, 64
"""The means of a proof, which tests may leave out, a bit each:

- dead and captured cells are filled in;
- the evaluation uses virtual and semi connections;
- carriers narrow the must-play region;
- a position and the position turned by 180° have the same key;
- dead-reversible moves, which an answer makes dead, are left out;
- dominated moves, whose cells another move fills in, are left out;
- the connections before the moves of a position are stored for all its moves.
"""
EVERYTHING = INFERIOR | CONNECTIONS | MUST_PLAY | SYMMETRY | REVERSIBLE | DOMINATED | KEPT


def level_type(words: int) -> np.dtype[Any]:
    """Return the type of a level of the stack, for sets of ``words`` words."""
    fields: list[Any] = [
        ("stones", np.uint64, (2, words)),  # black's and white's stones, with filled-in cells
        ("captured", np.uint64, (2, words)),  # the cells that a color's win adds to its carrier
        ("must_play", np.uint64, (words,)),  # the moves still to try
        ("carriers", np.uint64, (words,)),  # the union of the carriers of refuted moves
        ("key", np.uint64),  # the key of the position in the table
        ("turned", np.bool_),  # whether the key is that of the position turned by 180°
    ]
    return np.dtype((np.record, fields))


class Workspace(NamedTuple):
    """The memory of a proof in addition to its stack of proof numbers."""

    levels: Any
    """``level_type(words)[levels]``: the position of each level."""
    carrier: Words
    """``uint64[words]``: the carrier of the last proven result, which the level above uses."""
    connections: Connections
    """The connections of the evaluated position."""
    before: Connections
    """The connections before a move, used for all moves of the same position."""
    table: Table
    """The table of positions."""
    means: npt.NDArray[np.int64]
    """``int64[1]``: the means in use."""


def make_workspace(words: int, levels: int, table_bits: int, means: int = EVERYTHING) -> Workspace:
    """Return the workspace for a number of levels, with a table of ``2 ** table_bits`` entries.

    ``words`` is the number of words of a set of cells.
    """
    return Workspace(
        levels=np.zeros(levels, level_type(words)),
        carrier=np.zeros(words, np.uint64),
        connections=make_connections(words),
        before=make_connections(words),
        table=make_cell_table(table_bits, words),
        means=np.array([means], np.int64),
    )
