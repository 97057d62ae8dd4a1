"""The picture of a board without a game: its cells or nodes, its marks, its numbers."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from ludograph.views import Scene, Swatch

if TYPE_CHECKING:
    from ludograph.boards.board import Board

NUMBERED = 200
"""The greatest number of vertices for which the picture shows their numbers by default."""

PLAIN = Swatch("vertex", "#c9d6e6", ".")
MARKS = ("#b9c9a4", "#e3c08f", "#c5b3d6", "#e0aeb4", "#9fc5c9", "#d5cf94")
"""The colors of marks without a color of their own, used in turn."""

COLORS = {
    "black": "#2a2a31",
    "white": "#ffffff",
    "red": "#d9534f",
    "blue": "#4a7fd4",
    "green": "#4ca466",
    "yellow": "#efd44a",
}
"""The colors of marks with these names."""

OUTLINE = "#85858f"
"""The color around marked vertices, which makes white ones visible."""


def mark_colors(board: Board) -> dict[str, str]:
    """Return the color of each mark of a board in its picture, as ``#rrggbb``."""
    tints = itertools.cycle(MARKS)
    return {name: COLORS.get(name) or next(tints) for name in board.marks}


def scene_of(board: Board, *, title: bool = True, numbers: bool | None = None) -> Scene:
    """Return the picture of a bare board; a vertex in several marks has the color of the last."""
    fills = np.zeros(board.n, dtype=np.int32)
    for number, vertices in enumerate(board.marks.values()):
        fills[vertices] = 1 + number
    numbered = board.n <= NUMBERED if numbers is None else numbers
    marked = f"Marked: {', '.join(board.marks)}." if board.marks else ""
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills,
        palette=(
            PLAIN,
            *(Swatch(name, rgb, "+", OUTLINE) for name, rgb in mark_colors(board).items()),
        ),
        labels={v: str(v) for v in range(board.n)} if numbered else {},
        links=board.edges() if board.links else None,
        title=f"{board.name}, {board.n} vertices, {board.edge_count} edges" if title else "",
        captions=(marked,) if title and marked else (),
    )
