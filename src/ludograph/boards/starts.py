"""Start vertices far apart on any board."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.breadth_first import UNREACHED, distances, lower

Ints = npt.NDArray[np.int32]


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
