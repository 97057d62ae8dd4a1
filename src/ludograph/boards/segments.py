"""Straight edges in the plane: their crossings, and the distance of nodes to other edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import lengths

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

BLOCK = 200_000
"""The number of pairs that are compared at a time, to limit the memory."""


def crossings(positions: Floats, edges: Ints) -> int:
    """Return the number of pairs of edges that meet without a common end; O(e^2)."""
    edges = np.asarray(edges)
    total = 0
    step = max(BLOCK // max(len(edges), 1), 1)
    for first in range(0, len(edges), step):
        some = edges[first : first + step]
        meets = meeting(positions[some[:, None]], positions[edges[None]])
        apart = (some[:, None, :, None] != edges[None, :, None, :]).all(axis=(2, 3))
        total += int((meets & apart).sum())
    return total // 2


def meeting(one: Floats, other: Floats) -> Flags:
    """Return for each pair of segments whether they have a point in common: bool[...].

    Parameters
    ----------
    one, other : float64[..., 2, 2]
        Both ends of each segment; the leading axes are broadcast.
    """
    a, b, c, d = one[..., 0, :], one[..., 1, :], other[..., 0, :], other[..., 1, :]
    over = np.sign(cross(b - a, c - a)) * np.sign(cross(b - a, d - a)) <= 0
    across = np.sign(cross(d - c, a - c)) * np.sign(cross(d - c, b - c)) <= 0
    low = np.maximum(np.minimum(a, b), np.minimum(c, d))
    high = np.minimum(np.maximum(a, b), np.maximum(c, d))
    return np.asarray(over & across & (low <= high).all(axis=-1))


def cross(one: Floats, other: Floats) -> Floats:
    """Return the cross products of vectors of the plane."""
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


def nearest_points(points: Floats, ends: Floats) -> Floats:
    """Return the nearest point of a segment to each of the points: float64[..., 2].

    Parameters
    ----------
    points : float64[..., 2]
    ends : float64[..., 2, 2]
        Both ends of each segment; the leading axes are broadcast.
    """
    start, along = ends[..., 0, :], ends[..., 1, :] - ends[..., 0, :]
    square = np.maximum((along**2).sum(axis=-1), 1e-30)
    share = np.clip(((points - start) * along).sum(axis=-1) / square, 0.0, 1.0)
    return np.asarray(start + share[..., None] * along)


def clearances(positions: Floats, edges: Ints) -> tuple[Floats, Floats]:
    """Return the distance of each node to the nearest other node, and to the nearest foreign edge.

    A distance is infinite if there is no such node or edge. O(n (n + e)).

    Returns
    -------
    float64[n], float64[n]
    """
    n = len(positions)
    nodes, lines = np.full(n, np.inf), np.full(n, np.inf)
    step = max(BLOCK // max(len(edges), n), 1)
    ends = positions[edges]
    for first in range(0, n, step):
        some = np.arange(first, min(first + step, n))
        far = lengths(positions[some, None] - positions[None])
        far[np.arange(len(some)), some] = np.inf
        nodes[some] = far.min(axis=1)
        if len(edges):
            points = positions[some, None]
            off = lengths(points - nearest_points(points, ends[None]))
            off[(edges[None] == some[:, None, None]).any(axis=2)] = np.inf
            lines[some] = off.min(axis=1)
    return nodes, lines
