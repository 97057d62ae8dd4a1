"""The board of triangular cells: a hexagon cut into unit triangles.

The hexagon stands on a corner. Its triangles lie in columns between vertical lines, and all of them
have one vertical side: on the right (then side 0 is the upper left one, 1 the right one, 2 the
lower left one) or on the left (then side 0 is the upper right one, 1 the lower right one, 2 the
left one). Triangles at the same height are a row.
"""

from __future__ import annotations

import numpy as np

from ludograph.boards.board import MAX_VERTICES, Board
from ludograph.boards.families import board_family
from ludograph.boards.lattice import dimensions
from ludograph.boards.tiles import Floats, Longs, board_from_tiles, tiles_from
from ludograph.errors import InvalidInput

_COLUMN = np.sqrt(0.75)  # width of a column of triangles with sides of one unit
_SCALE = np.sqrt(3)  # makes the centers of neighbors one unit apart

# Corners clockwise from the beginning of side 0: columns, and half units down.
_LEANS_RIGHT = np.array([[0, 0], [1, -1], [1, 1]])
_LEANS_LEFT = np.array([[0, -1], [1, 0], [0, 1]])


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
    sizes = np.array(row_sizes(w, h))
    rows = np.repeat(np.arange(len(sizes)), sizes)
    columns = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes) + w - sizes[rows] // 2
    corners = np.stack([columns, rows + 1], axis=1)[:, None, :]
    right = (columns + 1 - w - rows) % 2 == 0
    tiles = tiles_from([corners[right] + _LEANS_RIGHT, corners[~right] + _LEANS_LEFT], _place)
    starts = {1: np.array([0]), 2: np.array([0, n - 1])}
    return board_from_tiles(f"triangular {w}x{h}", tiles, starts, turned=False)


def _place(corners: Longs) -> Floats:
    return np.asarray(corners * (_COLUMN, 0.5) * _SCALE)


def row_sizes(width: int, height: int) -> list[int]:
    """Return the number of triangles in each row, from the top."""
    slope = [2 * (row + 1) for row in range(width)]
    return [*slope, *[2 * width] * (2 * height - 1), *reversed(slope)]
