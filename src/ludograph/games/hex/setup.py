"""The setup of Hex: the graph of the free vertices, and its links to the borders.

Nobody plays on a border, so the rules need no border vertices: the setup contains the free
neighbors of each free vertex, and a bit for each of the four border chains that it touches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.hex.layouts import COLOR_NAMES, recognize
from ludograph.games.hex.rings import ring_facts

IntArray = npt.NDArray[np.int32]

BLACK = 0
"""The color that moves first; on the usual boards it joins top and bottom."""

WHITE = 1
"""The other color; on the usual boards it joins left and right."""

NOBODY = -1
NEVER = -1

ANY, AT_MOST_ONE, EXACTLY_ONE = range(3)
"""The possible numbers of colors that have joined their borders on a full board."""

SIDES = 6
"""The neighbors of a row, which are examined together: all neighbors of a hexagonal cell."""

NO_SIDE, CLUSTERS, ROW = SIDES, SIDES + 1, SIDES + 2
"""The places in a row after its neighbors, for the vertex itself and for the place of the row's
clusters; the length of a row."""

HASH_SEED = 0x4865780A
"""The seed of the words for hashing: keys must be the same in all processes."""


class HexSetup(NamedTuple):
    """The graph of the free vertices, with their numbers on the board, and the options of a game.

    Border vertices have no neighbors here; ``touches`` contains the links to them.
    """

    offsets: IntArray
    """``int32[n + 1]``: free vertex ``v`` has neighbors ``offsets[v]:offsets[v + 1]``."""
    neighbors: IntArray
    """``int32[links]``: the free neighbors, each link in both directions."""
    row_offsets: IntArray
    """``int32[n + 1]``: the rows of vertex ``v`` are ``row_offsets[v]:row_offsets[v + 1]`` of
    ``rows``."""
    rows: IntArray
    """``int32[k * ROW + c * 2**SIDES]``: first ``k`` rows of ``ROW`` numbers, then ``c`` tables of
    clusters. A row has ``SIDES`` neighbors of its vertex ``v``, filled up with ``v`` itself; then
    ``v``; then the place of its table in this array. The table has a number for each set of the
    row's neighbors, see :func:`clusters_of`."""
    touches: IntArray
    """``int32[n]``: the border chains next to each vertex: bits 0 and 1 for those of black, 2 and 3
    for those of white."""
    free: IntArray
    """``int32[f]``: the vertices that are free at the start, ascending."""
    doors: IntArray
    """``int32[d]``: the vertices next to black's first chain, then those next to white's first
    chain."""
    black_doors: int
    """The number of the vertices in ``doors`` that are black's."""
    words: npt.NDArray[np.uint64]
    """``uint64[n, 2]``: a random word per vertex and color, for Zobrist hashing."""
    swap_ply: int
    """The ply at which the pie rule allows to swap: 1, or ``NEVER``."""
    joined: int
    """``ANY``, ``AT_MOST_ONE`` or ``EXACTLY_ONE``: the colors with joined borders on a full
    board."""
    owners: IntArray
    """``int32[n]``: the color of a border vertex, ``NOBODY`` for other vertices."""
    columns: int
    """The number of columns, including borders, on boards with coordinates; otherwise 0. No rule
    reads it."""
    facts: npt.NDArray[np.uint16]
    """``uint16[729]`` on hexagonal cells, otherwise empty; see
    :func:`ludograph.games.hex.rings.ring_facts`."""
    steps: IntArray
    """``int32[12]`` on hexagonal cells, otherwise empty: the differences from a free vertex to its
    neighbors, including border vertices, clockwise from north, twice around."""


def make_setup(board: Board, *, pie: bool) -> HexSetup:
    """Return the setup of a game on a board with the marks ``black`` and ``white``.

    Raises
    ------
    InvalidInput
        Unless the marks are disjoint, each color has exactly two connected chains, and at least one
        vertex has no mark.
    """
    owners = border_owners(board)
    rows = np.repeat(np.arange(board.n, dtype=np.int32), np.diff(board.offsets))
    touches = np.zeros(board.n, np.int32)
    for color, name in enumerate(COLOR_NAMES):
        chains = chains_of(board, owners == color)
        if len(chains) != 2:
            raise InvalidInput(
                f"hex: the {name} border has {len(chains)} connected "
                f"chain{'s' if len(chains) != 1 else ''}, it needs two to be joined"
            )
        for side, chain in enumerate(chains):
            inside = np.zeros(board.n, dtype=bool)
            inside[chain] = True
            touches[rows[inside[board.neighbors]]] |= 1 << (2 * color + side)
    touches[owners != NOBODY] = 0
    free = np.flatnonzero(owners == NOBODY).astype(np.int32)
    if not free.size:
        raise InvalidInput("hex: all vertices are marked, none is left to play on")
    kept = (owners[rows] == NOBODY) & (owners[board.neighbors] == NOBODY)
    offsets = np.zeros(board.n + 1, np.int32)
    np.cumsum(np.bincount(rows[kept], minlength=board.n), out=offsets[1:])
    neighbors = board.neighbors[kept].copy()
    row_offsets, table = rows_of(offsets, neighbors)
    doors = [np.flatnonzero(touches >> (2 * color) & 1) for color in (BLACK, WHITE)]
    layout = recognize(board)
    columns = int(np.sqrt(board.n)) if layout is not None and layout.coordinates else 0
    joined = ANY if layout is None else AT_MOST_ONE if layout.draws else EXACTLY_ONE
    return HexSetup(
        offsets=offsets,
        neighbors=neighbors,
        row_offsets=row_offsets,
        rows=with_clusters(table, offsets, neighbors),
        touches=touches,
        free=free,
        doors=np.concatenate(doors).astype(np.int32),
        black_doors=len(doors[BLACK]),
        words=hash_words(board.n),
        swap_ply=1 if pie else NEVER,
        joined=joined,
        owners=owners,
        columns=columns,
        facts=ring_facts() if joined == EXACTLY_ONE else np.zeros(0, np.uint16),
        steps=steps_around(columns if joined == EXACTLY_ONE else 0),
    )


def steps_around(columns: int) -> IntArray:
    """Return ``HexSetup.steps`` for a board of hexagonal cells; an empty array for 0 columns."""
    ring = [-columns, 1 - columns, 1, columns, columns - 1, -1] if columns else []
    return np.array([*ring, *ring], np.int32)


def border_owners(board: Board) -> IntArray:
    """Return the color of each border vertex and ``NOBODY`` elsewhere: ``int32[n]``.

    Raises
    ------
    InvalidInput
        If a mark is missing, or if a vertex has both marks.
    """
    for name in COLOR_NAMES:
        if name not in board.marks:
            raise InvalidInput(
                f"hex: the board {board.name!r} has no vertices marked {name!r}; the marks "
                f"'black' and 'white' say whose border is where; the usual boards, such as "
                "'hexagonal:5', have them"
            )
    black, white = (board.marks[name] for name in COLOR_NAMES)
    both = np.intersect1d(black, white)
    if both.size:
        one = both.size == 1
        raise InvalidInput(
            f"hex: {'vertex' if one else 'vertices'} {' '.join(map(str, both[:12]))}"
            f"{' ...' if both.size > 12 else ''} {'is' if one else 'are'} marked both black and "
            "white; a vertex, also of a corner, belongs to one border only"
        )
    owners = np.full(board.n, NOBODY, np.int32)
    owners[black] = BLACK
    owners[white] = WHITE
    return owners


def chains_of(board: Board, inside: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected components of some vertices, in the order of their least vertices.

    Parameters
    ----------
    inside
        ``bool[n]``: whether a vertex is one of these.
    """
    chains = []
    left = inside.copy()
    for first in np.flatnonzero(inside).tolist():
        if not left[first]:
            continue
        chain = [first]
        left[first] = False
        for vertex in chain:  # the loop appends to the list
            for near in board.neighbors_of(vertex).tolist():
                if left[near]:
                    left[near] = False
                    chain.append(near)
        chains.append(chain)
    return chains


def rows_of(offsets: IntArray, neighbors: IntArray) -> tuple[IntArray, IntArray]:
    """Return ``row_offsets``, and the rows without their clusters, ``int32[k, ROW]``."""
    degrees = np.diff(offsets)
    counts = np.maximum(1, -(-degrees // SIDES))
    row_offsets = np.zeros(offsets.size, np.int32)
    np.cumsum(ROW * counts, out=row_offsets[1:])
    vertices = np.repeat(np.arange(degrees.size, dtype=np.int32), counts)
    rows = np.repeat(vertices[:, None], ROW, axis=1)
    owners = np.repeat(np.arange(degrees.size), degrees)
    places = np.arange(neighbors.size) - offsets[owners]
    rows[row_offsets[owners] // ROW + places // SIDES, places % SIDES] = neighbors
    return row_offsets, rows


def with_clusters(rows: IntArray, offsets: IntArray, neighbors: IntArray) -> IntArray:
    """Return ``HexSetup.rows``; rows with equal links between their neighbors share a table."""
    n = offsets.size - 1
    links = np.repeat(np.arange(n), np.diff(offsets)) * n + neighbors
    near = rows[:, :SIDES].astype(np.int64)
    linked = np.isin(near[:, :, None] * n + near[:, None, :], links)
    kinds, kind_of = np.unique(linked.reshape(len(rows), -1), axis=0, return_inverse=True)
    rows[:, CLUSTERS] = rows.size + (kind_of.reshape(-1) << SIDES)
    return np.concatenate([rows.reshape(-1), clusters_of(kinds.reshape(-1, SIDES, SIDES))])


def clusters_of(linked: npt.NDArray[np.bool_]) -> IntArray:
    """Return the least side of each cluster, for each set of sides of a row.

    A cluster is a connected part of the set.

    Parameters
    ----------
    linked
        ``bool[c, SIDES, SIDES]``: whether two sides of a row are adjacent, for ``c`` kinds of rows.

    Returns
    -------
    ``int32[c * 2**SIDES]``: bits 0 to 2 are the least side of the first cluster, or ``NO_SIDE``;
    the bits from 3 on are the set of the least sides of the other clusters.
    """
    inside = np.arange(1 << SIDES)[:, None] >> np.arange(SIDES) & 1 == 1
    joined = (linked | np.eye(SIDES, dtype=bool))[:, None] & inside[:, :, None] & inside[:, None, :]
    for _ in range(3):  # paths of 2, 4 and 8 links
        joined = joined @ joined
    least = inside & (joined.argmax(axis=3) == np.arange(SIDES))
    first = np.where(least.any(axis=2), least.argmax(axis=2), NO_SIDE)
    others = (least << np.arange(SIDES)).sum(axis=2) & ~(1 << first)
    return (first | others << 3).astype(np.int32).reshape(-1)


def hash_words(n: int) -> npt.NDArray[np.uint64]:
    """Return the random words for Zobrist hashing, always the same: ``uint64[n, 2]``."""
    generator = np.random.Generator(np.random.PCG64(HASH_SEED))
    halves = generator.integers(-(2**31), 2**31, 4 * n, dtype=np.int32).astype("<i4")
    return halves.view("<u8").astype(np.uint64).reshape(n, 2)
