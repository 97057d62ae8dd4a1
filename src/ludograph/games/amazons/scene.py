"""The picture of a position of Amazons."""

from __future__ import annotations

import numpy as np

from ludograph.games.amazons.notation import tile_text
from ludograph.games.amazons.rules import ARROW, FREE, LAST, cells_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.games.position import Position
from ludograph.views import Scene, Stroke, Swatch

PALETTE = (
    Swatch("free", "#efdcb5", "."),
    Swatch("free, dark", "#dfc08d", "."),
    Swatch("white", "#ffffff", "O"),
    Swatch("black", "#1c1c20", "X"),
    Swatch("arrow", "#8c4a3c", "*"),
)
DARK, WHITE, BURNT = 1, 2, 4

TRAIL = "#2f7fd0"
"""The move played last: the way of the queen, and the arrow's."""


def amazons_scene(position: Position) -> Scene:
    """Draw queens and arrows, and the names of tiles on the free ones along two borders."""
    setup: AmazonsSetup = position.setup
    board = position.board
    first = cells_at(setup)
    cells = position.state[first : first + board.n]
    fills = np.where(cells > 0, WHITE + (cells - 1) // setup.queens, FREE)
    fills[cells == ARROW] = BURNT
    labels = dict.fromkeys(np.flatnonzero(cells > 0).tolist(), "♛")
    if setup.columns:
        rows, columns = np.divmod(np.arange(board.n), setup.columns)
        fills[(fills == FREE) & ((rows + columns + rows.max()) % 2 == 0)] = DARK
        edge = (cells == FREE) & ((columns == 0) | (rows == rows.max()))
        labels |= {tile: tile_text(setup, tile) for tile in np.flatnonzero(edge).tolist()}
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills.astype(np.int32),
        palette=PALETTE,
        labels=labels,
        links=board.edges() if board.links else None,
        strokes=trail(board.n, int(position.state[LAST])),
    )


def trail(n: int, move: int) -> tuple[Stroke, ...]:
    """Return the ways of a move on a board of ``n`` tiles; none for -1."""
    if move < 0:
        return ()
    return (Stroke((move // (n * n), move // n % n, move % n), TRAIL),)
