"""The order in which the nodes of a circuit are eliminated, and the wires after each.

The elimination of a node from a network of resistors adds a wire between each two of its neighbors.
So the order determines the number of wires. The places of the wires depend on the graph alone, and
not on the resistances. Order and wires are computed once for a board: this is the symbolic part of
a sparse factorization (George, Liu: "Computer solution of large sparse positive definite systems",
1981).
"""

from __future__ import annotations

import functools
import heapq
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]


class Elimination(NamedTuple):
    """The nodes, one for each vertex and numbered in the order of elimination, and their wires.

    A *wire* leads from a node to a later one. The wires of a node are those at its elimination.
    """

    vertices: IntArray
    """``int32[nodes]``: the vertex of each node."""
    near_offsets: IntArray
    """``int32[nodes + 1]``: the part of ``near`` for node ``k`` is
    ``near_offsets[k]:near_offsets[k + 1]``."""
    near: npt.NDArray[np.uint32]
    """``uint32[edges]``: the neighbors of each node on the board that are later nodes."""
    offsets: IntArray
    """``int32[nodes + 1]``: the wires of node ``k`` are ``offsets[k]:offsets[k + 1]``."""
    ends: npt.NDArray[np.uint32]
    """``uint32[wires]``: the later node of each wire, ascending for each node."""
    arrivals: IntArray
    """``int32[nodes + 1]``: the part of ``arriving`` with the wires to node ``k`` is
    ``arrivals[k]:arrivals[k + 1]``."""
    arriving: IntArray
    """``int32[wires]``: the wires, sorted by their later nodes, then by their earlier nodes."""
    origins: IntArray
    """``int32[wires]``: the earlier node of each wire."""


def elimination(offsets: IntArray, neighbors: IntArray, vertices: IntArray) -> Elimination:
    """Return the result of :func:`ordered`, from a cache for the last few graphs."""
    return _remembered(offsets.tobytes(), neighbors.tobytes(), vertices.tobytes())


@functools.lru_cache(maxsize=8)
def _remembered(*graph: bytes) -> Elimination:
    offsets, neighbors, vertices = (np.frombuffer(part, np.int32) for part in graph)
    return ordered(offsets, neighbors, vertices)


def ordered(offsets: IntArray, neighbors: IntArray, vertices: IntArray) -> Elimination:
    """Return the order of least degree of some vertices, and its wires.

    Parameters
    ----------
    offsets, neighbors
        ``int32[n + 1]``, ``int32[links]``: the neighbors of each vertex, which must be nodes, too.
    vertices
        ``int32[nodes]``: the vertices that are nodes.
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
    """Return vertices in the order of elimination: always one with the fewest neighbors next.

    Among several such vertices it is the lowest.

    Parameters
    ----------
    near
        The neighbors of each vertex; afterwards the neighbors at its elimination.
    """
    order: list[int] = []
    taken: set[int] = set()
    waiting = [(len(around), vertex) for vertex, around in near.items()]
    heapq.heapify(waiting)
    while waiting:
        degree, vertex = heapq.heappop(waiting)
        around = near[vertex]
        if vertex in taken or degree != len(around):
            continue  # its degree has changed since; the heap has a later entry of it
        taken.add(vertex)
        order.append(vertex)
        for other in around:
            near[other] |= around
            near[other] -= {other, vertex}
            heapq.heappush(waiting, (len(near[other]), other))
    return order


def rows_of(lists: list[list[int]]) -> tuple[IntArray, npt.NDArray[np.uint32]]:
    """Return the lists as offsets and numbers, in the form of ``near_offsets`` and ``near``."""
    numbers = [number for row in lists for number in sorted(row)]
    return summed(np.array([len(row) for row in lists])), np.array(numbers, np.uint32)


def summed(counts: npt.NDArray[np.int64]) -> IntArray:
    """Return the offsets of parts with these lengths: ``int32[counts + 1]``, from 0 to the sum."""
    sums = np.zeros(counts.size + 1, np.int32)
    np.cumsum(counts, out=sums[1:])
    return sums
