"""Straight lines on a drawing: pairs of opposite edges at every vertex, from its coordinates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.sides import OUTSIDE, Sides, sides_from_neighbors

Ints = npt.NDArray[np.int32]

BEND = np.pi / 4
"""The greatest bend of a straight line at a vertex, in radians."""

HOW_TO_DERIVE = (
    "planar:FILE on the command line, sides='planar' in Python, derives them from coordinates"
)
"""The advice in errors about a board without sides."""


def planar_sides(positions: npt.NDArray[np.float64], offsets: Ints, neighbors: Ints) -> Sides:
    """Return sides for a graph that is drawn with straight edges, an even number at every vertex.

    The edges at a vertex are its sides, clockwise from the first one after the north. Two edges are
    opposite if a line from one to the other bends by at most 45 degrees: the pairs that bend least
    are chosen first, and any two pairs cross. Opposite to an edge without a partner is the outside.

    Parameters
    ----------
    positions : float64[n, 2]
        y points down.
    offsets, neighbors : int32[n + 1], int32[2 * edges]
        A valid graph.

    Notes
    -----
    At most O(d^3) at a vertex with d edges: fast enough for boards of the size of a game.
    """
    rows = [
        _around(positions, v, neighbors[offsets[v] : offsets[v + 1]])
        for v in range(len(offsets) - 1)
    ]
    ends = np.cumsum([0, *map(len, rows)])
    return sides_from_neighbors(ends, np.array([u for row in rows for u in row], dtype=np.int32))


def _around(positions: npt.NDArray[np.float64], v: int, near: Ints) -> list[int]:
    """Return the neighbor at each side of a vertex, clockwise; OUTSIDE where there is none."""
    ways = positions[near] - positions[v]
    angles = np.arctan2(ways[:, 0], -ways[:, 1]).round(9) % (2 * np.pi)  # clockwise from the north
    order = np.lexsort((near, angles))
    slots = _slots(_pairs(angles[order]))
    return [OUTSIDE if edge is None else int(near[order[edge]]) for edge in slots]


def _pairs(angles: npt.NDArray[np.float64]) -> list[int | None]:
    """Return the edge opposite each of the edges with these ascending angles, or None."""
    low, high = np.triu_indices(len(angles), 1)
    bends = np.abs(angles[high] - angles[low] - np.pi)
    kept = np.flatnonzero(bends <= BEND)
    partners: list[int | None] = [None] * len(angles)
    chosen: list[tuple[int, int]] = []
    for index in kept[np.lexsort((low[kept], bends[kept].round(9)))]:
        a, b = int(low[index]), int(high[index])
        free = partners[a] is None and partners[b] is None
        if free and all((a < c < b) != (a < d < b) for c, d in chosen):
            partners[a], partners[b] = b, a
            chosen.append((a, b))
    return partners


def _slots(partners: list[int | None]) -> list[int | None]:
    """Return the edges in their order, with gaps (None) that put each partner exactly opposite."""
    count = len(partners)
    first = next((edge for edge, other in enumerate(partners) if other is not None), None)
    if first is None:
        return [*range(count), *[None] * count]
    middle = partners[first]
    assert middle is not None
    halves = [list(range(first, middle)), [*range(middle, count), *range(first)]]
    ahead: list[int | None] = []
    behind: list[int | None] = []
    while halves[0] or halves[1]:
        if halves[0] and partners[halves[0][0]] is None:
            ahead.append(halves[0].pop(0))
            behind.append(None)
        elif halves[1] and partners[halves[1][0]] is None:
            ahead.append(None)
            behind.append(halves[1].pop(0))
        else:  # all pairs cross, so these two are partners
            ahead.append(halves[0].pop(0))
            behind.append(halves[1].pop(0))
    slots = ahead + behind
    start = slots.index(0)
    return slots[start:] + slots[:start]
