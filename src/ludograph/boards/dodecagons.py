"""The board of dodecagons, hexagons and squares: the tiling ``dodeca-hexa-tetra`` (4.6.12)."""

from __future__ import annotations

import numpy as np

from ludograph.boards.arithmetic import product, unit_vectors
from ludograph.boards.board import Board
from ludograph.boards.patch import patch, patch_dimensions, reach, within
from ludograph.boards.tiles import Floats, Longs, board_from_tiles, tiles_from

# The dodecagons stand in rows, each row shifted by half of one: the next in a row is (1, 0) away,
# the two below (0, 1) and (-1, 1). Every corner is a corner of a dodecagon: it is given by the
# dodecagon's place and its number there. Side k of a dodecagon begins at corner k and faces 30 * k
# degrees clockwise from the north; beyond odd sides there is a square, beyond even ones a hexagon.
_DODECAGON = np.array([[0, 0, corner] for corner in range(12)])
_HEXAGONS = np.array(
    [
        [[0, 0, 1], [0, 0, 0], [0, -1, 5], [0, -1, 4], [1, -1, 9], [1, -1, 8]],
        [[0, 0, 7], [0, 0, 6], [0, 1, 11], [0, 1, 10], [-1, 1, 3], [-1, 1, 2]],
    ]
)
_SQUARES = np.array(
    [
        [[0, 0, 1], [1, -1, 8], [1, -1, 7], [0, 0, 2]],
        [[0, 0, 3], [1, 0, 10], [1, 0, 9], [0, 0, 4]],
        [[0, 0, 5], [0, 1, 0], [0, 1, 11], [0, 0, 6]],
    ]
)
_APART = np.sqrt(12 / np.sqrt(3))  # distance of dodecagons; the mean area of tiles is 1
_RADIUS = _APART / (3 + np.sqrt(3)) / (2 * unit_vectors(np.pi / 12)[1])
_CORNERS = _RADIUS * unit_vectors(np.deg2rad(30 * np.arange(12) - 15))[:, ::-1] * (1, -1)
_BASIS = _APART * np.array([[1, 0], [0.5, np.sqrt(0.75)]])


def dodeca_hexa_tetra(width: int, height: int | None = None) -> Board:
    """Return ``width * height`` dodecagons, hexagons and squares; by default height is width.

    The tiles are the nearest ones to a dodecagon in the middle; the rectangle of this width and
    height defines which are near. The board has no hole. One tile in six is a dodecagon, two are
    hexagons and three are squares, except at the border. Tiles are numbered by the height of their
    centers, then from left to right.

    Raises
    ------
    InvalidInput
        If a size is less than 2, or there would be more than 2^18 tiles.

    Examples
    --------
    >>> from ludograph import boards
    >>> board = boards.dodeca_hexa_tetra(8)
    >>> board.n, sorted({board.sides.count(v) for v in range(board.n)})
    (64, [4, 6, 12])
    """
    w, h = patch_dimensions("dodeca-hexa-tetra", width, height)
    right, down = reach(w, h)
    rows = np.arange(-int(down / _BASIS[1, 1]) - 2, int(down / _BASIS[1, 1]) + 3)
    most = int(right / _APART) + 2
    places = np.array([(i - j // 2, j) for j in rows.tolist() for i in range(-most, most + 2)])
    places = places[within(product(places, _BASIS), w + 4, h + 4)]
    cells = np.pad(places, ((0, 0), (0, 1)))[:, None, :]
    groups = [cells + kind for kind in (_DODECAGON, *_HEXAGONS, *_SQUARES)]
    return board_from_tiles(f"dodeca-hexa-tetra {w}x{h}", patch(tiles_from(groups, _place), w, h))


def _place(corners: Longs) -> Floats:
    return np.asarray(product(corners[:, :2], _BASIS) + _CORNERS[corners[:, 2]])
