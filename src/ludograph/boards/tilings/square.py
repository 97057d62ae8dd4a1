"""Boards of square cells: the plain square, the donut, the hatched board and the torus.

The sides of a cell are numbered 0 north, 1 east, 2 south, 3 west. Cells are numbered row by row
from the top left, holes skipped (`docs/flood.md`, section Boards).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ludograph.boards.board import Board
from ludograph.boards.families import board_family
from ludograph.boards.lattice import dimensions, lattice

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@board_family("squares")
def square(width: int, height: int | None = None) -> Board:
    """Return a full grid of squares; the height is the width unless given.

    Two seats start on the first and the last vertex, four in the corners.

    Raises
    ------
    InvalidInput
        If a size is less than 2.

    Examples
    --------
    >>> from ludograph import boards
    >>> board = boards.square(3)
    >>> board.neighbors_of(4).tolist()
    [1, 3, 5, 7]
    """
    w, h = dimensions("square", width, height)
    return _squares("square", np.ones((h, w), dtype=bool), _corner_starts(w, w * h))


@board_family("squares around a hole")
def donut(m: int, height: int | None = None) -> Board:
    """Return a grid of squares without its middle block, one third wide and one third high.

    Raises
    ------
    InvalidInput
        If a size is not a multiple of 3.
    """
    w, h = dimensions("donut", m, height, multiple=3)
    cells = np.ones((h, w), dtype=bool)
    cells[h // 3 : 2 * h // 3, w // 3 : 2 * w // 3] = False
    return _squares("donut", cells, _corner_starts(w, int(cells.sum())))


@board_family("squares, the letter H")
def hatched(m: int, height: int | None = None) -> Board:
    """Return a grid of squares without the middle blocks of its upper and lower third: an H.

    Raises
    ------
    InvalidInput
        If a size is not a multiple of 3.
    """
    w, h = dimensions("hatched", m, height, multiple=3)
    cells = np.ones((h, w), dtype=bool)
    cells[: h // 3, w // 3 : 2 * w // 3] = False
    cells[2 * h // 3 :, w // 3 : 2 * w // 3] = False
    n = int(cells.sum())
    return _squares("hatched", cells, _corner_starts(2 * w // 3, n, last_row=2 * w // 3))


@board_family("squares on a torus")
def torus(m: int, height: int | None = None) -> Board:
    """Return a grid of squares whose opposite borders are joined in both directions.

    The second of two seats starts half the height and half the width away from the first.

    Raises
    ------
    InvalidInput
        If a size is less than 2.
    """
    w, h = dimensions("torus", m, height)
    starts = {1: [0], 2: [0, (h // 2) * w + w // 2]}
    return _squares("torus", np.ones((h, w), dtype=bool), starts, wrap=True)


def _squares(
    family: str,
    cells: npt.NDArray[np.bool_],
    starts: Mapping[int, Sequence[int]],
    *,
    wrap: bool = False,
) -> Board:
    height, width = cells.shape
    name = f"{family} {width}x{height}"
    return lattice(
        name, cells, steps=_STEPS, basis=np.eye(2), corners=_CORNERS, starts=starts, wrap=wrap
    )


def _corner_starts(first_row: int, n: int, last_row: int | None = None) -> dict[int, list[int]]:
    """Return starts in the corners, by number of seats; two seats get opposite corners."""
    bottom_left = n - (first_row if last_row is None else last_row)
    return {1: [0], 2: [0, n - 1], 4: [0, n - 1, first_row - 1, bottom_left]}
