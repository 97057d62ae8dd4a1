"""Two-distances: the length of ways to a border that an opponent cannot block at once.

The length of a shortest path ignores the opponent. The opponent can block the best neighbor of a
vertex, so the second-best neighbor counts (van Rijswijck: "Search and evaluation in Hex", 2002,
section 3.2): the two-distance of a vertex beside the border is 1; that of another vertex is one
more than the second least two-distance of its neighbors. Free vertices that own stones connect with
it also count as neighbors. So a bridge, two ways to one stone, costs as little as adjacency, and a
single way costs much.
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
"""The rank of the neighbor that counts; with the first one, the distance is the usual one."""


class Potential(NamedTuple):
    """The distances of the vertices of a board from both borders of a color."""

    least: int
    """The least of the sums, a measure of the stones needed; ``FAR`` if there is no way."""
    sums: Ints
    """``int32[n]``: the sum of the distances of each free vertex from both borders."""


def potential(setup: HexSetup, state: State, color: int) -> Potential:
    """Return the two-distances of all free vertices; mostly O(n · degree).

    If no vertex has two-distances from both borders, return the usual distances.
    """
    sums = np.full(setup.touches.size, FAR, np.int32)
    for rank in (SECOND, FIRST):
        least = int(measure(setup, state, color, rank, sums))
        if least < FAR:
            return Potential(least, sums)
    return Potential(FAR, sums)


# The search takes so long that the time for allocating memory does not matter.
@compiled(allocates=True)
def measure(setup: HexSetup, state: State, color: int, rank: int, sums: Ints) -> int:
    """Write the sum of both distances of each free vertex; return the least sum."""
    near, far = spread(setup, state, color, 0, rank), spread(setup, state, color, 1, rank)
    least = FAR
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if state[CELLS + vertex] >= 0:
            sums[vertex] = min(near[vertex] + far[vertex], FAR)
            least = min(least, sums[vertex])
    return least


@compiled(allocates=True)
def leads_after(setup: HexSetup, state: State, color: int, rank: int, moves: Moves) -> Ints:
    """Return the lead of a color, in distance, after each of its ``k`` moves: ``int32[k]``.

    The search changes cells of the state, and restores them.
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


@compiled(allocates=True)
def spread(setup: HexSetup, state: State, color: int, side: int, rank: int) -> Ints:
    """Return the distance of each free vertex from one of a color's borders.

    Vertices are taken in the order of their distances, so the second visit of a vertex is from its
    second nearest neighbor. From each vertex the search goes through adjacent own stones; the cost
    is at most O(n · own stones).

    Parameters
    ----------
    side
        The border, 0 or 1.
    rank
        ``FIRST`` or ``SECOND``.

    Returns
    -------
    int32[n]
        ``FAR`` for vertices with stones or too few ways.
    """
    border, bit = setup.touches.size, 1 << (2 * color + side)
    memory = np.empty((5, border), np.int32)
    lengths, reached, stamps = memory[0], memory[1], memory[2]
    queue, stack = memory[3], memory[4]
    for vertex in range(border):
        lengths[vertex] = FAR
        reached[vertex] = 0
        stamps[vertex] = -1
    head = tail = top = 0
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if setup.touches[vertex] & bit:
            cell = state[CELLS + vertex]
            if cell >= 0:
                lengths[vertex] = 1
                queue[tail] = vertex
                tail += 1
            elif cell == STONE - color:
                stamps[vertex] = border  # a part of the border during the whole search
                stack[top] = vertex
                top += 1
    tail = reach_from(setup, state, color, border, FIRST, memory, top, tail)
    while head < tail:
        begin = queue[head]
        head += 1
        stamps[begin] = begin
        stack[0] = begin
        tail = reach_from(setup, state, color, begin, rank, memory, 1, tail)
    return lengths


@compiled
def reach_from(
    setup: HexSetup,
    state: State,
    color: int,
    begin: int,
    rank: int,
    memory: Ints,
    top: int,
    tail: int,
) -> int:
    """Visit the neighbors of a vertex or a border, and queue those whose distance is known now.

    Return the end of the queue. ``begin`` is the vertex, or the number of vertices for the border;
    ``top`` and ``tail`` are the ends of the stack and of the queue before.
    """
    border = setup.touches.size
    mine = STONE - color
    lengths, reached, stamps = memory[0], memory[1], memory[2]
    queue, stack = memory[3], memory[4]
    length = 1 if begin == border else lengths[begin] + 1
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
                    lengths[near] = length
                    queue[tail] = near
                    tail += 1
    return tail
