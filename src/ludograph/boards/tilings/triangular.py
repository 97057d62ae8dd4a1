"""The board of triangular cells: a hexagon cut into unit triangles.

The hexagon stands on a corner. Its triangles lie in columns between vertical lines, and all of them
have one vertical side: on the right (then side 0 is the upper left one, 1 the right one, 2 the
lower left one) or on the left (then side 0 is the upper right one, 1 the lower right one, 2 the
left one). Triangles at the same height are a row.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.board import MAX_VERTICES, Board
from ludograph.boards.breadth_first import rows_from_keys
from ludograph.boards.families import board_family
from ludograph.boards.lattice import dimensions
from ludograph.boards.sides import OUTSIDE, sides_from_neighbors
from ludograph.errors import InvalidInput

_COLUMN = np.sqrt(0.75)  # width of a column of triangles with sides of one unit
_SCALE = np.sqrt(3)  # makes the centers of neighbors one unit apart


def triangles(width: int, height: int) -> int:
    """Return the number of triangles of a board of this size."""
    return 2 * width * width + 4 * width * height


@board_family("triangles", triangles)
def triangular(width: int, height: int | None = None) -> Board:
    """Return a hexagon of unit triangles: slanted sides of ``width``, vertical ones of ``height``.

    The height is the width unless given: the regular hexagon of side m has 6m² triangles and
    9m² - 3m edges. Triangles are numbered row by row (`docs/hex.md`, section Boards). Two seats
    start on the first and the last vertex.

    Raises
    ------
    InvalidInput
        If a size is less than 2.

    Examples
    --------
    >>> from ludograph import boards
    >>> boards.triangular(4)
    <Board 'triangular 4x4': 96 vertices, 132 edges>
    """
    w, h = dimensions("triangular", width, height)
    n = triangles(w, h)
    if n > MAX_VERTICES:
        raise InvalidInput(f"triangular: {w}x{h} is larger than {MAX_VERTICES} cells")
    numbers = _numbers(w, h)
    rows, columns = np.nonzero(numbers != OUTSIDE)
    # A triangle touches its partner in the same row with its vertical side.
    leans_right = (columns + 1 - w - rows) % 2 == 0
    framed = np.pad(numbers, 1, constant_values=OUTSIDE)
    upper, lower = framed[rows, columns + 1], framed[rows + 2, columns + 1]
    beside = framed[rows + 1, columns + np.where(leans_right, 2, 0)]
    # Clockwise from the north: upper, right, lower for one kind; upper, lower, left for the other.
    second = np.where(leans_right, beside, lower)
    third = np.where(leans_right, lower, beside)
    around = np.stack([upper, second, third], axis=1)
    keys = np.arange(n, dtype=np.int64)[:, None] * n + around
    offsets, neighbors = rows_from_keys(keys[around != OUTSIDE], n)
    corners = _corners(rows, columns, leans_right)
    return Board(
        name=f"triangular {w}x{h}",
        offsets=offsets,
        neighbors=neighbors,
        positions=corners.mean(axis=1),
        outline_offsets=np.arange(n + 1, dtype=np.int32) * 3,
        outline_points=corners.reshape(-1, 2),
        fixed_starts={1: np.array([0]), 2: np.array([0, n - 1])},
        sides=sides_from_neighbors(np.arange(n + 1, dtype=np.int32) * 3, around.ravel()),
    )


def row_sizes(width: int, height: int) -> list[int]:
    """Return the number of triangles in each row, from the top."""
    slope = [2 * (row + 1) for row in range(width)]
    return [*slope, *[2 * width] * (2 * height - 1), *reversed(slope)]


def _numbers(width: int, height: int) -> npt.NDArray[np.int32]:
    """Return the number of the triangle in each row and column: int32[rows, 2 * width]."""
    sizes = np.array(row_sizes(width, height))
    columns = np.arange(2 * width)
    first = width - sizes[:, None] // 2
    cells = (columns >= first) & (columns < first + sizes[:, None])
    numbers = np.full(cells.shape, OUTSIDE, dtype=np.int32)
    numbers[cells] = np.arange(int(sizes.sum()), dtype=np.int32)
    return numbers


def _corners(
    rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], leans_right: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """Return the outlines, clockwise: float64[n, 3, 2]."""
    left, right = columns * _COLUMN, (columns + 1) * _COLUMN
    middle = (rows + 1) / 2
    tip = np.where(leans_right, left, right)
    edge = np.where(leans_right, right, left)
    half = np.where(leans_right, 0.5, -0.5)  # down the right side, up the left one
    x = np.stack([tip, edge, edge], axis=1)
    y = np.stack([middle, middle - half, middle + half], axis=1)
    return np.stack([x, y], axis=2) * _SCALE
