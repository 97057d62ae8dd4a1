"""Adjacency lists as two flat arrays (compressed sparse rows), and breadth-first search over them.

The search is quick on wide boards and on long ones. It also finds start vertices that are far
apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]


def rows_from_keys(keys: npt.NDArray[np.int64], n: int) -> tuple[Ints, Ints]:
    """Return (offsets, neighbors) for the directed edges ``key // n -> key % n``.

    Parameters
    ----------
    keys : int64[k]
        In any order; repeated keys count once.
    n : int
        The number of vertices.

    Returns
    -------
    offsets : int32[n + 1]
    neighbors : int32[at most k]
        Ascending in every row.
    """
    once = distinct(keys)
    offsets = np.searchsorted(once, np.arange(n + 1, dtype=np.int64) * n)
    return offsets.astype(np.int32), (once % n).astype(np.int32)


def distinct(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the values in ascending order, each once (`np.unique` hashes: ten times slower)."""
    ordered = np.sort(values)
    keep = np.empty(len(ordered), dtype=bool)
    keep[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]


UNREACHED = np.iinfo(np.int32).max
"""The distance of a vertex that no search has reached yet."""

WIDE = 256
"""The least number of vertices in a level of the search that numpy handles faster than Python."""


def distances(offsets: Ints, neighbors: Ints, source: int) -> Ints:
    """Return the number of edges from ``source`` to every vertex: int32[n], in O(n + e)."""
    distance = np.full(len(offsets) - 1, UNREACHED, dtype=np.int32)
    lower(offsets, neighbors, distance, source)
    return distance


def edges_of(offsets: Ints, neighbors: Ints) -> Ints:
    """Return every edge once: int32[e, 2], in ascending order, the lower vertex first."""
    rows = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    once = rows < neighbors
    return np.stack([rows[once], neighbors[once]], axis=1)


def count_components(offsets: Ints, neighbors: Ints, at_most: int) -> int:
    """Return the number of connected components, or ``at_most`` if there are more."""
    distance = np.full(len(offsets) - 1, UNREACHED, dtype=np.int32)
    seen = distance.data
    components = 0
    for v in range(len(distance)):
        if seen[v] == UNREACHED:
            lower(offsets, neighbors, distance, v)
            components += 1
            if components == at_most:
                break
    return components


def lower(offsets: Ints, neighbors: Ints, distance: Ints, source: int) -> None:
    """Lower ``distance`` in place to the distance from ``source`` where that is less.

    Only vertices whose distance falls are visited. The result is exact if ``distance`` is UNREACHED
    everywhere or holds the distances to a set of vertices: then every vertex whose distance falls
    has a shortest path from ``source`` on which the distance of every vertex falls.
    """
    if distance[source] == 0:
        return
    distance[source] = 0
    # A level of few vertices is handled one by one and a wide one by numpy, because a path of
    # 10^6 vertices has 10^6 levels and a numpy call on each would take a minute.
    frontier = [source]
    reach = 0
    first, other, far = offsets.data, neighbors.data, distance.data
    while frontier:
        reach += 1
        if len(frontier) < WIDE:
            found = []
            for v in frontier:
                for i in range(first[v], first[v + 1]):
                    u = other[i]
                    if far[u] > reach:
                        far[u] = reach
                        found.append(u)
            frontier = found
        else:
            wide = np.array(frontier, dtype=np.int32)
            while len(wide) >= WIDE:
                wide = _next_level(offsets, neighbors, distance, wide, reach)
                reach += 1
            reach -= 1
            frontier = wide.tolist()


def _next_level(offsets: Ints, neighbors: Ints, distance: Ints, frontier: Ints, reach: int) -> Ints:
    """Set the distance of the frontier's farther neighbors to ``reach``, and return them."""
    counts = offsets[frontier + 1] - offsets[frontier]
    ends = np.cumsum(counts)
    index = np.repeat(offsets[frontier] - (ends - counts), counts) + np.arange(ends[-1])
    beside = neighbors[index]
    found = distinct(beside[distance[beside] > reach])
    distance[found] = reach
    return found


def far_apart(offsets: Ints, neighbors: Ints, seats: int) -> Ints:
    """Return ``seats`` distinct vertices of a connected graph that lie far from each other.

    One seat gets vertex 0. For more, the first is a vertex farthest from vertex 0, and each next
    one is as far as possible from those before it; among equals the least number is chosen. No
    other choice has more than twice the least distance between two starts (T. F. Gonzalez,
    *Clustering to minimize the maximum intercluster distance*, 1985). On a tree two seats are as
    far apart as possible.

    Parameters
    ----------
    offsets, neighbors : int32[n + 1], int32[2 * edges]
        A connected graph.
    seats : int
        From 1 to n.

    Returns
    -------
    int32[seats]

    Notes
    -----
    At most ``seats + 1`` searches, O(seats * (n + e)); each search visits only the vertices that
    become nearer to a start.
    """
    starts = np.zeros(seats, dtype=np.int32)
    if seats == 1:
        return starts
    starts[0] = np.argmax(distances(offsets, neighbors, 0))
    nearest = np.full(len(offsets) - 1, UNREACHED, dtype=np.int32)
    for seat in range(1, seats):
        lower(offsets, neighbors, nearest, int(starts[seat - 1]))
        starts[seat] = np.argmax(nearest)
    return starts
