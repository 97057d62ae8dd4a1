"""The memory of a proof of Hex, in addition to the stack and the table of proof numbers.

The workspace has sets of cells for each level of the stack. An entry of the table has two sets:
carriers and must-play regions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.connections.search import Connections, make_connections
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.sets import Set, Words, get_at, put_at
from ludograph.rules.random import GAMMA, scramble
from ludograph.search.proof.game import WORDS, Table, make_table, store

INFERIOR, CONNECTIONS, MUST_PLAY, REVERSIBLE, DOMINATED = 1, 2, 4, 8, 16
"""The means of a proof, which tests may leave out, a bit each:

- dead and captured cells are filled in;
- the evaluation uses virtual and semi connections;
- carriers narrow the must-play region;
- dead-reversible moves, which an answer makes dead, are left out;
- dominated moves, whose cells another move fills in, are left out.
"""
EVERYTHING = INFERIOR | CONNECTIONS | MUST_PLAY | REVERSIBLE | DOMINATED


def level_type(words: int) -> np.dtype[Any]:
    """Return the type of a level of the stack, for sets of ``words`` words."""
    fields: list[Any] = [
        ("stones", np.uint64, (2, words)),  # black's and white's stones, with filled-in cells
        ("captured", np.uint64, (2, words)),  # the cells that a color's win adds to its carrier
        ("must_play", np.uint64, (words,)),  # the moves still to try
        ("carriers", np.uint64, (words,)),  # the union of the carriers of refuted moves
        ("key", np.uint64),  # the key of the position in the table
    ]
    return np.dtype((np.record, fields))


class ProofWorkspace(NamedTuple):
    """The memory of a proof in addition to its stack of proof numbers."""

    levels: Any
    """``level_type(words)[levels]``: the position of each level."""
    carrier: Words
    """``uint64[words]``: the carrier of the last proven result, which the level above uses."""
    connections: Connections
    """The connections of the evaluated position."""
    table: Table
    """The table of positions."""
    techniques: npt.NDArray[np.int64]
    """``int64[1]``: the means in use."""


def make_workspace(
    words: int, levels: int, table_bits: int, techniques: int = EVERYTHING
) -> ProofWorkspace:
    """Return the workspace for a number of levels, with a table of ``2 ** table_bits`` entries.

    ``words`` is the number of words of a set of cells.
    """
    return ProofWorkspace(
        levels=np.zeros(levels, level_type(words)),
        carrier=np.zeros(words, np.uint64),
        connections=make_connections(words),
        table=make_cell_table(table_bits, words),
        techniques=np.array([techniques], np.int64),
    )


MOVES_LEFT, CARRIERS = range(2)
"""The sets of an entry. For an open position: the moves still to try, and the union of the carriers
that refute the other moves. For a decided position, the second set is the winner's carrier."""


def make_cell_table(bits: int, words: int) -> Table:
    """Return an empty table of ``2 ** bits`` entries, with two sets of ``words`` words each."""
    return make_table(bits, words=2 * words)


@compiled(inlined=True)
def mix(word: np.uint64, cells: Set) -> np.uint64:
    """Return a hash of a word and a set."""
    word = scramble((word ^ cells[0]) + GAMMA)
    if len(cells) > 1:
        word = scramble((word ^ cells[1]) + GAMMA)
    if len(cells) > 2:
        word = scramble((word ^ cells[2]) + GAMMA)
        word = scramble((word ^ cells[3]) + GAMMA)
    return word


@compiled
def key_of(black: Set, white: Set, color: int) -> np.uint64:
    """Return the key of a position in the table; ``color`` is to move."""
    return scramble((mix(mix(NONE, black), white) ^ np.uint64(color)) + GAMMA)


@compiled
def cells_at(table: Table, place: int, which: int, template: Set) -> Set:
    """Return a set of cells of an entry: ``MOVES_LEFT`` or ``CARRIERS``."""
    return get_at(table[place], WORDS + which * len(template), template)


@compiled
def store_cells(
    table: Table,
    key: np.uint64,
    phi: int,
    delta: int,
    must_play: Set,
    carriers: Set,
    work: int,
) -> None:
    """Store a position's proof numbers and sets of cells.

    Parameters
    ----------
    must_play, carriers
        The sets ``MOVES_LEFT`` and ``CARRIERS``.
    work
        The number of nodes of the proof.
    """
    row = table[store(table, key, phi, delta, work)]
    put_at(row, WORDS + MOVES_LEFT * len(must_play), must_play)
    put_at(row, WORDS + CARRIERS * len(carriers), carriers)
