"""Planar graphs drawn with straight edges that do not cross.

Auxiliary nodes divide the faces into triangles. If the outer face lies on a circle and every other
node at a weighted mean of its neighbors, no edges cross, for any weights (W. T. Tutte, *How to draw
a graph*, 1963; M. Floater, *One-to-one piecewise linear mappings over triangulations*, 2003). The
weights are springs; stiffer springs beside large triangles make the areas more equal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.planarity import Walk
from ludograph.boards.segments import cross, crossings

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

ROUNDS = 30
"""Rounds in which springs beside large triangles become stiffer, which makes these smaller."""


def without_crossings(n: int, edges: Ints, faces: list[Walk]) -> Floats | None:
    """Return a drawing with these faces: float64[n, 2]; None if rounding makes edges cross.

    Parameters
    ----------
    faces
        All faces, from `planarity.face_walks`; the longest one is the outer face.
    """
    order = sorted(faces, key=len)
    total, triangles, rim = _triangulated(n, order[:-1], order[-1])
    positions = _balanced(total, triangles, rim)[:n]
    return positions if crossings(positions, edges) == 0 else None


def _triangulated(n: int, inner: list[Walk], outer: Walk) -> tuple[int, Ints, Walk]:
    """Return the number of nodes, all triangles (int32[k, 3]) and the nodes of the outer face."""
    triangles: list[tuple[int, int, int]] = []
    total = n

    def ring(walk: Walk) -> Walk:
        """Return the face; if it repeats a vertex, the ring of new nodes, one in each corner."""
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
    """Return positions where springs along all sides are in balance, with the rim on a circle."""
    angle = np.arange(len(rim)) * 2 * np.pi / len(rim)
    positions = np.zeros((total, 2))
    positions[rim] = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    free = np.setdiff1d(np.arange(total), rim)
    u, v, w = triangles.T
    springs = np.zeros((total, total))
    for one, other in ((u, v), (v, w), (w, u)):
        springs[one, other] = springs[other, one] = 1.0
    for _ in range(ROUNDS):
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
