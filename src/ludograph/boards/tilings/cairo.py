"""The board of equal pentagons in four directions, as in the streets of Cairo."""

from __future__ import annotations

import numpy as np

from ludograph.boards.board import Board
from ludograph.boards.families import board_family
from ludograph.boards.patch import patch_dimensions, periodic
from ludograph.boards.tiles import board_from_tiles

# A grid of squares, in each of which a short line joins two points: upright and level in turn. Each
# square is cut into four from its corners to these points, and a pentagon is two parts of two
# squares. A cell is an upright square and the level one to its left.
_HALF = (1 - 1 / np.sqrt(3)) / 2  # of a short line; all angles at its ends are 120 degrees
_POINTS = np.array(
    [
        [0, 0],
        [1, 0],
        [0.5, 0.5 - _HALF],
        [0.5, 0.5 + _HALF],
        [-0.5 - _HALF, 0.5],
        [_HALF - 0.5, 0.5],
    ]
)
_PENTAGONS = np.array(
    [
        [[0, 0, 0], [0, 0, 2], [0, 0, 3], [0, 1, 1], [0, 0, 5]],
        [[0, 0, 1], [1, -1, 4], [1, 0, 0], [0, 0, 3], [0, 0, 2]],
        [[0, 0, 0], [0, -1, 4], [0, -1, 5], [0, 0, 1], [0, 0, 2]],
        [[0, 1, 1], [0, 0, 3], [1, 0, 0], [1, 0, 5], [1, 0, 4]],
    ]
)
_BASIS = np.array([[1, 1], [-1, 1]])
_SQUARE = np.sqrt(2)  # the side of a square: two pentagons have its area


@board_family("pentagons")
def cairo(width: int, height: int | None = None) -> Board:
    """Return ``width * height`` pentagons; the height is the width unless given.

    The tiles are the nearest ones to the corner of four pentagons; the rectangle of this width and
    height defines which are near. Tiles are numbered by the height of their centers, then from left
    to right.

    Raises
    ------
    InvalidInput
        If a size is less than 2, or there would be more than 2^18 tiles.

    Examples
    --------
    >>> from ludograph import boards
    >>> board = boards.family("cairo")(8)
    >>> board.n, max(board.degree(v) for v in range(board.n))
    (64, 5)
    """
    w, h = patch_dimensions("cairo", width, height)
    tiles = periodic(_BASIS * _SQUARE, _POINTS * _SQUARE, list(_PENTAGONS), w, h)
    return board_from_tiles(f"cairo {w}x{h}", tiles)
