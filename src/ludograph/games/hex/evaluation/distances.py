"""Distances: the stones that a color still needs to join its borders, and the shortest paths.

The length of a path counts its free vertices: own stones cost nothing, the opponent's stand in the
way. As the cost lies on vertices, a vertex is first reached by a shortest path, so one
breadth-first search that takes the costless steps first does (0-1 BFS). The two-distance of
van Rijswijck ("Search and evaluation in Hex", 2002) and the circuit of Anshelevich refine this.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import CELLS, ROOT, STONE, parents_at
from ludograph.games.hex.setup import BLACK, HexSetup
from ludograph.rules import State, compiled, fill

Ints = npt.NDArray[np.int32]

BLOCKED = -1
"""The distance where no path is left."""

END = -2
LINK = -5
"""The search of :func:`distance` chains vertices through slots whose content is known: a free
vertex's parent is ``ROOT`` otherwise, the cell of a stone is its color. ``END`` ends a chain."""


@compiled
def distance(setup: HexSetup, state: State, color: int) -> int:
    """Return how many stones a color needs to join its borders, or ``BLOCKED``; O(links).

    The search takes its memory from the state and leaves it as it was.
    """
    parents = parents_at(setup)
    mine = STONE - color
    far = 2 << (2 * color)
    now = later = END
    end = setup.black_doors if color == BLACK else setup.doors.size
    for door in range(color * setup.black_doors, end):
        start = setup.doors[door]
        cell = state[CELLS + start]
        if cell == mine:
            state[CELLS + start] = LINK - now
            now = start
        elif cell >= 0:
            state[parents + start] = later
            later = start
    found = BLOCKED
    steps = 0
    while found == BLOCKED and (now != END or later != END):
        if now == END:
            now = later
            later = END
            steps += 1
        vertex = now
        cell = state[CELLS + vertex]
        now = state[parents + vertex] if cell >= 0 else LINK - cell
        if setup.touches[vertex] & far:
            found = steps
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = setup.neighbors[slot]
            cell = state[CELLS + near]
            if cell == mine:
                state[CELLS + near] = LINK - now
                now = near
            elif cell >= 0 and state[parents + near] == ROOT:
                state[parents + near] = later
                later = near
    for place in range(setup.free.size):
        vertex = setup.free[place]
        cell = state[CELLS + vertex]
        if cell >= 0:
            state[parents + vertex] = ROOT
        elif cell <= LINK - END:
            state[CELLS + vertex] = mine
    return found


@compiled
def spread(
    setup: HexSetup, state: State, color: int, side: int, lengths: Ints, queue: Ints
) -> None:
    """Write the length of the shortest path from one of a color's chains to every vertex.

    Parameters
    ----------
    side
        0 or 1, the chain to start from.
    lengths
        ``int32[n]``: the vertex itself is counted; ``BLOCKED`` where no path leads.
    queue
        ``int32[n]``: scratch.
    """
    vertices = setup.touches.size
    mine = STONE - color
    bit = 1 << (2 * color + side)
    fill(lengths, BLOCKED)
    # A ring: costless steps are put in front, the others at the back; each vertex once.
    head = waiting = 0
    for stones in (True, False):
        for place in range(setup.free.size):
            vertex = setup.free[place]
            cell = state[CELLS + vertex]
            if setup.touches[vertex] & bit and (cell == mine if stones else cell >= 0):
                lengths[vertex] = 0 if stones else 1
                queue[waiting] = vertex
                waiting += 1
    while waiting > 0:
        vertex = queue[head]
        head = (head + 1) % vertices
        waiting -= 1
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = setup.neighbors[slot]
            cell = state[CELLS + near]
            if lengths[near] != BLOCKED:
                continue
            if cell == mine:
                lengths[near] = lengths[vertex]
                head = (head - 1) % vertices
                queue[head] = near
                waiting += 1
            elif cell >= 0:
                lengths[near] = lengths[vertex] + 1
                queue[(head + waiting) % vertices] = near
                waiting += 1


class Paths(NamedTuple):
    """The shortest paths of a color."""

    length: int
    """Free vertices on each, or ``BLOCKED``."""
    vertices: frozenset[int]
    """The free vertices that lie on one of them."""


def shortest_paths(setup: HexSetup, state: State, color: int) -> Paths:
    """Return the shortest paths between a color's two chains."""
    n = setup.touches.size
    near, far, queue = (np.empty(n, np.int32) for _ in range(3))
    spread(setup, state, color, 0, near, queue)
    spread(setup, state, color, 1, far, queue)
    cells = state[CELLS : CELLS + n]
    free = (cells >= 0) & (setup.owners < 0)
    reached = (near != BLOCKED) & (far != BLOCKED)
    if not reached.any():
        return Paths(BLOCKED, frozenset())
    total = near + far - free
    length = int(total[reached].min())
    return Paths(length, frozenset(np.flatnonzero(reached & free & (total == length)).tolist()))
