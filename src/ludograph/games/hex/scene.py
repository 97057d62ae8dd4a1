"""The picture of a position of Hex."""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.notation import letters
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import NOBODY, chains_of
from ludograph.views import Scene, Stroke, Swatch

PALETTE = (
    Swatch("free", "#dfb877", "."),
    Swatch("black", "#1c1c20", "x"),
    Swatch("white", "#ffffff", "o"),
    Swatch("black border", "#47474f", "X"),
    Swatch("white border", "#cfced9", "O"),
)
FREE_FILL, STONE_FILL, BORDER_FILL = 0, 1, 3

MARK = "#e5484d"
"""The stone played last, and the chain that has won."""


def hex_scene(position: HexPosition) -> Scene:
    """Draw stones on wood between the borders, with coordinates where the board has them."""
    board, stones, borders = position.board, position.stones, position.borders
    fills = np.where(stones == NOBODY, FREE_FILL, STONE_FILL + stones)
    fills = np.where(borders == NOBODY, fills, BORDER_FILL + borders)
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills.astype(np.int32),
        palette=PALETTE,
        labels=coordinates(position),
        links=board.edges() if board.links else None,
        strokes=marks(position),
    )


def coordinates(position: HexPosition) -> dict[int, str]:
    """Return the letters of the columns on the top border, the numbers of the rows on the left."""
    names = {position.vertex(-1, column): letters(column) for column in range(position.size)}
    return names | {position.vertex(row, -1): str(row + 1) for row in range(position.size)}


def marks(position: HexPosition) -> tuple[Stroke, ...]:
    """Return the chain that has won, or else a ring around the last stone."""
    if position.winner is not None:
        return (Stroke(winning_chain(position, position.winner), MARK),)
    last = position.last_vertex
    return () if last is None else (Stroke((last,), MARK),)


def winning_chain(position: HexPosition, color: int) -> tuple[int, ...]:
    """Return a shortest path of a color from one of its border chains to the other."""
    board, stones = position.board, position.stones
    near, far = (set(chain) for chain in chains_of(board, position.borders == color))
    before = dict.fromkeys(near, -1)
    queue = list(near)
    for vertex in queue:  # grows as it is walked
        if vertex in far:
            path = [vertex]
            while before[path[-1]] >= 0:
                path.append(before[path[-1]])
            return tuple(path)
        for other in board.neighbors_of(vertex).tolist():
            if other not in before and stones[other] == color:
                before[other] = vertex
                queue.append(other)
    return ()
