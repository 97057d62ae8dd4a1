"""The two-distance of a vertex from a border: the opponent may always block the best path.

The length of the shortest path is what a color needs if nobody stands in its way. An opponent does,
so the second-best neighbor of a vertex counts (van Rijswijck: "Search and evaluation in Hex", 2002,
section 3.2): the two-distance of a vertex is one more than the second least of its neighbors',
which are all free vertices that own stones join to it too; and 1 beside the border. A bridge, two
ways to one stone, costs as little as a direct link; a single thread costs much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import CELLS, STONE
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import Moves, State, compiled

Ints = npt.NDArray[np.int32]

FAR = 1 << 20
"""The distance of a vertex with too few ways to the border."""

FIRST, SECOND = 1, 2
"""Which of the neighbors counts: with the first one, it is the usual distance."""


class Potential(NamedTuple):
    """The ways of a color through the vertices of a board."""

    least: int
    """The least of the sums: how far it is from joining its borders; ``FAR`` if it cannot."""
    sums: Ints
    """``int32[n]``: of each free vertex the sum of its distances from both borders."""


def potential(setup: HexSetup, state: State, color: int) -> Potential:
    """Return how far each free vertex is from both of a color's borders; O(n · degree), mostly.

    By two-distance, or by the usual distance where two ways are nowhere left.
    """
    sums = np.full(setup.touches.size, FAR, np.int32)
    for rank in (SECOND, FIRST):
        least = int(measure(setup, state, color, rank, sums))
        if least < FAR:
            return Potential(least, sums)
    return Potential(FAR, sums)


# A look at a move takes so long that making room does not show.
@compiled(allocates=True)
def measure(setup: HexSetup, state: State, color: int, rank: int, sums: Ints) -> int:
    """Write the sums of both distances of each free vertex; return the least."""
    n = setup.touches.size
    near, far = np.empty(n, np.int32), np.empty(n, np.int32)
    room = np.empty((4, n), np.int32)
    spread(setup, state, color, 0, rank, near, room)
    spread(setup, state, color, 1, rank, far, room)
    least = FAR
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if state[CELLS + vertex] >= 0:
            sums[vertex] = min(near[vertex] + far[vertex], FAR)
            least = min(least, sums[vertex])
    return least


@compiled(allocates=True)
def leads_after(setup: HexSetup, state: State, color: int, rank: int, moves: Moves) -> Ints:
    """Return by how much a color is ahead after each of its moves, in distance: int32[k].

    The state is written to, and is as it was at the end.
    """
    leads = np.empty(moves.size, np.int32)
    sums = np.empty(setup.touches.size, np.int32)
    for place in range(moves.size):
        cell = CELLS + moves[place]
        before = state[cell]
        state[cell] = STONE - color
        other = measure(setup, state, 1 - color, rank, sums)
        leads[place] = other - measure(setup, state, color, rank, sums)
        state[cell] = before
    return leads


@compiled
def spread(
    setup: HexSetup, state: State, color: int, side: int, rank: int, lengths: Ints, room: Ints
) -> None:
    """Write how far each free vertex is from one of a color's borders.

    Vertices are taken as they come nearer, so the second time that one is reached is by its second
    nearest neighbor. Own stones are walked through from each vertex: O(n · own stones) at most.

    Parameters
    ----------
    side
        0 or 1, the border.
    lengths
        ``int32[n]``: ``FAR`` where a vertex is not reached, or holds a stone.
    room
        ``int32[4, n]``: scratch.
    """
    reached, stamps, queue = room[0], room[1], room[2]
    for vertex in range(setup.touches.size):
        lengths[vertex] = FAR
        reached[vertex] = 0
        stamps[vertex] = -1
    tail = reach_from_border(setup, state, color, side, lengths, room)
    head = 0
    while head < tail:
        begin = queue[head]
        head += 1
        stamps[begin] = begin
        tail = reach_from(setup, state, color, begin, rank, lengths, room, tail)


@compiled
def reach_from_border(
    setup: HexSetup, state: State, color: int, side: int, lengths: Ints, room: Ints
) -> int:
    """Queue the free vertices beside a border, or beside stones that hang on it: how many."""
    border = setup.touches.size
    mine = STONE - color
    bit = 1 << (2 * color + side)
    stamps, queue, stack = room[1], room[2], room[3]
    tail = top = 0
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if setup.touches[vertex] & bit:
            cell = state[CELLS + vertex]
            if cell >= 0:
                lengths[vertex] = 1
                queue[tail] = vertex
                tail += 1
            elif cell == mine:
                stamps[vertex] = border  # a part of it now, for good
                stack[top] = vertex
                top += 1
    while top > 0:
        top -= 1
        vertex = stack[top]
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = setup.neighbors[slot]
            cell = state[CELLS + near]
            if cell == mine and stamps[near] != border:
                stamps[near] = border
                stack[top] = near
                top += 1
            elif cell >= 0 and lengths[near] == FAR:
                lengths[near] = 1
                queue[tail] = near
                tail += 1
    return tail


@compiled
def reach_from(
    setup: HexSetup,
    state: State,
    color: int,
    begin: int,
    rank: int,
    lengths: Ints,
    room: Ints,
    tail: int,
) -> int:
    """Reach the neighbors of a vertex, queue those that are known now; return the queue's end."""
    border = setup.touches.size
    mine = STONE - color
    reached, stamps, queue, stack = room[0], room[1], room[2], room[3]
    stack[0] = begin
    top = 1
    while top > 0:
        top -= 1
        vertex = stack[top]
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = setup.neighbors[slot]
            cell = state[CELLS + near]
            if stamps[near] == begin or (stamps[near] == border and cell == mine):
                continue
            if cell == mine:
                stamps[near] = begin
                stack[top] = near
                top += 1
            elif cell >= 0:
                stamps[near] = begin
                reached[near] += 1
                if lengths[near] == FAR and reached[near] >= rank:
                    lengths[near] = lengths[begin] + 1
                    queue[tail] = near
                    tail += 1
    return tail
