"""The symmetries of a board: rotations and reflections of its drawing that keep all edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import lengths
from ludograph.boards.board import Board
from ludograph.views.polygons import ranks

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
    distances = lengths(points)
    first = int(distances.argmax())
    alike = np.flatnonzero(np.abs(distances - distances[first]) <= unit * NEAR)
    alike = np.concatenate([[first], alike[alike != first]])  # the identity first
    found = []
    for other in alike.tolist() if distances[first] > 0 else [first]:
        for mirrored in (False, True):
            places = _moved(points, first, other, mirrored=mirrored)
            row = _vertices_at(points, places, float(unit) * NEAR)
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


def _vertices_at(points: Floats, places: Floats, near: float) -> Ints | None:
    """Return the vertex at each place: int32[n]; None unless there is one at each."""
    n = len(points)
    x, y = (ranks(np.concatenate([points, places])[:, axis], near) for axis in (0, 1))
    keys = x * (2 * n) + y
    own, there = (np.argsort(each, kind="stable") for each in (keys[:n], keys[n:]))
    if not np.array_equal(keys[:n][own], keys[n:][there]):
        return None
    found = np.empty(n, np.int32)
    found[there] = own
    return found
