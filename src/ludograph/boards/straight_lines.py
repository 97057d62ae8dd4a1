"""Planar graphs drawn with straight edges that do not cross.

The faces are filled with helping nodes until all are triangles; with the outer face on a circle
and every other node in a weighted middle of its neighbors, no edges cross, whatever the weights
(W. T. Tutte, *How to draw a graph*, 1963; M. Floater, *One-to-one piecewise linear mappings over
triangulations*, 2003). Stiffer springs beside large triangles even out the areas.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.planarity import Walk
from ludograph.boards.segments import cross, crossings

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

EVENINGS = 30
"""Rounds in which springs beside large triangles become stiffer, which makes these smaller."""


def without_crossings(n: int, edges: Ints, faces: list[Walk]) -> Floats | None:
    """Return a drawing from the faces: float64[n, 2], None where numbers are not fine enough.

    Parameters
    ----------
    faces
        As `planarity.face_walks` gives them; the longest one goes outside.
    """
    order = sorted(faces, key=len)
    total, triangles, rim = _triangulated(n, order[:-1], order[-1])
    positions = _balanced(total, triangles, rim)[:n]
    return positions if crossings(positions, edges) == 0 else None


def _triangulated(n: int, inner: list[Walk], outer: Walk) -> tuple[int, Ints, Walk]:
    """Fill the faces: the number of nodes, int32[k, 3] triangles, the nodes of the outer face."""
    triangles: list[tuple[int, int, int]] = []
    total = n

    def ring(walk: Walk) -> Walk:
        """Put a node into each corner: then a vertex that comes twice does no harm."""
        nonlocal total
        if len(set(walk)) == len(walk):
            return walk
        corners = list(range(total, total + len(walk)))
        total += len(walk)
        for place, v in enumerate(walk):
            following = (place + 1) % len(walk)
            triangles.append((v, walk[following], corners[place]))
            triangles.append((corners[place], walk[following], corners[following]))
        return corners

    for walk in inner:
        rim = ring(walk)
        triangles += [(u, v, total) for u, v in zip(rim, rim[1:] + rim[:1], strict=True)]
        total += 1
    rim = ring(outer)
    return total, np.array(triangles, dtype=np.int32), rim


def _balanced(total: int, triangles: Ints, rim: Walk) -> Floats:
    """Return where springs along the sides hold the nodes, the rim on a circle."""
    angle = np.arange(len(rim)) * 2 * np.pi / len(rim)
    positions = np.zeros((total, 2))
    positions[rim] = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    free = np.setdiff1d(np.arange(total), rim)
    u, v, w = triangles.T
    springs = np.zeros((total, total))
    for one, other in ((u, v), (v, w), (w, u)):
        springs[one, other] = springs[other, one] = 1.0
    for _ in range(EVENINGS):
        laplacian = np.diag(springs.sum(axis=1)) - springs
        pull = springs[free][:, rim] @ positions[rim]
        positions[free] = np.linalg.solve(laplacian[free][:, free], pull)
        areas = np.abs(cross(positions[v] - positions[u], positions[w] - positions[u]))
        beside = np.zeros((total, total))
        for one, other in ((u, v), (v, w), (w, u)):
            np.add.at(beside, (one, other), areas)
            np.add.at(beside, (other, one), areas)
        springs *= np.sqrt(np.clip(beside / (2 * areas.mean()), 0.05, 20.0))
        springs /= springs.sum() / (6 * len(triangles))
    return positions
