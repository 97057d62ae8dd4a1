"""The symmetries of a board: rotations and reflections of its drawing that keep all edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import lengths
from ludograph.boards.board import Board

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NEAR = 1e-4
"""The greatest distance of points that count as equal, in units of the shortest edge."""


def symmetries(board: Board, *, marks: bool = True) -> Ints:
    """Return the rotations and reflections of a board's drawing that map it to itself.

    Each is a permutation: vertex ``v`` moves to ``row[v]``; ``moved[row] = values`` moves one value
    for each vertex. Edges are mapped to edges, so a game that uses only the graph is the same game
    after the permutation. Symmetries that the drawing does not show are not found, such as the
    translations of a torus.

    Parameters
    ----------
    marks
        Whether to omit symmetries that move a vertex out of a mark, for example from one border of
        Hex to the other player's.

    Returns
    -------
    int32[symmetries, n]
        The first row changes nothing.
    """
    points = board.positions - board.positions.mean(axis=0)
    edges = board.edges()
    unit = lengths(points[edges[:, 0]] - points[edges[:, 1]]).min(initial=1.0)
    cells = _Cells(points, float(unit) * NEAR)
    distances = lengths(points)
    first = int(distances.argmax())
    alike = np.flatnonzero(np.abs(distances - distances[first]) <= unit * NEAR)
    alike = np.concatenate([[first], alike[alike != first]])  # the identity first
    found = []
    for other in alike.tolist() if distances[first] > 0 else [first]:
        for mirrored in (False, True):
            row = cells.vertices_at(_moved(points, first, other, mirrored=mirrored))
            if row is not None and _keeps(board, edges, row, marks=marks):
                found.append(row)
    return np.unique(np.array(found, np.int32), axis=0)


def _moved(points: Floats, first: int, other: int, *, mirrored: bool) -> Floats:
    """Return points, first ``mirrored``, then turned so that ``first`` comes to ``other``."""
    plane = points[:, 0] + 1j * points[:, 1]
    plane = plane.conj() if mirrored else plane
    if plane[first] != 0:
        turn = (points[other, 0] + 1j * points[other, 1]) / plane[first]
        plane = plane * turn / abs(turn)
    return np.stack([plane.real, plane.imag], axis=1)


def _keeps(board: Board, edges: Ints, row: Ints, *, marks: bool) -> bool:
    """Tell whether a permutation maps edges to edges and, with ``marks``, each mark to itself."""
    moved = np.sort(row[edges], axis=1)
    n = board.n
    same = np.array_equal(
        np.sort(moved[:, 0].astype(np.int64) * n + moved[:, 1]),
        np.sort(np.sort(edges, axis=1) @ np.array([n, 1], np.int64)),
    )
    kept = not marks or all(
        np.array_equal(np.sort(row[mark]), np.sort(mark)) for mark in board.marks.values()
    )
    return same and kept


class _Cells:
    """An index that finds the vertex at a point, by small squares of the plane.

    Parameters
    ----------
    near
        The greatest distance between a point and its vertex.
    """

    def __init__(self, points: Floats, near: float) -> None:
        self.points, self.near = points, near
        keys = self._keys(points)
        self.order = np.argsort(keys, kind="stable")
        self.sorted = keys[self.order]

    def _keys(self, points: Floats, right: int = 0, down: int = 0) -> npt.NDArray[np.int64]:
        """Return the number of the square in which each point lies, or of one beside it."""
        squares = np.floor(points / (4.0 * self.near)).astype(np.int64)
        return (squares[:, 0] + right) * (1 << 31) + squares[:, 1] + down

    def vertices_at(self, points: Floats) -> Ints | None:
        """Return the vertex at each point; None unless each vertex is at exactly one point."""
        found = np.full(len(points), -1, np.int32)
        for right in (-1, 0, 1):
            for down in (-1, 0, 1):
                place = np.searchsorted(self.sorted, self._keys(points, right, down))
                vertex = self.order[np.minimum(place, len(points) - 1)]
                apart = lengths(self.points[vertex] - points)
                found = np.where(apart <= self.near, vertex, found).astype(np.int32)
        return found if np.array_equal(np.sort(found), np.arange(len(points))) else None
