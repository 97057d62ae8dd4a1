"""Where texts stand on the picture of the country: names and numbers of tiles, rows and columns.

The cells of a picture are the nine of each tile, row by row, in the order in which tiles were laid.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.scene import meeple_spot

CELLS = 9
"""Of a tile."""

UPPER, MIDDLE, LOWER = 1, 4, 7
"""Cells in the middle column of a tile."""


def number_cells(position: CarcassonnePosition) -> Iterator[tuple[int, ...]]:
    """Yield for each move the cell on which its number is written; nothing for a deal."""
    tiles = enumerate(position.tiles)
    next(tiles)  # it lay there before the first move
    for move in position.history:
        if move < position.setup.kinds:
            yield ()
            continue
        number, placed = next(tiles)
        yield (CELLS * number + (MIDDLE if holds(placed, UPPER) else UPPER),)


def names(position: CarcassonnePosition) -> dict[int, str]:
    """Return where each tile lies, as in ``3,-1``, on its lower edge."""
    return {
        CELLS * number + (MIDDLE if holds(placed, LOWER) else LOWER): f"{placed.x},{placed.y}"
        for number, placed in enumerate(position.tiles)
    }


def holds(placed: PlacedTile, spot: int) -> bool:
    """Tell whether a meeple is shown on a cell of a tile."""
    return placed.meeple is not None and meeple_spot(placed) == spot


def rows_and_columns(position: CarcassonnePosition) -> tuple[dict[int, str], dict[int, str]]:
    """Return the y of each row and the x of each column, by the middle of a tile in it."""
    middles = [(CELLS * n + MIDDLE, placed) for n, placed in enumerate(position.tiles)]
    rows = {placed.y: cell for cell, placed in reversed(middles)}
    columns = {placed.x: cell for cell, placed in reversed(middles)}
    return {cell: str(y) for y, cell in rows.items()}, {cell: str(x) for x, cell in columns.items()}
