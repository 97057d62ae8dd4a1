"""Planar graphs drawn with straight edges that do not cross.

Auxiliary nodes divide the faces into triangles. If the outer face lies on a circle and every other
node at a weighted mean of its neighbors, no edges cross, for any weights (W. T. Tutte, *How to draw
a graph*, 1963; M. Floater, *One-to-one piecewise linear mappings over triangulations*, 2003). The
weights are springs; stiffer springs beside large triangles make the areas more equal.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import unit_vectors
from ludograph.boards.planarity import Walk
from ludograph.boards.segments import cross, crossings

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
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
    positions = np.zeros((total, 2))
    positions[rim] = unit_vectors(np.arange(len(rim)) * 2 * np.pi / len(rim))
    u, v, w = triangles.T
    pairs = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    sides, side = np.unique(pairs, axis=0, return_inverse=True)
    steps = _removals(total, sides.tolist(), rim)
    springs = np.ones(len(sides))
    for _ in range(ROUNDS):
        _balance(positions, springs, steps)
        areas = np.abs(cross(positions[v] - positions[u], positions[w] - positions[u]))
        beside = np.bincount(side.ravel(), np.repeat(areas, 3), len(sides))
        springs *= np.sqrt(np.clip(beside / (2 * areas.mean()), 0.05, 20.0))
        springs /= springs.sum() / (3 * len(triangles))
    return positions


class _Step(NamedTuple):
    """The removal of a node: a star of springs becomes a mesh of springs between its ends."""

    node: int
    near: Longs  # the ends
    star: Longs  # the springs to them
    mesh: Longs  # the springs between them, and the places in ``near`` of their ends
    one: Longs
    other: Longs


def _removals(total: int, sides: list[list[int]], rim: Walk) -> list[_Step]:
    """Return the removals of all nodes that are not on the rim, those with few neighbors first.

    Springs are numbered: those along the sides first, then those that come with a mesh.
    """
    springs: list[dict[int, int]] = [{} for _ in range(total)]
    for number, (u, v) in enumerate(sides):
        springs[u][v] = springs[v][u] = number
    count, fixed = len(sides), set(rim)
    queue = [(len(springs[v]), v) for v in range(total) if v not in fixed]
    heapify(queue)
    steps = []
    while queue:
        degree, v = heappop(queue)
        if degree != len(springs[v]):
            heappush(queue, (len(springs[v]), v))
            continue
        near = sorted(springs[v])
        mesh = []
        for (i, one), (j, other) in combinations(enumerate(near), 2):
            if one in fixed and other in fixed:
                continue
            if other not in springs[one]:
                springs[one][other] = springs[other][one] = count
                count += 1
            mesh.append((springs[one][other], i, j))
        for u in near:
            del springs[u][v]
        star = np.array([springs[v][u] for u in near])
        columns = np.array(mesh, dtype=np.int64).reshape(-1, 3).T
        steps.append(_Step(v, np.array(near), star, *columns))
    return steps


def _balance(positions: Floats, springs: Floats, steps: list[_Step]) -> None:
    """Move every node that is not on the rim to the mean of its neighbors, weighted by the springs.

    This is Gauss's elimination in a form that only adds (A. Rosen, *A new network theorem*, 1924).
    """
    stiffness = np.zeros(len(springs) + sum(len(step.mesh) for step in steps))
    stiffness[: len(springs)] = springs
    for step in steps:
        star = stiffness[step.star]
        stiffness[step.mesh] += star[step.one] * star[step.other] / star.sum()
    for step in reversed(steps):
        star = stiffness[step.star]
        positions[step.node] = (star[:, None] * positions[step.near]).sum(axis=0) / star.sum()
