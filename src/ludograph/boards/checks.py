"""Checks of the parts of a board when it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph.boards.breadth_first import count_components, reachable_from
from ludograph.errors import InvalidInput

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

MAX_VERTICES = 2**24
"""The greatest number of vertices; larger boards are refused before memory is allocated."""

MAX_NAME = 200
MAX_COORDINATE = 1e9
MISPLACED = f"the coordinates are not finite or are beyond {MAX_COORDINATE:g}"
MAX_COUNTED = 1000  # components; each costs a search, and the exact number of many is of no use


def frozen_ints(where: str, values: npt.ArrayLike) -> Ints:
    """Return read-only whole numbers, int32[k]; raise InvalidInput for other values."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # rows of different lengths
        array = np.array(None)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise InvalidInput(f"{where}: expected a list of whole numbers")
    if array.size and not -(2**31) <= int(array.min()) <= int(array.max()) < 2**31:
        raise InvalidInput(f"{where}: a number does not fit into 32 bits")
    return _frozen(array, np.int32)


def frozen_points(where: str, values: npt.ArrayLike) -> Floats:
    """Return read-only points, float64[k, 2]; raise InvalidInput for impossible coordinates."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # rows of different lengths
        array = np.array(None)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iuf":
        raise InvalidInput(f"{where}: expected pairs of numbers")
    frozen: Floats = _frozen(array, np.float64)
    bad = first_misplaced(frozen)
    if bad is not None:
        raise InvalidInput(f"{where}[{bad}]: {MISPLACED}")
    return frozen


def first_misplaced(points: Floats) -> int | None:
    """Return the number of the first point that is not finite or is too far away, or None."""
    good = (np.abs(points) <= MAX_COORDINATE).all(axis=1)
    return None if good.all() else int(np.argmin(good))


def _frozen(array: npt.NDArray[Any], dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Return a read-only array of this type, a copy if other code could write to the given one."""
    flags = array.flags
    if array.dtype == dtype and flags.owndata and flags.c_contiguous and not flags.writeable:
        return array  # shared between boards, for example by `with_marks`
    own = np.array(array, dtype=dtype, order="C")
    own.setflags(write=False)
    return own


def check_name(name: str) -> None:
    """Raise InvalidInput unless a name is printable, not empty and at most `MAX_NAME` long."""
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise InvalidInput(f"name: expected 1 to {MAX_NAME} printable characters")


def check_graph(offsets: Ints, neighbors: Ints) -> None:
    """Raise InvalidInput unless the rows are a connected graph, sorted, with both directions."""
    n = len(offsets) - 1
    if n < 1:
        raise InvalidInput("vertices: a board needs at least one vertex")
    if n > MAX_VERTICES:
        raise InvalidInput(f"vertices: a board has at most {MAX_VERTICES} vertices, got {n}")
    _check_offsets("offsets", offsets, len(neighbors))
    if len(neighbors) and not 0 <= neighbors.min() <= neighbors.max() < n:
        raise InvalidInput(f"neighbors: a vertex does not exist (the board has {n} vertices)")
    rows = np.repeat(np.arange(n, dtype=np.int64), np.diff(offsets))
    keys = rows * n + neighbors
    if not (np.diff(keys) > 0).all():
        raise InvalidInput("neighbors: a row is not in ascending order or names a vertex twice")
    if (rows == neighbors).any():
        v = rows[rows == neighbors][0]
        raise InvalidInput(f"neighbors: vertex {v} has an edge to itself")
    up = neighbors > rows
    if not np.array_equal(np.sort(neighbors[~up] * np.int64(n) + rows[~up]), keys[up]):
        raise InvalidInput("neighbors: an edge is there in one direction only")
    check_connected(offsets, neighbors)


def check_connected(
    offsets: Ints, neighbors: Ints, label: Callable[[int], str] = "vertex {}".format
) -> None:
    """Raise InvalidInput if a vertex cannot be reached from vertex 0; the error names one."""
    reached = reachable_from(offsets, neighbors, 0)
    if not reached.all():
        lost = int(np.argmin(reached))
        parts = count_components(offsets, neighbors, at_most=MAX_COUNTED)
        count = f"{parts}" if parts < MAX_COUNTED else f"{MAX_COUNTED} or more"
        raise InvalidInput(
            f"edges: the board is not connected, {label(lost)} cannot be reached from {label(0)} "
            f"({count} components)"
        )


def _check_offsets(where: str, offsets: Ints, length: int) -> None:
    if offsets[0] != 0 or offsets[-1] != length or (offsets[1:] < offsets[:-1]).any():
        raise InvalidInput(f"{where}: expected to rise from 0 to {length}")


def check_positions(n: int, positions: Floats) -> None:
    """Raise InvalidInput unless every vertex has a position."""
    if len(positions) != n:
        raise InvalidInput(f"positions: expected one per vertex ({n}), got {len(positions)}")


def check_outlines(n: int, outline_offsets: Ints, points: Floats) -> None:
    """Raise InvalidInput unless every vertex has a polygon."""
    if len(outline_offsets) != n + 1:
        raise InvalidInput(
            f"outlines: expected one per vertex ({n}), got {len(outline_offsets) - 1}"
        )
    _check_offsets("outline_offsets", outline_offsets, len(points))
    short = np.flatnonzero(np.diff(outline_offsets) < 3)
    if len(short):
        raise InvalidInput(f"outlines[{short[0]}]: a polygon needs at least three points")


def check_marks(n: int, marks: Mapping[str, Ints]) -> None:
    """Raise InvalidInput unless every mark is a set of vertices with a printable name."""
    for key, vertices in marks.items():
        if not isinstance(key, str) or not 0 < len(key) <= MAX_NAME or not key.isprintable():
            raise InvalidInput(f"marks: a key needs 1 to {MAX_NAME} printable characters")
        _check_vertices(f"marks.{key}", vertices, n)


def check_starts(n: int, starts: Mapping[int, Ints]) -> None:
    """Raise InvalidInput unless each number of seats has that number of distinct vertices."""
    for seats, vertices in starts.items():
        if not isinstance(seats, int) or seats < 1 or len(vertices) != seats:
            raise InvalidInput(
                f"starts.{seats}: expected as many vertices as seats, got {len(vertices)}"
            )
        _check_vertices(f"starts.{seats}", vertices, n)


def _check_vertices(where: str, vertices: Ints, n: int) -> None:
    bad = np.flatnonzero((vertices < 0) | (vertices >= n))
    if len(bad):
        raise InvalidInput(
            f"{where}[{bad[0]}]: vertex {vertices[bad[0]]} does not exist "
            f"(the board has {n} vertices)"
        )
    if len(np.unique(vertices)) < len(vertices):
        raise InvalidInput(f"{where}: a vertex is named twice")
