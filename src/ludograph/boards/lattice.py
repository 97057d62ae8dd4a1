"""Boards of equal cells in rows and columns: the common part of square and hexagonal cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import product
from ludograph.boards.board import MAX_VERTICES, Board
from ludograph.boards.breadth_first import rows_from_keys
from ludograph.boards.sides import OUTSIDE, Sides
from ludograph.documents import check_memory
from ludograph.errors import InvalidInput

MANY = 2**18
"""The number of cells above which the free memory is checked before a board is made."""

IN_MEMORY = 1024
"""Bytes of memory that a cell needs while a board is made: 530 to 1090, measured."""


def lattice(
    name: str,
    cells: npt.NDArray[np.bool_],
    *,
    steps: Sequence[tuple[int, int]],
    basis: npt.NDArray[np.float64],
    corners: npt.NDArray[np.float64],
    starts: Mapping[int, Sequence[int]],
    wrap: bool = False,
) -> Board:
    """Return a board of equal cells, numbered row by row, holes skipped.

    Parameters
    ----------
    name : str
    cells : bool[height, width]
        Whether there is a cell at each place.
    steps : sequence of (rows, columns)
        The step from a cell to its neighbor at each side, clockwise; opposite steps are half the
        list apart.
    basis : float64[2, 2]
        The vectors (x, y) of one column and of one row.
    corners : float64[k, 2]
        The corners of a cell, measured from its center.
    starts : mapping of int to sequence of int
        The fixed start vertices.
    wrap : bool
        Whether opposite borders are joined.
    """
    height, width = cells.shape
    numbers = np.full((height, width), OUTSIDE, dtype=np.int32)
    n = int(cells.sum())
    numbers[cells] = np.arange(n, dtype=np.int32)
    beside = np.stack([_shifted(numbers, step, wrap)[cells] for step in steps], axis=1)
    count = len(steps)
    entries = np.broadcast_to((np.arange(count) + count // 2) % count, beside.shape)
    sides = Sides(
        np.arange(n + 1, dtype=np.int32) * count,
        beside.ravel(),
        np.where(beside == OUTSIDE, OUTSIDE, entries).ravel(),
    )
    # On a torus of width 2, both sides lead to the same neighbor: two sides, one edge.
    keys = np.arange(n, dtype=np.int64)[:, None] * n + beside
    offsets, neighbors = rows_from_keys(keys[beside != OUTSIDE], n)
    rows, columns = np.nonzero(cells)
    positions = product(np.stack([columns, rows], axis=1), basis)
    return Board(
        name=name,
        offsets=offsets,
        neighbors=neighbors,
        positions=positions,
        outline_offsets=np.arange(n + 1, dtype=np.int32) * len(corners),
        outline_points=(positions[:, None, :] + corners).reshape(-1, 2),
        fixed_starts={k: np.array(v, dtype=np.int32) for k, v in starts.items() if k <= n},
        sides=sides,
    )


def dimensions(family: str, width: int, height: int | None, multiple: int = 1) -> tuple[int, int]:
    """Return width and height, checked; the height is the width unless given.

    Raises
    ------
    InvalidInput
        If a size is not a whole number of at least 2 or not a multiple of ``multiple``, or if the
        board would have too many cells or need more than the free memory.
    """
    sizes = (("width", width), ("height", width if height is None else height))
    for what, size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | np.integer):
            raise InvalidInput(f"{family}: the {what} must be a whole number, got {size!r}")
        if size < 2:
            raise InvalidInput(f"{family}: the {what} must be at least 2, got {size}")
        if size % multiple:
            raise InvalidInput(f"{family}: the {what} must be a multiple of {multiple}, got {size}")
    w, h = int(sizes[0][1]), int(sizes[1][1])
    if w * h > MAX_VERTICES:
        raise InvalidInput(f"{family}: {w}x{h} is larger than {MAX_VERTICES} cells")
    if w * h > MANY:
        check_memory(f"{family}: making {w}x{h} cells", w * h * IN_MEMORY)
    return w, h


def _shifted(
    numbers: npt.NDArray[np.int32], step: tuple[int, int], wrap: bool
) -> npt.NDArray[np.int32]:
    """Return for each place the number of the cell one step away, or OUTSIDE."""
    rows, columns = step
    moved = np.roll(numbers, (-rows, -columns), axis=(0, 1))
    if not wrap:
        # ``roll`` joins opposite borders, so places at the border are corrected. A step is at most
        # one row and one column.
        if rows:
            moved[-1 if rows > 0 else 0, :] = OUTSIDE
        if columns:
            moved[:, -1 if columns > 0 else 0] = OUTSIDE
    return moved
