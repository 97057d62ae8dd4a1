"""A piece of an endless tiling: about a rectangle, connected and without holes."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import product
from ludograph.boards.lattice import dimensions
from ludograph.boards.sides import OUTSIDE
from ludograph.boards.tiles import Floats, Longs, Tiles, partners, tiles_from
from ludograph.errors import InvalidInput

LARGEST = 2**18
"""The greatest number of tiles of a patch: they are added one by one."""

MARGIN = 4
"""The width of the margin around the rectangle, in tiles, where tiles to choose from are needed."""


def patch_dimensions(family: str, width: int, height: int | None) -> tuple[int, int]:
    """Return width and height of a patch, checked; the height is the width unless given.

    Raises
    ------
    InvalidInput
        If a size is not a whole number of at least 2, or the patch would be too large.
    """
    w, h = dimensions(family, width, height)
    if w * h > LARGEST:
        raise InvalidInput(f"{family}: {w}x{h} is larger than {LARGEST} tiles")
    return w, h


def patch(tiles: Tiles, width: int, height: int) -> Tiles:
    """Return ``width * height`` of the tiles, simply connected, around the origin.

    The patch grows from its middle. The next tile is always the nearest one to the middle among
    those that touch the patch along one unbroken line of sides. So the patch is always a disk.
    Distances are measured in rectangles of this width and height. There is always such a tile:
    where a tile touches the patch at several places, the tiles that it would enclose are added
    before it.

    Parameters
    ----------
    tiles
        At least all tiles within ``MARGIN`` of the rectangle.

    Notes
    -----
    O(tiles * log tiles).
    """
    tiles = tiles.take(_nearest_first(tiles.centers(), width, height))
    across = partners(tiles)
    beside = np.where(across == OUTSIDE, OUTSIDE, tiles.owners()[across]).tolist()
    offsets, corners = tiles.offsets.tolist(), tiles.corners.tolist()
    inside = bytearray(len(offsets) - 1)
    touched = bytearray(len(tiles.points))
    heap = [0]
    chosen: list[int] = []
    while len(chosen) < width * height:
        if not heap:
            raise ValueError("the tiles do not join: a shared corner is one point of one cell")
        tile = heappop(heap)
        around = range(offsets[tile], offsets[tile + 1])
        if inside[tile] or (chosen and not _fits(around, beside, corners, inside, touched)):
            continue
        inside[tile] = True
        chosen.append(tile)
        for slot in around:
            touched[corners[slot]] = True
            near = beside[slot]
            if near != OUTSIDE and not inside[near]:
                heappush(heap, near)
    return tiles.take(np.array(chosen, dtype=np.int64))


def periodic(
    basis: npt.NDArray[np.float64],
    points: npt.NDArray[np.float64],
    kinds: Sequence[npt.NDArray[np.int64]],
    width: int,
    height: int,
) -> Tiles:
    """Return the patch of a tiling that repeats in two directions.

    Parameters
    ----------
    basis : float64[2, 2]
        The steps (x, y) from a cell, the part that repeats, to the next one and to the one below.
    points : float64[p, 2]
        The points of a cell; of points that cells share, each belongs to one cell. The mean area of
        tiles should be 1.
    kinds : sequence of int64[sides, 3]
        The tiles of a cell: their corners clockwise as seen on a screen, each as the step to a cell
        (next ones, ones below) and the number of its point.

    See Also
    --------
    ludograph.boards.tilings.cairo
    """
    apart = 2 * float(np.abs(basis).max() + np.abs(points).max())
    room = (width + apart, height + apart)
    right, down = reach(*room)
    (a, b), (c, d) = np.abs(basis)
    area = abs(basis[0, 0] * basis[1, 1] - basis[0, 1] * basis[1, 0])
    most = int((right * d + down * c) / area) + 1, int((down * a + right * b) / area) + 1
    columns, rows = np.mgrid[-most[0] : most[0] + 1, -most[1] : most[1] + 1]
    places = np.stack([columns.ravel(), rows.ravel()], axis=1)
    places = places[within(product(places, basis), *room)]
    cells = np.pad(places, ((0, 0), (0, 1)))[:, None, :]

    def place(corners: Longs) -> Floats:
        return np.asarray(product(corners[:, :2], basis) + points[corners[:, 2]])

    return patch(tiles_from([cells + kind for kind in kinds], place), width, height)


def _nearest_first(
    centers: npt.NDArray[np.float64], width: int, height: int
) -> npt.NDArray[np.intp]:
    """Return the order of the tiles by distance from the middle, then by row, then by column."""
    distances = np.maximum(np.abs(centers[:, 0]) / width, np.abs(centers[:, 1]) / height)
    return np.lexsort((centers[:, 0], np.round(centers[:, 1], 6), np.round(distances, 9)))


def _fits(
    around: range, beside: list[int], corners: list[int], inside: bytearray, touched: bytearray
) -> bool:
    """Tell whether a tile touches the patch along one unbroken line of sides.

    A side that touches the patch has both corners on it. So the line is unbroken if exactly one of
    the touching corners, the last one, is not followed by a touching side.
    """
    sides = breaks = 0
    for slot in around:
        near = beside[slot]
        if near != OUTSIDE and inside[near]:
            sides += 1
        elif touched[corners[slot]]:
            breaks += 1
    return sides > 0 and breaks == 1


def reach(width: float, height: float) -> tuple[float, float]:
    """Return the distances from the origin, along x and y, within which all tiles are needed."""
    return width / 2 + MARGIN, height / 2 + MARGIN


def within(centers: npt.NDArray[np.float64], width: float, height: float) -> npt.NDArray[np.bool_]:
    """Return for each tile whether it lies within reach: bool[n]."""
    return np.asarray((np.abs(centers) <= reach(width, height)).all(axis=1))
