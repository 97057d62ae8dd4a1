"""The board of octagons and squares: the tiling ``octo-tetra`` (4.8.8)."""

from __future__ import annotations

import numpy as np

from ludograph.boards.board import Board
from ludograph.boards.lattice import dimensions
from ludograph.boards.tiles import Floats, Longs, board_from_tiles, tiles_from

# Every corner is a corner of a square: it is given by the square's row and column and its number.
_NW, _NE, _SE, _SW = range(4)
_SQUARE = np.array([[0, 0, _NW], [0, 0, _NE], [0, 0, _SE], [0, 0, _SW]])
_OCTAGON = np.array(
    [
        [-1, 0, _SW],
        [-1, 0, _SE],
        [0, 1, _NW],
        [0, 1, _SW],
        [1, 0, _NE],
        [1, 0, _NW],
        [0, -1, _SE],
        [0, -1, _NE],
    ]
)
_SIDE = 2 - np.sqrt(2)  # of all tiles, if centers of an octagon and a square are one unit apart
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * _SIDE


def octo_tetra(width: int, height: int | None = None) -> Board:
    """Return a rectangle of octagons and squares; the height is the width unless given.

    There is an octagon where row and column have the same parity, a square elsewhere. Tiles are
    numbered row by row. An octagon touches squares in the north, east, south and west and
    octagons in the four directions between; all sides are numbered clockwise from the north.

    Raises
    ------
    InvalidInput
        If a size is less than 2.

    Examples
    --------
    >>> from ludograph import boards
    >>> board = boards.octo_tetra(3)
    >>> board.neighbors_of(4).tolist()
    [0, 1, 2, 3, 5, 6, 7, 8]
    >>> board.neighbors_of(1).tolist()
    [0, 2, 4]
    """
    w, h = dimensions("octo-tetra", width, height)
    rows, columns = np.divmod(np.arange(w * h, dtype=np.int64), w)
    cells = np.stack([rows, columns, np.zeros(w * h, dtype=np.int64)], axis=1)[:, None, :]
    even = (rows + columns) % 2 == 0
    tiles = tiles_from([cells[even] + _OCTAGON, cells[~even] + _SQUARE], _place)
    return board_from_tiles(f"octo-tetra {w}x{h}", tiles)


def _place(corners: Longs) -> Floats:
    return np.asarray(corners[:, 1::-1] + _CORNERS[corners[:, 2]])
