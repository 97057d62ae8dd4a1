"""Boards of regular tiles: ``full-hexa``, ``octo-tetra`` (4.8.8), ``dodeca-hexa-tetra`` (4.6.12).

The hexagons of ``full-hexa`` stand on a side. Their columns are vertical; every second one is half
a hexagon lower. The sides are numbered 0 north, 1 northeast, 2 southeast, 3 south, 4 southwest, 5
northwest.
"""

from __future__ import annotations

import numpy as np

from ludograph.boards.arithmetic import unit_vectors
from ludograph.boards.board import Board
from ludograph.boards.families import board_family
from ludograph.boards.lattice import dimensions
from ludograph.boards.patch import patch_dimensions, periodic
from ludograph.boards.tiles import Floats, Longs, board_from_tiles, tiles_from

_CORNERS = np.array([[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]])
_HALF_SIDE, _HALF_HEIGHT = 1 / np.sqrt(12), 0.5  # neighbors are one unit apart


@board_family("hexagons in columns")
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
_OF_OCTAGON = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * _SIDE


@board_family("octagons and squares")
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
    tiles = tiles_from([cells[even] + _OCTAGON, cells[~even] + _SQUARE], _octagon_place)
    return board_from_tiles(f"octo-tetra {w}x{h}", tiles)


def _octagon_place(corners: Longs) -> Floats:
    return np.asarray(corners[:, 1::-1] + _OF_OCTAGON[corners[:, 2]])


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
_OF_DODECAGON = _RADIUS * unit_vectors(np.deg2rad(30 * np.arange(12) - 15))[:, ::-1] * (1, -1)
_BASIS = _APART * np.array([[1, 0], [0.5, np.sqrt(0.75)]])


@board_family("dodecagons, hexagons and squares")
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
    kinds = (_DODECAGON, *_HEXAGONS, *_SQUARES)
    return board_from_tiles(
        f"dodeca-hexa-tetra {w}x{h}", periodic(_BASIS, _OF_DODECAGON, kinds, w, h)
    )
