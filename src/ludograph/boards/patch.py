"""A piece of an endless tiling: about a rectangle, connected and without holes."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from ludograph.boards.lattice import dimensions
from ludograph.boards.sides import OUTSIDE
from ludograph.boards.tiles import Tiles, partners
from ludograph.errors import InvalidInput

LARGEST = 2**18
"""Tiles of the largest patch: they are put on one by one."""

MARGIN = 4
"""How far around the rectangle (in tiles) there must be tiles to choose from."""


def patch_dimensions(family: str, width: int, height: int | None) -> tuple[int, int]:
    """Return width and height of a patch, checked; the height is the width unless given.

    Raises
    ------
    InvalidInput
        When one is not a whole number of at least 2, or the patch would be too large.
    """
    w, h = dimensions(family, width, height)
    if w * h > LARGEST:
        raise InvalidInput(f"{family}: {w}x{h} is larger than {LARGEST} tiles")
    return w, h


def patch(tiles: Tiles, width: int, height: int) -> Tiles:
    """Return ``width * height`` of the tiles, simply connected, around the origin.

    The patch grows from its middle. The next tile is always the one nearest to the middle, in
    rectangles of this width and height, of those that touch the patch along one unbroken line of
    sides: so it is a disk at any time. There is always such a tile, since what a tile that
    touches at several places would enclose is filled from within.

    Parameters
    ----------
    tiles
        All tiles that lie within ``MARGIN`` of the rectangle, and any others.

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


def _nearest_first(
    centers: npt.NDArray[np.float64], width: int, height: int
) -> npt.NDArray[np.intp]:
    """Return the order of the tiles by their distance from the middle, then as one reads."""
    distances = np.maximum(np.abs(centers[:, 0]) / width, np.abs(centers[:, 1]) / height)
    return np.lexsort((centers[:, 0], np.round(centers[:, 1], 6), np.round(distances, 9)))


def _fits(
    around: range, beside: list[int], corners: list[int], inside: bytearray, touched: bytearray
) -> bool:
    """Tell whether a tile touches the patch along one unbroken line of sides.

    A side at the patch has both corners there. So the line is unbroken if exactly one of the
    touched corners is not followed by a side at the patch: the last.
    """
    sides = breaks = 0
    for slot in around:
        near = beside[slot]
        if near != OUTSIDE and inside[near]:
            sides += 1
        elif touched[corners[slot]]:
            breaks += 1
    return sides > 0 and breaks == 1


def reach(width: int, height: int) -> tuple[float, float]:
    """Return how far from the origin, along x and y, there must be tiles to choose from."""
    return width / 2 + MARGIN, height / 2 + MARGIN


def within(centers: npt.NDArray[np.float64], width: int, height: int) -> npt.NDArray[np.bool_]:
    """Tell which tiles lie within reach: bool[n]."""
    return np.asarray((np.abs(centers) <= reach(width, height)).all(axis=1))
