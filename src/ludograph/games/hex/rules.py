"""The rules of Hex.

Connected stones of a color are a *group*, stored as a tree of parents (union-find: Tarjan,
"Efficiency of a good but not linear set union algorithm", 1975). The slot of a group's root
contains the number of its stones, and a bit for each of its color's two border chains that it
touches; a color with a group that touches both has won. The free vertices are in a list, and the
cell of a free vertex contains its place there, so no move searches the list. A move costs nearly
O(neighbors).
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.setup import CLUSTERS, ROW, SIDES, HexSetup
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    GameInfo,
    Moves,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    implements,
    random_below,
)
from ludograph.rules.kernels.bits import bit_count
from ludograph.rules.kernels.union_find import find
from ludograph.rules.kernels.zobrist import hash_at, toggle
from ludograph.rules.random import GAMMA, scramble

SWAPPED = HEADER  # 1 if seat 1 has taken the black stones
WINNER = HEADER + 1  # the color that has joined its borders, or NOBODY
FREE = HEADER + 2  # the number of free vertices
LAST = HEADER + 3  # the vertex played last, or NOBODY; no rule reads it
HASH = HEADER + 4  # this slot and the next: a Zobrist hash of the stones
CELLS = HEADER + 6  # per vertex: its place in the list if it is free, otherwise STONE - color

# After the cells: per vertex its parent in its group, or, for a root, ROOT - (a bit for each border
# chain that the group touches, plus STONES for each of its stones); then the list of free vertices.

STONE = -1
SEEN = -3  # SEEN - color marks a stone that a search has visited
ROOT = -1
BOTH = 3  # the bits of both border chains
STONES = BOTH + 1  # the part of a stone in the value of a root

FIRST, OTHERS = 7, 3
"""In a number of ``clusters_of``: the bits of the first cluster, and the shift of the others."""

NEIGHBORS = (1 << SIDES) - 1
"""The set of all neighbors in a row."""


@compiled
def parents_at(setup: HexSetup) -> int:
    """Return the slot of vertex 0's parent."""
    return CELLS + setup.touches.size


@compiled
def list_at(setup: HexSetup) -> int:
    """Return the first slot of the list of free vertices."""
    return CELLS + 2 * setup.touches.size


@implements(contract.info, HexSetup)
def hex_info(setup: HexSetup) -> GameInfo:
    return GameInfo(
        state_size=list_at(setup) + setup.free.size,
        seats=2,
        move_capacity=setup.free.size + 1,
        ply_bound=setup.free.size + 1,
        lowest_score=0.0,
        highest_score=1.0,
    )


@implements(contract.start, HexSetup)
def hex_start(setup: HexSetup, state: State) -> None:
    for slot in range(CELLS):
        state[slot] = 0
    state[WINNER] = -1
    state[LAST] = -1
    state[FREE] = setup.free.size
    parents, listed = parents_at(setup), list_at(setup)
    for vertex in range(setup.touches.size):
        state[CELLS + vertex] = STONE - setup.owners[vertex]
    for vertex in range(setup.touches.size):
        state[parents + vertex] = ROOT
    for place in range(setup.free.size):
        state[listed + place] = setup.free[place]
    for place in range(setup.free.size):
        state[CELLS + setup.free[place]] = place


@implements(contract.legal_moves, HexSetup)
def hex_legal_moves(setup: HexSetup, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] != OVER:
        listed = list_at(setup)
        count = state[FREE]
        for place in range(count):
            out[place] = state[listed + place]
        if state[PLY] == setup.swap_ply:
            out[count] = swap_of(setup)
            count += 1
    return count


@implements(contract.sample_move, HexSetup)
def hex_sample_move(setup: HexSetup, state: State, rng: Rng) -> int:
    count = state[FREE]
    swaps = 1 if state[PLY] == setup.swap_ply else 0
    choice = random_below(rng, count + swaps)
    if choice == count:
        return swap_of(setup)
    return state[list_at(setup) + choice]


@implements(contract.play, HexSetup)
def hex_play(setup: HexSetup, state: State, move: int) -> None:
    state[PLY] += 1
    if move == swap_of(setup):
        state[SWAPPED] = 1
        state[TURN] = 0
        return
    color = state[TURN] ^ state[SWAPPED]
    take_free(setup, state, move)
    toggle(state, HASH, setup.words[move, color])
    state[LAST] = move
    touched = join_groups(setup, state, move, color)
    state[CELLS + move] = STONE - color
    if touched == BOTH:
        state[WINNER] = color
        state[TURN] = OVER
    elif state[FREE] == 0:
        state[TURN] = OVER
    else:
        state[TURN] = 1 - state[TURN]


@compiled
def swap_of(setup: HexSetup) -> int:
    """Return the code of the swap."""
    return setup.touches.size


@compiled(inlined=True)
def take_free(setup: HexSetup, state: State, move: int) -> None:
    """Remove a vertex from the list of free vertices; the last one of the list takes its place."""
    listed = list_at(setup)
    place = state[CELLS + move]
    last = state[FREE] - 1
    moved = state[listed + last]
    state[listed + place] = moved
    state[CELLS + moved] = place
    state[FREE] = last


@compiled(inlined=True)
def join_groups(setup: HexSetup, state: State, move: int, color: int) -> int:
    """Join a new stone and the groups of its color around it; return the chains that they touch.

    The chains are a bit each. Adjacent neighbors already are in one group, so one neighbor of each
    cluster is enough, and there is seldom more than one cluster. The parent of the vertex is the
    root of the first cluster, or, without one, the vertex itself: this needs no branch, which
    processors could not predict.
    """
    parents = parents_at(setup)
    row, end = setup.row_offsets[move], setup.row_offsets[move + 1]
    clusters = clusters_in(setup, state, row, color)
    root, value = find(state, parents, setup.rows[row + (clusters & FIRST)])
    state[parents + move] = root
    theirs = ROOT - value
    known = STONES + ((setup.touches[move] >> (2 * color)) & BOTH)
    known += theirs - (known & theirs & BOTH)
    others = clusters >> OTHERS
    while True:
        while others:
            other = setup.rows[row + bit_count((others & -others) - 1)]
            others &= others - 1
            root, known = join(setup, state, root, other, known)
        row += ROW
        if row >= end:
            break
        clusters = clusters_in(setup, state, row, color)
        others = (clusters >> OTHERS) | ((1 << (clusters & FIRST)) & NEIGHBORS)
    state[parents + root] = ROOT - known
    return known & BOTH


@compiled(inlined=True)
def clusters_in(setup: HexSetup, state: State, row: int, color: int) -> int:
    """Return a number with one side of each cluster of a color's stones in a row.

    See :func:`ludograph.games.hex.setup.clusters_of`.
    """
    mine = STONE - color
    stones = 0
    for side in range(SIDES):
        near = setup.rows[row + side]
        stones |= (state[CELLS + near] == mine) << side
    return setup.rows[setup.rows[row + CLUSTERS] + stones]


@compiled(inlined=True)
def join(setup: HexSetup, state: State, root: int, other: int, known: int) -> tuple[int, int]:
    """Join a group with that of another stone; the root of the larger one becomes the root of both.

    Parameters
    ----------
    root, known
        The root of the first group, and its stones and chains, which are not written to its slot.

    Returns
    -------
    root, known
        The same of the joined group.
    """
    parents = parents_at(setup)
    above, value = find(state, parents, other)
    theirs = ROOT - value
    same = above == root
    grows = known > theirs
    top = root if grows else above
    low = above if grows else root
    state[parents + low] = value if same else top
    return top, known if same else known + theirs - (known & theirs & BOTH)


@implements(contract.scores, HexSetup)
def hex_scores(setup: HexSetup, state: State, out: Scores) -> None:  # noqa: ARG001
    out[0] = 0.5
    out[1] = 0.5
    if state[WINNER] >= 0:
        seat = state[WINNER] ^ state[SWAPPED]
        out[seat] = 1.0
        out[1 - seat] = 0.0


@implements(contract.key, HexSetup)
def hex_key(setup: HexSetup, state: State) -> np.uint64:  # noqa: ARG001
    rest = np.uint64((state[TURN] + 3) * 2 + state[SWAPPED])
    return hash_at(state, HASH) ^ scramble(GAMMA * rest)
