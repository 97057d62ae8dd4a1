"""The picture of a position of Hex."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.games.hex.notation import letters
from ludograph.games.hex.rules import CELLS, LAST, STONE, WINNER
from ludograph.games.hex.setup import NOBODY, HexSetup, chains_of
from ludograph.games.position import Position
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


def stones(position: Position) -> npt.NDArray[np.int32]:
    """Return the color of each vertex, borders included, or ``NOBODY``: ``int32[n]``."""
    cells = position.state[CELLS : CELLS + position.board.n]
    return np.where(cells < 0, STONE - cells, NOBODY).astype(np.int32)


def hex_scene(position: Position) -> Scene:
    """Draw stones on wood between the borders, with coordinates where the board has them."""
    setup: HexSetup = position.setup
    board = position.board
    colors = stones(position)
    fills = np.where(colors == NOBODY, FREE_FILL, STONE_FILL + colors)
    fills = np.where(setup.owners == NOBODY, fills, BORDER_FILL + setup.owners)
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills.astype(np.int32),
        palette=PALETTE,
        labels=coordinates(setup.columns),
        links=board.edges() if board.links else None,
        strokes=marks(position, colors),
    )


def coordinates(columns: int) -> dict[int, str]:
    """Return the letters of the columns on the top border, the numbers of the rows on the left."""
    names = {column: letters(column - 1) for column in range(1, columns - 1)}
    return names | {row * columns: str(row) for row in range(1, columns - 1)}


def marks(position: Position, colors: npt.NDArray[np.int32]) -> tuple[Stroke, ...]:
    """Return the chain that has won, or else a ring around the last stone."""
    winner = int(position.state[WINNER])
    if winner != NOBODY:
        return (Stroke(winning_chain(position.board, position.setup, colors, winner), MARK),)
    last = int(position.state[LAST])
    return () if last == NOBODY else (Stroke((last,), MARK),)


def winning_chain(
    board: Board, setup: HexSetup, colors: npt.NDArray[np.int32], color: int
) -> tuple[int, ...]:
    """Return a shortest path of a color from one of its border chains to the other."""
    near, far = (set(chain) for chain in chains_of(board, setup.owners == color))
    before = dict.fromkeys(near, -1)
    queue = list(near)
    for vertex in queue:  # grows as it is walked
        if vertex in far:
            path = [vertex]
            while before[path[-1]] >= 0:
                path.append(before[path[-1]])
            return tuple(path)
        for other in board.neighbors_of(vertex).tolist():
            if other not in before and colors[other] == color:
                before[other] = vertex
                queue.append(other)
    return ()
