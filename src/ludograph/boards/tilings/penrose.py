"""The board of Penrose's rhombs (P3), which never repeats: the tiling ``penrose``.

The tiling is the dual of a pentagrid: five families of parallel lines, one unit apart, at angles of
72 degrees (N. G. de Bruijn, *Algebraic theory of Penrose's non-periodic tilings of the plane*,
1981). Wherever two lines cross there is a rhomb, whose sides are perpendicular to the two lines. A
corner is a mesh of the grid: five whole numbers, one for each family, which give the two lines
between which the mesh lies. A straight line through opposite sides follows one line of the grid.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ludograph.boards.arithmetic import product, unit_vectors
from ludograph.boards.board import Board
from ludograph.boards.families import board_family
from ludograph.boards.patch import patch, patch_dimensions, reach, within
from ludograph.boards.tiles import Floats, Longs, board_from_tiles, tiles_from

_DIRECTIONS = unit_vectors(np.deg2rad(72 * np.arange(5)))[:, ::-1] * (1, -1)

SHIFT = 0.4
"""The distance of each family's lines from the origin. Five equal shifts give a pattern with
fivefold symmetry; it is Penrose's because their sum is a whole number."""

_GOLDEN = (1 + np.sqrt(5)) / 2
_WIDE, _NARROW = unit_vectors(np.deg2rad([72, 36]))[:, 1]
_AREA = (_GOLDEN * _WIDE + _NARROW) / (_GOLDEN + 1)
_SIDE = 1 / np.sqrt(_AREA)  # a tile has an area of one on average


@board_family("Penrose's rhombs")
def penrose(width: int, height: int | None = None) -> Board:
    """Return ``width * height`` of Penrose's rhombs; the height is the width unless given.

    The tiles are the nearest ones to a center of fivefold symmetry; the rectangle of this width and
    height defines which are near. The board has no hole. Wide rhombs (72 and 108 degrees) are more
    frequent than narrow ones (36 and 144) by about the golden ratio. Tiles are numbered by the
    height of their centers, then from left to right.

    Raises
    ------
    InvalidInput
        If a size is less than 2, or there would be more than 2^18 tiles.

    Examples
    --------
    >>> from ludograph import boards
    >>> board = boards.penrose(8, 7)
    >>> board.n, {board.sides.count(v) for v in range(board.n)}
    (56, {4})
    """
    w, h = patch_dimensions("penrose", width, height)
    # The corner of the mesh around a point x lies near 5/2 x.
    extent = np.array(reach(w, h)) / (2.5 * _SIDE) + 2
    rhombs = []
    for one, other in combinations(range(5), 2):
        first, second = _crossings(one, other, extent)
        (a, b), (c, d) = _DIRECTIONS[[one, other]]
        area = a * d - b * c
        inverse = np.array([[d, -c], [-b, a]]) / area
        points = product(np.stack([first, second], axis=1) - SHIFT, inverse)
        meshes = np.ceil(product(points, _DIRECTIONS.T) + SHIFT).astype(np.int64)
        meshes[:, one], meshes[:, other] = first, second
        meshes = meshes[within(_place(meshes), w + 4, h + 4)]
        step, turn = np.eye(5, dtype=np.int64)[[one, other]]
        around = (0 * step, step, step + turn, turn)
        if area < 0:
            around = around[::-1]
        rhombs.append(meshes[:, None, :] + np.stack(around))
    return board_from_tiles(f"penrose {w}x{h}", patch(tiles_from(rhombs, _place), w, h))


def _crossings(one: int, other: int, extent: Floats) -> tuple[Longs, Longs]:
    """Return the lines of two families that cross in a rectangle around the origin.

    Parameters
    ----------
    one, other
        Numbers of two families.
    extent : float64[2]
        Half the width and half the height of the rectangle.

    Returns
    -------
    int64[k], int64[k]
        For each crossing the number of the line in either family.
    """
    normal = _DIRECTIONS[one]
    farthest = float((np.abs(normal) * extent).sum())
    lines = np.arange(int(np.ceil(SHIFT - farthest)), int(np.floor(SHIFT + farthest)) + 1)
    along = np.array([-normal[1], normal[0]])
    # Each line crosses the rectangle between two parameters.
    middle = (lines - SHIFT)[:, None] * normal
    steep = np.where(np.abs(along) < 1e-9, 1e-9, along)
    bounds = np.sort(np.stack([(-extent - middle) / steep, (extent - middle) / steep]), axis=0)
    ends = np.stack([bounds[0].max(axis=1), bounds[1].min(axis=1)], axis=1)
    across, ahead = product(middle, _DIRECTIONS[[other]].T), (along * _DIRECTIONS[other]).sum()
    numbers = across + ends * ahead + SHIFT
    low = np.ceil(numbers.min(axis=1)).astype(np.int64)
    counts = np.maximum(np.floor(numbers.max(axis=1)).astype(np.int64) - low + 1, 0)
    counts[ends[:, 0] > ends[:, 1]] = 0
    places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(lines, counts), np.repeat(low, counts) + places


def _place(corners: Longs) -> Floats:
    return np.asarray(product(corners, _DIRECTIONS) * _SIDE)
