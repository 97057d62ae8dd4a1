"""The setup of Amazons: the lines out of every tile, and the starts of the queens."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board, all_lines, square
from ludograph.boards.corners import has_squares, with_corners
from ludograph.boards.planar import HOW_TO_DERIVE
from ludograph.errors import InvalidInput
from ludograph.games.amazons.options import MOST_TILES
from ludograph.rules.kernels.sets import CAPACITY, Set, from_int, words_for

IntArray = npt.NDArray[np.int32]


class Grid(NamedTuple):
    """The tiles of a full grid as sets, for :mod:`.territory`; empty sets for any other board."""

    tiles: Set
    """All tiles."""
    right: Set
    """The tiles at which a step to the right can end: all but the first column."""
    left: Set
    """The tiles at which a step to the left can end: all but the last column."""


class AmazonsSetup(NamedTuple):
    """The board as lines of tiles: the rules only follow these lines."""

    offsets: IntArray
    """``int32[n + 1]``: tile ``v`` has the lines ``offsets[v]`` to ``offsets[v + 1] - 1``."""
    lines: IntArray
    """``int32[lines + 1]``: line ``i`` is ``tiles[lines[i]:lines[i + 1]]``, nearest first."""
    tiles: IntArray
    """``int32[lines[-1]]``: the tiles of all lines, one line after another."""
    starts: IntArray
    """``int32[2 * queens]``: the tiles of the queens, alternating between seat 0 and seat 1."""
    capacity: int
    """An upper bound of the number of moves of a seat."""
    tangled: bool
    """Whether several lines lead from one tile to another."""
    columns: int
    """The number of columns of a full grid whose tiles have coordinates, else 0."""
    grid: Grid


def make_setup(board: Board, queens: int) -> AmazonsSetup:
    """Return the setup of a game with a number of queens for each seat.

    Raises
    ------
    InvalidInput
        If the tiles of the board have no sides, or their number is out of range.
    """
    sides, columns = board.sides, 0
    if sides is None:
        raise InvalidInput(
            f"amazons: the board {board.name!r} has no straight lines; {HOW_TO_DERIVE}"
        )
    if not 2 * queens < board.n <= MOST_TILES:
        needed = f"{2 * queens + 1} to {MOST_TILES} tiles"
        raise InvalidInput(f"amazons: the board needs {needed}, {board.name!r} has {board.n}")
    if has_squares(board, sides):
        sides, columns = with_corners(sides), columns_of(board)
    ends, tiles = all_lines(sides)
    sources = np.repeat(sides.tiles(), np.diff(ends))
    capacity = queens * int(np.bincount(sources).max()) ** 2
    tangled = len(np.unique(sources * board.n + tiles)) < len(tiles)
    starts, lines = starts_of(board, queens, columns), ends.astype(np.int32)
    offsets = sides.offsets.copy()  # kernels are compiled for writable arrays
    grid = make_grid(columns, board.n, lines, tiles)
    return AmazonsSetup(offsets, lines, tiles, starts, capacity, tangled, columns, grid)


def make_grid(columns: int, n: int, lines: IntArray, tiles: IntArray) -> Grid:
    """Return the tiles as sets if the board has all tiles and lines of a grid; else empty sets."""
    nothing = from_int(0, 1)
    if columns < 2 or n > CAPACITY:
        return Grid(nothing, nothing, nothing)
    sides = square(columns, n // columns).sides
    assert sides is not None
    ends, plain = all_lines(with_corners(sides))
    if not (np.array_equal(ends, lines) and np.array_equal(plain, tiles)):
        return Grid(nothing, nothing, nothing)
    first = sum(1 << tile for tile in range(0, n, columns))
    everything, last, words = (1 << n) - 1, first << columns - 1, words_for(n)
    return Grid(*(from_int(everything & ~column, words) for column in (0, first, last)))


def columns_of(board: Board) -> int:
    """Return the number of columns of a full grid with at most 26; 0 for any other board."""
    columns = int(np.count_nonzero(board.positions[:, 1] == board.positions[0, 1]))
    rows, places = np.divmod(np.arange(board.n), columns)
    is_grid = np.array_equal(board.positions - board.positions[0], np.stack([places, rows], axis=1))
    return columns if is_grid and columns <= 26 else 0


def starts_of(board: Board, queens: int, columns: int) -> IntArray:
    """Return the tiles on which queens start, as in the setup.

    Four queens of a seat on a grid have the usual starts: on the border, a third of its length from
    the corners, with seat 0 below. Otherwise the queens start far apart. They form pairs: the first
    of each pair belongs to seat 0 and seat 1 in turn.
    """
    rows = board.n // max(columns, 1)
    if queens == 4 and min(columns, rows) >= 4:
        right, down = (columns - 1) // 3, (rows - 1) // 3 * columns
        black = np.array([right, columns - 1 - right, down, down + columns - 1], np.int32)
        return np.stack([board.n - 1 - black, black], axis=1).ravel()
    pairs = board.starts(2 * queens).reshape(queens, 2).copy()
    pairs[1::2] = pairs[1::2, ::-1]
    return pairs.ravel()
