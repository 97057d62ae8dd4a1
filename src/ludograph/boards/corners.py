"""Straight lines through the corners of squares, in addition to those through their sides."""

from __future__ import annotations

import numpy as np

from ludograph.boards.board import Board
from ludograph.boards.sides import OUTSIDE, Sides


def has_squares(board: Board, sides: Sides) -> bool:
    """Tell whether all tiles are drawn as squares and have four sides."""
    if (np.diff([board.outline_offsets, sides.offsets]) != 4).any():
        return False
    corners = board.outline_points.view(np.complex128).reshape(-1, 4)
    first, second, third = np.diff(corners).T  # edges, each a quarter turn from the one before
    return np.allclose(second**2, -(first**2)) and np.allclose(third, -first)


def with_corners(sides: Sides) -> Sides:
    """Return the sides and corners of squares as sides, clockwise: corner ``s`` follows side ``s``.

    The tile beyond a corner is found through one of the two tiles beside the corner. It is missed
    only if both of these tiles are missing.
    """
    near, entry = sides.neighbors.reshape(-1, 4), sides.entries.reshape(-1, 4)
    leave = (entry - 1) % 4
    corners = np.where(near == OUTSIDE, OUTSIDE, near[near, leave])
    entries = (entry[near, leave] + 3) % 4  # the corner through which a line enters
    tile, corner = np.nonzero(corners != OUTSIDE)
    beyond, opposite = corners[tile, corner], entries[tile, corner]
    corners[beyond, opposite], entries[beyond, opposite] = tile, corner
    neighbors, both = np.stack([near, corners], axis=2), np.stack([2 * entry, 2 * entries + 1], 2)
    return Sides(2 * sides.offsets, neighbors.ravel(), both.ravel())
