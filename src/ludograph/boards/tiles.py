"""Boards of polygons that share corners: the common part of all tilings by polygons.

A tile is a list of corners, clockwise as seen on a screen; side ``k`` runs from corner ``k`` to the
next. Corners have numbers, not only coordinates: two tiles touch if they have two numbers in
common, and no coordinates are compared with a tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards.board import Board
from ludograph.boards.breadth_first import rows_from_keys
from ludograph.boards.sides import OUTSIDE, Sides
from ludograph.views.polygons import ranks

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NO_STARTS: Mapping[int, Ints] = MappingProxyType({})

_LEVEL = 1e-6  # centers whose heights differ by less are in one row


class Tiles(NamedTuple):
    """Polygons with numbered corners."""

    offsets: Ints
    """``int32[n + 1]``: tile ``v`` has the corners ``corners[offsets[v]:offsets[v + 1]]``."""
    corners: Ints
    """``int32[k]``: clockwise; numbers of points."""
    points: Floats
    """``float64[p, 2]``"""

    def owners(self) -> Ints:
        """Return the tile of every corner, and so of the side that begins there: int32[k]."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))

    def ends(self) -> Ints:
        """Return the corner at which each side ends: int32[k]."""
        following = np.arange(1, len(self.corners) + 1)
        following[self.offsets[1:] - 1] = self.offsets[:-1]
        return self.corners[following]

    def centers(self) -> Floats:
        """Return the mean of each tile's corners: float64[n, 2]."""
        sums = np.add.reduceat(self.points[self.corners], self.offsets[:-1], axis=0)
        return np.asarray(sums / np.diff(self.offsets)[:, None])

    def take(self, which: npt.NDArray[np.integer]) -> Tiles:
        """Return the tiles with these numbers, in this order."""
        counts = np.diff(self.offsets)[which]
        offsets = np.zeros(len(which) + 1, dtype=np.int32)
        np.cumsum(counts, out=offsets[1:])
        places = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
        return Tiles(
            offsets, self.corners[np.repeat(self.offsets[which], counts) + places], self.points
        )


def tiles_from(groups: Sequence[Longs], place: Callable[[Longs], Floats]) -> Tiles:
    """Return polygons whose corners are given as tuples of whole numbers.

    Parameters
    ----------
    groups : sequence of int64[m, sides, d]
        The tiles of each kind: their corners clockwise, equal tuples for the same corner.
    place : function
        Returns the coordinates of corners, float64[p, 2], from their tuples, int64[p, d].
    """
    flat = np.concatenate([group.reshape(-1, group.shape[2]) for group in groups])
    order = np.lexsort(flat.T)
    new = np.append(True, (np.diff(flat[order], axis=0) != 0).any(axis=1))
    corners = np.empty(len(flat), dtype=np.int32)
    corners[order] = np.cumsum(new) - 1
    counts = np.concatenate([np.full(len(group), group.shape[1]) for group in groups])
    offsets = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=offsets[1:])
    return Tiles(offsets, corners, place(flat[order[new]]))


def partners(tiles: Tiles) -> Ints:
    """Return the slot of the same side in the tile beyond it, or OUTSIDE: int32[k]."""
    begins, ends = tiles.corners.astype(np.int64), tiles.ends()
    size = len(tiles.points)
    ways, returns = begins * size + ends, ends * np.int64(size) + begins
    order = np.argsort(ways, kind="stable")
    place = np.minimum(np.searchsorted(ways[order], returns), len(ways) - 1)
    found = order[place]
    return np.where(ways[found] == returns, found, OUTSIDE).astype(np.int32)


def board_from_tiles(
    name: str, tiles: Tiles, starts: Mapping[int, Ints] = NO_STARTS, *, turned: bool = True
) -> Board:
    """Return the board of these tiles, numbered row by row, left to right.

    Parameters
    ----------
    starts
        The fixed start vertices.
    turned
        Number the sides of each tile clockwise from the north: side 0 is the one that faces north,
        or else the first one clockwise from there. Otherwise side 0 begins at the first corner.
    """
    tiles = tiles.take(_row_by_row(tiles.centers()))
    tiles = _facing_north(tiles) if turned else tiles
    owners = tiles.owners()
    n = len(tiles.offsets) - 1
    across = partners(tiles)
    beside = np.where(across == OUTSIDE, OUTSIDE, owners[across])
    entries = np.where(across == OUTSIDE, OUTSIDE, across - tiles.offsets[beside])
    keys = owners.astype(np.int64) * n + beside
    offsets, neighbors = rows_from_keys(keys[beside != OUTSIDE], n)
    return Board(
        name=name,
        offsets=offsets,
        neighbors=neighbors,
        positions=tiles.centers(),
        outline_offsets=tiles.offsets,
        outline_points=tiles.points[tiles.corners],
        fixed_starts=starts,
        sides=Sides(tiles.offsets, beside, entries),
    )


def _row_by_row(centers: Floats) -> npt.NDArray[np.intp]:
    """Return the order of the tiles by height, then from left to right: intp[n]."""
    return np.lexsort((centers[:, 0], ranks(centers[:, 1], _LEVEL)))


def _facing_north(tiles: Tiles) -> Tiles:
    """Rotate the list of each tile's corners so that its side 0 is the first from the north."""
    steps = tiles.points[tiles.ends()] - tiles.points[tiles.corners]
    # Clockwise, a side that faces north runs to the east: its angle is 0.
    angles = (np.arctan2(steps[:, 1], steps[:, 0]) + _LEVEL) % (2 * np.pi)
    owners, firsts = tiles.owners(), tiles.offsets[:-1]
    least = np.lexsort((angles, owners))[firsts] - firsts
    counts = np.diff(tiles.offsets)[owners]
    mine = np.arange(len(owners)) - firsts[owners]
    turned = firsts[owners] + (mine + least[owners]) % counts
    return tiles._replace(corners=tiles.corners[turned])
