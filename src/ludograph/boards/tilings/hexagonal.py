"""The board of hexagonal cells: a parallelogram, each row shifted right by half a cell.

The sides of a cell are numbered clockwise from the upper right: 0 upper right, 1 right, 2 lower
right, 3 lower left, 4 left, 5 upper left.
"""

from __future__ import annotations

import numpy as np

from ludograph.boards.arithmetic import unit_vectors
from ludograph.boards.board import Board
from ludograph.boards.families import board_family
from ludograph.boards.lattice import dimensions, lattice

_STEPS = ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0))
_BASIS = np.array([[1.0, 0.0], [0.5, np.sqrt(0.75)]])
_CORNERS = unit_vectors(np.deg2rad(np.arange(-90, 270, 60))) / np.sqrt(3)


@board_family("hexagons")
def hexagonal(width: int, height: int | None = None) -> Board:
    """Return a parallelogram of hexagons; the height is the width unless given.

    Cells are numbered row by row. In a board of width W, cell ``v`` touches ``v - W``,
    ``v - W + 1``, ``v - 1``, ``v + 1``, ``v + W - 1`` and ``v + W`` if they are on the board
    (`docs/hex.md`, section Boards). Two seats start on the first and the last vertex.

    Raises
    ------
    InvalidInput
        If a size is less than 2.

    Examples
    --------
    >>> from ludograph import boards
    >>> boards.hexagonal(3).neighbors_of(4).tolist()
    [1, 2, 3, 5, 6, 7]
    """
    w, h = dimensions("hexagonal", width, height)
    return lattice(
        f"hexagonal {w}x{h}",
        np.ones((h, w), dtype=bool),
        steps=_STEPS,
        basis=_BASIS,
        corners=_CORNERS,
        starts={1: [0], 2: [0, w * h - 1]},
    )
