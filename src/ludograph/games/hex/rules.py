"""The rules of Hex.

The stones of a color that hang together are a *group*, kept as a tree in ``parent`` (union-find:
Tarjan, "Efficiency of a good but not linear set union algorithm", 1975). The root of a group
knows which of its color's two border chains the group touches; who touches both has won. Free
vertices are kept in a list in which each knows its place, so that nothing is ever searched for: a
move costs O(neighbors), nearly.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.setup import ROW, HexSetup
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
from ludograph.rules.kernels.bits import NONE, lowest
from ludograph.rules.kernels.union_find import root_of
from ludograph.rules.kernels.zobrist import hash_at, toggle
from ludograph.rules.random import GAMMA, scramble
from ludograph.search.mcts.hints import amaf_owners

SWAPPED = HEADER  # 1 when seat 1 has taken the black stones
WINNER = HEADER + 1  # the color that has joined its borders, or NOBODY
FREE = HEADER + 2  # free vertices
LAST = HEADER + 3  # the vertex played last, or NOBODY; no rule reads it
HASH = HEADER + 4  # and the next: a Zobrist hash of the stones
CELLS = HEADER + 6  # per vertex: its place in the list if it is free, STONE - color if not

# After the cells: per vertex the parent in its group, or ROOT - (the chains it touches, a bit
# each); then the list of free vertices.

STONE = -1
SEEN = -3  # a stone that a search has passed: SEEN - color
ROOT = -1
BOTH = 3

Index = np.uint64
"""Of a signed index machine code asks first whether it counts from the end: too dear here."""

ONE = Index(1)


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
    cells, parents, listed = Index(CELLS), Index(parents_at(setup)), Index(list_at(setup))
    for vertex in range(Index(setup.touches.size)):
        state[cells + vertex] = STONE - setup.owners[vertex]
    for vertex in range(Index(setup.touches.size)):
        state[parents + vertex] = ROOT
    for place in range(Index(setup.free.size)):
        state[listed + place] = setup.free[place]
    for place in range(Index(setup.free.size)):
        state[cells + Index(setup.free[place])] = place


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
    return state[Index(list_at(setup) + choice)]


@implements(contract.play, HexSetup)
def hex_play(setup: HexSetup, state: State, move: int) -> None:
    state[PLY] += 1
    if move == swap_of(setup):
        state[SWAPPED] = 1
        state[TURN] = 0
        return
    color = state[TURN] ^ state[SWAPPED]
    take_free(setup, state, move)
    toggle(state, HASH, setup.words[Index(move), Index(color)])
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
    """Take a vertex out of the list of free ones: the last of them fills its place."""
    cells, listed = Index(CELLS), Index(list_at(setup))
    place = state[cells + Index(move)]
    last = state[FREE] - 1
    moved = state[listed + Index(last)]
    state[listed + Index(place)] = moved
    state[cells + Index(moved)] = place
    state[FREE] = last


@compiled(inlined=True)
def join_groups(setup: HexSetup, state: State, move: int, color: int) -> int:
    """Join the groups of a color around a vertex to one with it; return the chains that it touches.

    Which neighbors have such a stone is found out for a row of them at once, without a jump that a
    processor could not foresee. The vertex itself, which fills rows up, has none yet.
    """
    cells, parents = Index(CELLS), Index(parents_at(setup))
    mine = STONE - color
    root = vertex = Index(move)
    touched = (setup.touches[vertex] >> (2 * color)) & BOTH
    row, end = Index(setup.row_offsets[vertex]), Index(setup.row_offsets[vertex + ONE])
    while row < end:
        stones = NONE
        for side in range(Index(ROW)):
            near = Index(setup.rows[row + side])
            stones |= Index(state[cells + near] == mine) << side
        while stones:
            slot = row + Index(lowest(stones))
            stones &= stones - ONE
            other = root_of(state, parents, Index(setup.rows[slot]))
            known = state[parents + other]
            touched |= ROOT - known
            # The vertex's group goes under the other, unless that is itself.
            state[parents + root] = other if other != root else known
            root = other
        row += Index(ROW)
    state[parents + root] = ROOT - touched
    return touched


@implements(contract.scores, HexSetup)
def hex_scores(setup: HexSetup, state: State, out: Scores) -> None:  # noqa: ARG001
    out[0] = 0.5
    out[1] = 0.5
    if state[WINNER] >= 0:
        seat = state[WINNER] ^ state[SWAPPED]
        out[seat] = 1.0
        out[1 - seat] = 0.0


@implements(amaf_owners, HexSetup)
def hex_amaf_owners(setup: HexSetup, state: State, moves: Moves, out: Moves) -> None:
    swap = swap_of(setup)
    swapped = state[SWAPPED]
    for index in range(moves.size):
        cell = state[CELLS + moves[index]]  # a swap reads what comes after the cells
        seat = ((STONE - cell) & 1) ^ swapped  # a seen stone's color is as odd
        out[index] = seat if cell < 0 and moves[index] != swap else -1


@implements(contract.key, HexSetup)
def hex_key(setup: HexSetup, state: State) -> np.uint64:  # noqa: ARG001
    rest = np.uint64((state[TURN] + 3) * 2 + state[SWAPPED])
    return hash_at(state, HASH) ^ scramble(GAMMA * rest)
