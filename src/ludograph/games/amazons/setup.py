"""What is fixed during a game of Amazons: the lines out of every tile, and where queens start."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import WATER, Board, Sides, all_lines
from ludograph.errors import InvalidInput

IntArray = npt.NDArray[np.int32]

MOST_TILES = 1290
"""A move's code is below the third power of the number of tiles."""

QUEENS = 4
"""Of each seat, unless that is chosen."""

MOST_COLUMNS = 26


class AmazonsSetup(NamedTuple):
    """Lines as rows of tiles: no rule needs to know how a line goes on."""

    offsets: IntArray
    """``int32[n + 1]``: tile ``v`` has the lines ``offsets[v]`` to ``offsets[v + 1] - 1``."""
    lines: IntArray
    """``int32[lines + 1]``: line ``i`` is ``tiles[lines[i]:lines[i + 1]]``, nearest first."""
    tiles: IntArray
    starts: IntArray
    """``int32[2 * queens]``: the tiles of seat 0's queens, then of seat 1's."""
    queens: int
    """Of each seat."""
    capacity: int
    """A bound on the number of moves of a seat."""
    tangled: bool
    """Whether more than one line leads from some tile to another."""
    columns: int
    """Of a full grid whose tiles have coordinates, else 0."""


def make_setup(board: Board, starts: IntArray) -> AmazonsSetup:
    """Return the setup of a game.

    Parameters
    ----------
    board
        A board whose tiles have sides, of at most ``MOST_TILES``.
    starts
        ``int32[2 * queens]``: distinct tiles.

    Raises
    ------
    InvalidInput
        If any of that does not hold.
    """
    if board.n > MOST_TILES:
        raise InvalidInput(f"amazons: the board has {board.n} tiles, at most {MOST_TILES} can be")
    sides = queen_sides(board)
    check_starts(board, starts)
    ends, tiles = all_lines(sides)
    sources = np.repeat(sides.tiles(), np.diff(ends))
    ways = sources.astype(np.int64) * board.n + tiles
    shots = np.bincount(sources, minlength=board.n)
    moves = np.bincount(sources, weights=shots[tiles], minlength=board.n)
    queens = len(starts) // 2
    return AmazonsSetup(
        offsets=sides.offsets.copy(),  # kernels are compiled for writable arrays
        lines=ends.astype(np.int32),
        tiles=tiles,
        starts=np.array(starts, np.int32),
        queens=queens,
        capacity=max(1, int(np.sort(moves)[-queens:].sum())),
        tangled=len(np.unique(ways)) < len(ways),
        columns=columns_of(board),
    )


def queen_sides(board: Board) -> Sides:
    """Return the ways out of every tile, clockwise: its sides; a square's corners between them."""
    if board.sides is None:
        raise InvalidInput(f"amazons: the board {board.name!r} has no straight lines")
    return with_corners(board.sides) if has_squares(board) else board.sides


def has_squares(board: Board) -> bool:
    """Tell whether all tiles are squares, as they are drawn."""
    sides = board.sides
    if sides is None or (np.diff(sides.offsets) != 4).any():
        return False
    if (np.diff(board.outline_offsets) != 4).any():
        return False
    corners = board.outline_points.view(np.complex128).reshape(-1, 4)
    edges = np.diff(corners, axis=1)  # each a quarter turn from the one before
    return bool(
        np.allclose(edges[:, 1] ** 2, -(edges[:, 0] ** 2)) and np.allclose(edges[:, 2], -edges[:, 0])
    )


def with_corners(sides: Sides) -> Sides:
    """Return eight sides for each tile of four: every second one leads through a corner.

    Corner ``s`` lies between the sides ``s`` and ``s + 1``. The tile beyond it is found around
    either of them, so it is missed only where both neighbors are missing.
    """
    near, entry = sides.neighbors.reshape(-1, 4), sides.entries.reshape(-1, 4)
    n = len(near)
    corners, corner_entries = np.full((2, n, 4), WATER)
    for side in range(4):
        for first, turn, onward in ((side, -1, 1), ((side + 1) % 4, 1, 2)):
            between = near[:, first]
            leave = (entry[:, first] + turn) % 4
            there = np.where(between == WATER, WATER, near[between, leave])
            found = (there != WATER) & (corners[:, side] == WATER)
            corners[found, side] = there[found]
            # The line goes on through a corner of the same direction; it came in by the opposite.
            ahead = entry[between, leave] + onward
            corner_entries[found, side] = (ahead[found] + 2) % 4
    entries = np.where(entry == WATER, WATER, 2 * entry)
    corner_entries = np.where(corners == WATER, WATER, 2 * corner_entries + 1)
    return Sides(
        np.arange(n + 1) * 8,
        np.stack([near, corners], axis=2).ravel(),
        np.stack([entries, corner_entries], axis=2).ravel(),
    )


def columns_of(board: Board) -> int:
    """Return the columns of a full grid of squares, row by row; 0 for any other board."""
    columns = int(np.count_nonzero(board.positions[:, 1] == board.positions[0, 1]))
    places = np.stack(np.divmod(np.arange(board.n), columns)[::-1], axis=1)
    is_grid = np.array_equal(board.positions - board.positions[0], places)
    return columns if is_grid and has_squares(board) and columns <= MOST_COLUMNS else 0


def usual_starts(board: Board, queens: int) -> IntArray:
    """Return where queens start, ``int32[2 * queens]``: seat 0's first.

    Four on a grid of squares stand as ever: on the border, a third of its length from the corners,
    seat 0's below. Elsewhere queens stand far apart, dealt out in turn, the later seat first every
    second time.
    """
    if 2 * queens >= board.n:
        raise InvalidInput(f"amazons: 2 x {queens} queens do not fit on {board.n} tiles")
    columns = columns_of(board)
    rows = board.n // columns if columns else 0
    if queens == QUEENS and min(columns, rows) >= 4:
        right, up = (columns - 1) // 3, (rows - 1) // 3
        white = [(rows - 1, right), (rows - 1, columns - 1 - right)]
        white += [(rows - 1 - up, 0), (rows - 1 - up, columns - 1)]
        black = [(rows - 1 - row, column) for row, column in white]
        return np.array([row * columns + column for row, column in white + black], np.int32)
    pairs = board.starts(2 * queens).reshape(queens, 2).copy()
    pairs[1::2] = pairs[1::2, ::-1]
    return pairs.T.ravel()


def check_starts(board: Board, starts: IntArray) -> None:
    """Raise InvalidInput unless these are the tiles of as many queens for both seats."""
    if starts.ndim != 1 or starts.dtype.kind not in "iu" or len(starts) % 2 or not len(starts):
        raise InvalidInput("amazons: starts must be tiles, as many for white as for black")
    wrong = starts[(starts < 0) | (starts >= board.n)]
    if wrong.size:
        raise InvalidInput(f"amazons: no tile {wrong[0]} to start on, the board has {board.n}")
    if len(np.unique(starts)) < len(starts):
        raise InvalidInput("amazons: two queens start on one tile")
