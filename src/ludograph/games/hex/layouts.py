"""The usual boards of Hex: their cells, and the owners of border vertices.

Borders are ordinary vertices, marked ``black`` and ``white`` on the board (`docs/hex.md`, section
Boards); black owns the top and the bottom.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board, hexagonal, square, triangular
from ludograph.boards.tilings.triangular import row_sizes
from ludograph.errors import InvalidInput

Ints = npt.NDArray[np.int32]
Borders = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The border vertices of black and of white, ascending."""

COLOR_NAMES = ("black", "white")
"""The names of the two colors, which are also the marks of a board."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of board by the shape of its cells.

    Attributes
    ----------
    cells
        The shape of the cells in words.
    make
        The function from the width m to the board without marks.
    borders
        The function from the width m to the border vertices.
    width
        The function from a number of vertices to the width m of the board with this number; for
        other numbers its result means nothing.
    draws
        Whether a full board can be a draw.
    coordinates
        Whether vertices have names by column and row.
    """

    cells: str
    make: Callable[[int], Board]
    borders: Callable[[int], Borders]
    width: Callable[[int], int]
    draws: bool
    coordinates: bool


def hex_board(m: int, kind: str = "h") -> Board:
    """Return a board of width m with its borders marked.

    Parameters
    ----------
    m
        The width, at least 2. A board of hexagonal or square cells has (m - 1)² free cells; a
        hexagon of triangular cells has sides of m.
    kind
        The shape of the cells: ``h`` hexagonal, ``c`` square, ``t`` triangular.

    Raises
    ------
    InvalidInput
        If there is no such kind or width.
    """
    if kind not in LAYOUTS:
        choices = ", ".join(f"{letter} ({layout.cells})" for letter, layout in LAYOUTS.items())
        raise InvalidInput(f"hex: no kind of board is called {kind!r}; there are {choices}")
    if isinstance(m, bool) or not isinstance(m, int | np.integer):
        raise InvalidInput(f"hex: the width must be a whole number, got {m!r}")
    if m < 2:
        raise InvalidInput(f"hex: the width must be at least 2, got {m}")
    layout = LAYOUTS[kind]
    shape, size = layout.cells.removesuffix(" cells"), m if kind == "t" else m - 1
    board = layout.make(int(m))  # first, since it refuses boards that are too large
    black, white = layout.borders(int(m))
    return board.with_marks({"black": black, "white": white}, name=f"{shape}:{size}")


def recognize(board: Board) -> Layout | None:
    """Return the layout with the edges and marks of a board, or None; names do not matter."""
    for kind, layout in LAYOUTS.items():
        m = layout.width(board.n)
        if m < 2:
            continue
        known = _known(m, kind)
        if (
            known.n == board.n
            and np.array_equal(known.offsets, board.offsets)
            and np.array_equal(known.neighbors, board.neighbors)
            and all(
                np.array_equal(known.marks[name], np.sort(board.marks[name]))
                for name in COLOR_NAMES
            )
        ):
            return layout
    return None


@functools.lru_cache(maxsize=8)
def _known(m: int, kind: str) -> Board:
    return hex_board(m, kind)


def _rhombus_borders(m: int) -> Borders:
    """Return the borders of a rhombus with m + 1 rows and columns."""
    w = m + 1
    top, bottom = np.arange(m), np.arange(1, w) + m * w
    right, left = np.arange(m) * w + m, np.arange(1, w) * w
    return np.sort(np.concatenate([top, bottom])), np.sort(np.concatenate([right, left]))


def _hexagon_borders(m: int) -> Borders:
    """Return the borders of a hexagon of triangles: a half, and its image turned by 180°."""
    sizes = row_sizes(m, m)
    ends = np.cumsum(sizes).tolist()
    black: set[int] = set()
    white: set[int] = set()
    for row in range(m):
        first, end = ends[row] - sizes[row], ends[row]
        black |= {first, first + 1}
        if 1 <= row < m // 2:
            black |= {end - 2, end - 1}
        elif row == m // 2:
            white.add(end - 1)
        elif row > m // 2:
            white |= {end - 2, end - 1}
    for row in range(m, 3 * m - 1):
        white |= {ends[row] - sizes[row], ends[row] - 1}
    last = ends[-1] - 1
    return (
        np.array(sorted(black | {last - v for v in black})),
        np.array(sorted(white | {last - v for v in white})),
    )


LAYOUTS: MappingProxyType[str, Layout] = MappingProxyType(
    {
        "h": Layout(
            cells="hexagonal cells",
            make=lambda m: hexagonal(m + 1),
            borders=_rhombus_borders,
            width=lambda n: math.isqrt(n) - 1,
            draws=False,
            coordinates=True,
        ),
        "c": Layout(
            cells="square cells",
            make=lambda m: square(m + 1),
            borders=_rhombus_borders,
            width=lambda n: math.isqrt(n) - 1,
            draws=True,
            coordinates=True,
        ),
        "t": Layout(
            cells="triangular cells",
            make=triangular,
            borders=_hexagon_borders,
            width=lambda n: math.isqrt(n // 6),
            draws=True,
            coordinates=False,
        ),
    }
)
"""The kinds of boards by their letters."""
