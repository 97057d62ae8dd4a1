"""The memory that a search for connections takes, made once, and its limits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.setup import ANY, HexSetup
from ludograph.search.records import COUNT, INTEGER, Record, Records, make_record, make_records

Words = npt.NDArray[np.uint64]
"""A set of cells, ``uint64[words]``, or an array of sets."""

LARGEST = 256
"""Free cells of the largest board."""

LENGTHS = (2, 4)
"""Words of a set. All that searches do is compiled anew for each length; one word in place of two
would make a look 2.5 % faster on 8 x 8."""

WORD = 64

CONNECTION = [
    ("one", COUNT),  # the nodes it connects, the lesser first
    ("other", COUNT),
    ("semi", COUNT),  # 1 for a semi connection
    ("key", COUNT),  # the cell whose stone makes a virtual connection of a semi connection
    ("size", COUNT),  # of its carrier
    ("waiting", COUNT),  # the next of its size in the queue, or NOTHING
    ("sibling", COUNT),  # the next kept of its nodes, or NOTHING
]

LIMITS = [
    ("free_pairs", INTEGER),  # cells that a connection of two free cells may need
    ("group_pairs", INTEGER),  # of a free cell and a group
    ("virtual", INTEGER),  # virtual connections kept of two nodes
    ("semi", INTEGER),  # semi connections kept of two nodes
    ("kept", INTEGER),  # connections kept in all: bounds the work
]

FREE_PAIRS, GROUP_PAIRS, VIRTUAL_KEPT, SEMI_KEPT, KEPT = 2, 4, 4, 8, 9000
"""With more nearly nothing more is decided: on 11 x 11 twice as many connections kept of two nodes
decide 0.3 % of the positions more and take a quarter more time. Connections of two free cells that
need more than a bridge are made anyway, cell by cell, where a border or a group asks for them."""

POOL = 1 << 15
"""Connections that are kept or wait in one search."""

AT_NODE = 192
"""Connections kept at one node."""

DEPTH = 4
"""Semi connections that the OR rule puts together at most."""

PROGRESS = [
    ("top", INTEGER),  # connections in the pool
    ("least", INTEGER),  # the least size that waits
    ("kept", INTEGER),  # connections kept
    ("work", INTEGER),  # pairs that the AND rule has looked at, of all searches
    ("won", INTEGER),  # 1 if the borders are virtually connected
    ("key", INTEGER),  # the cell that makes their first semi connection virtual, or NOTHING
    ("semis", INTEGER),  # semi connections found of them
]


class Connections(NamedTuple):
    """The connections of one color in one position, and what it takes to find them.

    A set of cells is ``uint64[words]``; cell ``k`` is free vertex ``setup.free[k]``. Nodes are the
    cells, then the color's first border and its second one.
    """

    words: tuple[int, ...]
    """As many as a set has; their number is part of the type, so that loops over them are none."""
    cell_of: npt.NDArray[np.int32]
    """``int32[n]``: by vertex."""
    colors: npt.NDArray[np.int32]
    """``int32[cells]``: the stone on each cell or ``NOBODY``, cells filled in included."""
    groups: npt.NDArray[np.int32]
    """``int32[nodes]``: of own stones and borders their group's node, of a free cell itself, of the
    other color's stones -1."""
    pool: Records
    """``CONNECTION[POOL]``"""
    carriers: Words
    """``uint64[POOL, words]``: by connection."""
    buckets: npt.NDArray[np.int32]
    """``int32[cells + 1]``: the first connection that waits by size, or -1."""
    pairs: npt.NDArray[np.int32]
    """``int32[2, nodes * nodes]``: the first virtual, semi connection kept of two nodes, or -1."""
    degrees: npt.NDArray[np.int32]
    """``int32[2, nodes]``: how many virtual, semi connections are kept at a node ..."""
    at: npt.NDArray[np.int32]
    """``int32[2, nodes, AT_NODE]``: ... and which."""
    common: Words
    union: Words
    places: npt.NDArray[np.int32]
    """``uint64[DEPTH, words]`` twice, ``int32[DEPTH]``: the stack of the OR rule."""
    needed: Words
    """``uint64[words]``: the cells that all semi connections of the borders need, ..."""
    used: Words
    """``uint64[words]``: ... those of the ones that were wanted to tell that; or of the win."""
    stack: npt.NDArray[np.int32]
    distances: npt.NDArray[np.int32]
    """``int32[nodes]`` each: scratch."""
    limits: Record
    progress: Record


def holds_on(setup: HexSetup) -> bool:
    """Tell whether connections decide games on a board, and there is room for its cells.

    They do where two colors cannot both join their borders: a color that has a connection wins,
    whatever the other does meanwhile. Of a graph that is no board of ours that is not known.
    """
    return setup.joined != ANY and setup.free.size <= LARGEST


def make_connections(
    setup: HexSetup,
    *,
    free_pairs: int = FREE_PAIRS,
    group_pairs: int = GROUP_PAIRS,
    virtual: int = VIRTUAL_KEPT,
    semi: int = SEMI_KEPT,
    kept: int = KEPT,
) -> Connections:
    """Return room for the connections of any position of a board; see ``LIMITS``."""
    cells = setup.free.size
    nodes = cells + 2
    words = next(count for count in LENGTHS if cells <= count * WORD)
    cell_of = np.full(setup.touches.size, -1, np.int32)
    cell_of[setup.free] = np.arange(cells, dtype=np.int32)
    limits = make_record(LIMITS)
    limits.free_pairs, limits.group_pairs = free_pairs, group_pairs
    limits.virtual, limits.semi, limits.kept = virtual, semi, kept
    return Connections(
        words=(0,) * words,
        cell_of=cell_of,
        colors=np.full(cells, -1, np.int32),
        groups=np.full(nodes, -1, np.int32),
        pool=make_records(POOL, CONNECTION),
        carriers=np.zeros((POOL, words), np.uint64),
        buckets=np.full(cells + 1, -1, np.int32),
        pairs=np.full((2, nodes * nodes), -1, np.int32),
        degrees=np.zeros((2, nodes), np.int32),
        at=np.zeros((2, nodes, AT_NODE), np.int32),
        common=np.zeros((DEPTH, words), np.uint64),
        union=np.zeros((DEPTH, words), np.uint64),
        places=np.zeros(DEPTH, np.int32),
        needed=np.zeros(words, np.uint64),
        used=np.zeros(words, np.uint64),
        stack=np.zeros(nodes, np.int32),
        distances=np.zeros(nodes, np.int32),
        limits=limits,
        progress=make_record(PROGRESS),
    )
