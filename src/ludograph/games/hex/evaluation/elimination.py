"""The order in which the nodes of a circuit are eliminated, and the wires after each.

Taking a node out of a network of resistors leaves a wire between any two of its neighbors. So the
order decides how many wires there ever are; where they lie follows from the graph alone, whatever
the resistances. Both are found once for a board: the symbolic half of a sparse factorization
(George, Liu: "Computer solution of large sparse positive definite systems", 1981).
"""

from __future__ import annotations

import functools
import heapq
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]


class Elimination(NamedTuple):
    """A node for each vertex, numbered in the order in which they are taken out.

    A *wire* leads from a node to a later one; a node's wires are there when it is taken out.
    """

    vertices: IntArray
    """``int32[nodes]``: the vertex of each node."""
    near_offsets: IntArray
    """``int32[nodes + 1]``: node ``k`` has ``near_offsets[k]:near_offsets[k + 1]`` of ``near``."""
    near: npt.NDArray[np.uint32]
    """``uint32[edges]``: the later ones of a node's neighbors on the board."""
    offsets: IntArray
    """``int32[nodes + 1]``: node ``k`` has the wires ``offsets[k]:offsets[k + 1]``."""
    ends: npt.NDArray[np.uint32]
    """``uint32[wires]``: the later node of each wire, ascending for each node."""
    arrivals: IntArray
    """``int32[nodes + 1]``: of ``arriving``, ``arrivals[k]:arrivals[k + 1]`` lead to node ``k``."""
    arriving: IntArray
    """``int32[wires]``: the wires sorted by their ends, then by where they come from."""
    origins: IntArray
    """``int32[wires]``: the earlier node of each wire."""


def elimination(offsets: IntArray, neighbors: IntArray, vertices: IntArray) -> Elimination:
    """Return :func:`ordered`, remembered for the last few graphs."""
    return _remembered(offsets.tobytes(), neighbors.tobytes(), vertices.tobytes())


@functools.lru_cache(maxsize=8)
def _remembered(*graph: bytes) -> Elimination:
    offsets, neighbors, vertices = (np.frombuffer(part, np.int32) for part in graph)
    return ordered(offsets, neighbors, vertices)


def ordered(offsets: IntArray, neighbors: IntArray, vertices: IntArray) -> Elimination:
    """Return the order of least degree of some vertices, and the wires that come of it.

    Parameters
    ----------
    offsets, neighbors
        ``int32[n + 1]``, ``int32[links]``: the neighbors of each of the vertices, nodes all.
    vertices
        ``int32[nodes]``: those that are nodes.
    """
    near = {
        vertex: set(neighbors[offsets[vertex] : offsets[vertex + 1]].tolist())
        for vertex in vertices.tolist()
    }
    left = {vertex: set(around) for vertex, around in near.items()}
    order = least_degree(left)
    node = {vertex: place for place, vertex in enumerate(order)}
    edges = [[node[w] for w in near[v] if node[w] > node[v]] for v in order]
    wires = [[node[w] for w in left[v]] for v in order]
    near_offsets, later = rows_of(edges)
    starts, ends = rows_of(wires)
    arriving = np.argsort(ends, kind="stable")
    return Elimination(
        vertices=np.array(order, np.int32),
        near_offsets=near_offsets,
        near=later,
        offsets=starts,
        ends=ends,
        arrivals=summed(np.bincount(ends, minlength=len(order))),
        arriving=arriving.astype(np.int32),
        origins=np.repeat(np.arange(len(order), dtype=np.int32), np.diff(starts)),
    )


def least_degree(near: dict[int, set[int]]) -> list[int]:
    """Take out a vertex with the fewest neighbors, the lowest of several, until none is left.

    Parameters
    ----------
    near
        The neighbors of each vertex; what remains are those at the time when it was taken out.
    """
    order: list[int] = []
    taken: set[int] = set()
    waiting = [(len(around), vertex) for vertex, around in near.items()]
    heapq.heapify(waiting)
    while waiting:
        degree, vertex = heapq.heappop(waiting)
        around = near[vertex]
        if vertex in taken or degree != len(around):
            continue  # its degree has changed, it waits elsewhere
        taken.add(vertex)
        order.append(vertex)
        for other in around:
            near[other] |= around
            near[other] -= {other, vertex}
            heapq.heappush(waiting, (len(near[other]), other))
    return order


def rows_of(lists: list[list[int]]) -> tuple[IntArray, npt.NDArray[np.uint32]]:
    """Return where each list begins, and the end, and their numbers, ascending in each list."""
    numbers = [number for row in lists for number in sorted(row)]
    return summed(np.array([len(row) for row in lists])), np.array(numbers, np.uint32)


def summed(counts: npt.NDArray[np.int64]) -> IntArray:
    """Return where each part begins, and the end: ``int32[counts + 1]``."""
    sums = np.zeros(counts.size + 1, np.int32)
    np.cumsum(counts, out=sums[1:])
    return sums
