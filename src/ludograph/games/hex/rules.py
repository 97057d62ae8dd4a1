"""The rules of Hex.

The stones of a color that hang together are a *group*, kept as a tree in ``parent`` (union-find:
Tarjan, "Efficiency of a good but not linear set union algorithm", 1975). The root of a group
knows which of its color's two border chains the group touches; who touches both has won. Free
vertices are kept in a list in which each knows its place, so that nothing is ever searched for: a
move costs O(neighbors), nearly.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.setup import HexSetup
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    Moves,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    fill,
    implements,
    random_below,
)
from ludograph.rules.random import GAMMA, HALF, scramble

SWAPPED = HEADER  # 1 when seat 1 has taken the black stones
WINNER = HEADER + 1  # the color that has joined its borders, or NOBODY
FREE = HEADER + 2  # free vertices
LAST = HEADER + 3  # the vertex played last, or NOBODY; no rule reads it
HASH_LOW = HEADER + 4  # two halves of a Zobrist hash of the stones
HASH_HIGH = HEADER + 5
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

# What is called once a move works these slots out for itself: handing over a setup is not free.


@compiled
def parents_at(setup: HexSetup) -> int:
    """Return the slot of vertex 0's parent."""
    return CELLS + setup.touches.size


@compiled
def list_at(setup: HexSetup) -> int:
    """Return the first slot of the list of free vertices."""
    return CELLS + 2 * setup.touches.size


@implements(contract.state_size, HexSetup)
def hex_state_size(setup: HexSetup) -> int:
    return list_at(setup) + setup.free.size


@implements(contract.seat_count, HexSetup)
def hex_seat_count(setup: HexSetup) -> int:  # noqa: ARG001
    return 2


@implements(contract.move_capacity, HexSetup)
def hex_move_capacity(setup: HexSetup) -> int:
    return setup.free.size + 1


@implements(contract.ply_bound, HexSetup)
def hex_ply_bound(setup: HexSetup) -> int:
    return setup.free.size + 1


@implements(contract.score_bounds, HexSetup)
def hex_score_bounds(setup: HexSetup, out: Scores) -> None:  # noqa: ARG001
    out[0] = 0.0
    out[1] = 1.0


@implements(contract.start, HexSetup)
def hex_start(setup: HexSetup, state: State) -> None:
    fill(state, 0)
    state[WINNER] = -1
    state[LAST] = -1
    state[FREE] = setup.free.size
    parents, listed = parents_at(setup), list_at(setup)
    for vertex in range(setup.touches.size):
        state[CELLS + vertex] = STONE - setup.owners[vertex]
        state[parents + vertex] = ROOT
    for place in range(setup.free.size):
        vertex = setup.free[place]
        state[listed + place] = vertex
        state[CELLS + vertex] = place


@implements(contract.legal_moves, HexSetup)
def hex_legal_moves(setup: HexSetup, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] != OVER:
        listed = CELLS + 2 * setup.touches.size
        count = state[FREE]
        for place in range(count):
            out[place] = state[listed + place]
        if state[PLY] == setup.swap_ply:
            out[count] = setup.touches.size
            count += 1
    return count


@implements(contract.sample_move, HexSetup)
def hex_sample_move(setup: HexSetup, state: State, rng: Rng) -> int:
    vertices = setup.touches.size
    count = state[FREE]
    swaps = 1 if state[PLY] == setup.swap_ply else 0
    move = np.int64(vertices)
    choice = random_below(rng, count + swaps)
    if choice < count:
        move = np.int64(state[Index(CELLS + 2 * vertices + choice)])
    return move  # type: ignore[return-value]


@implements(contract.play, HexSetup)
def hex_play(setup: HexSetup, state: State, move: int) -> None:
    # One function, because handing the setup on to another costs as much as a whole move.
    state[PLY] += 1
    vertices = setup.touches.size
    if move == vertices:
        state[SWAPPED] = 1
        state[TURN] = 0
        return
    color = state[TURN] ^ state[SWAPPED]
    mine = STONE - color
    cells = Index(CELLS)
    parents = cells + Index(vertices)
    listed = parents + Index(vertices)
    vertex = Index(move)
    # The last of the free vertices fills the place of the one that is taken.
    place = state[cells + vertex]
    last = state[FREE] - 1
    moved = state[listed + Index(last)]
    state[listed + Index(place)] = moved
    state[cells + Index(moved)] = place
    state[FREE] = last
    state[cells + vertex] = mine
    state[LAST] = move
    word = 4 * move + 2 * color
    state[HASH_LOW] ^= setup.words[word]
    state[HASH_HIGH] ^= setup.words[word + 1]
    # The stone joins the groups around it.
    root = vertex
    touched = (setup.touches[vertex] >> (2 * color)) & BOTH
    for slot in range(Index(setup.offsets[vertex]), Index(setup.offsets[vertex + ONE])):
        near = Index(setup.neighbors[slot])
        if state[cells + near] == mine:
            other = root_of(state, parents, near)
            if other != root:
                touched |= ROOT - state[parents + other]
                state[parents + root] = other
                root = other
    state[parents + root] = ROOT - touched
    if touched == BOTH:
        state[WINNER] = color
        state[TURN] = OVER
    elif last == 0:
        state[TURN] = OVER
    else:
        state[TURN] = 1 - state[TURN]


@compiled
def root_of(state: State, parents: np.uint64, vertex: np.uint64) -> np.uint64:
    """Return the root of a stone's group; every other stone on the way gets a shorter one."""
    parent = state[parents + vertex]
    while parent >= 0:
        above = state[parents + Index(parent)]
        if above < 0:
            return Index(parent)
        state[parents + vertex] = above
        vertex = Index(above)
        parent = state[parents + vertex]
    return vertex


@implements(contract.scores, HexSetup)
def hex_scores(setup: HexSetup, state: State, out: Scores) -> None:  # noqa: ARG001
    out[0] = 0.5
    out[1] = 0.5
    if state[WINNER] >= 0:
        seat = state[WINNER] ^ state[SWAPPED]
        out[seat] = 1.0
        out[1 - seat] = 0.0


@implements(contract.players_of, HexSetup)
def hex_players_of(setup: HexSetup, state: State, moves: Moves, out: Moves) -> None:
    swap = setup.touches.size
    swapped = state[SWAPPED]
    for index in range(moves.size):
        cell = state[CELLS + moves[index]]  # a swap reads what comes after the cells
        seat = ((STONE - cell) & 1) ^ swapped  # a seen stone's color is as odd
        out[index] = seat if cell < 0 and moves[index] != swap else -1


@implements(contract.key, HexSetup)
def hex_key(setup: HexSetup, state: State) -> np.uint64:  # noqa: ARG001
    low = np.uint64(np.uint32(state[HASH_LOW]))
    high = np.uint64(np.uint32(state[HASH_HIGH]))
    rest = np.uint64((state[TURN] + 3) * 2 + state[SWAPPED])
    return ((high << HALF) | low) ^ scramble(GAMMA * rest)
