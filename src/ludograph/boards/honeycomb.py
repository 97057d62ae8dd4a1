"""The board of hexagons that stand on a side: the tiling ``full-hexa``.

The columns are vertical; every second one is half a hexagon lower. The sides are numbered 0 north,
1 northeast, 2 southeast, 3 south, 4 southwest, 5 northwest.
"""

from __future__ import annotations

import numpy as np

from ludograph.boards.board import Board
from ludograph.boards.lattice import dimensions
from ludograph.boards.tiles import Floats, Longs, board_from_tiles, tiles_from

_CORNERS = np.array([[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]])
_HALF_SIDE, _HALF_HEIGHT = 1 / np.sqrt(12), 0.5  # neighbors are one unit apart


def full_hexa(width: int, height: int | None = None) -> Board:
    """Return a rectangle of ``width`` columns of ``height`` hexagons; height is width by default.

    Tiles at the same height are a row: rows of the even columns and rows of the odd columns, which
    are half a hexagon lower, alternate. Tiles are numbered row by row.

    Raises
    ------
    InvalidInput
        If a size is less than 2.

    Examples
    --------
    >>> from ludograph import boards
    >>> boards.full_hexa(7, 3)
    <Board 'full-hexa 7x3': 21 vertices, 44 edges>
    >>> boards.full_hexa(7, 3).neighbors_of(8).tolist()
    [1, 4, 5, 11, 12, 15]
    """
    w, h = dimensions("full-hexa", width, height)
    rows, columns = np.divmod(np.arange(w * h, dtype=np.int64), w)
    centers = np.stack([3 * columns, 2 * rows + columns % 2], axis=1)
    tiles = tiles_from([centers[:, None, :] + _CORNERS], _place)
    return board_from_tiles(f"full-hexa {w}x{h}", tiles)


def _place(corners: Longs) -> Floats:
    return np.asarray(corners * (_HALF_SIDE, _HALF_HEIGHT))
