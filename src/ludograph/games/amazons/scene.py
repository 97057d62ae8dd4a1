"""The picture of a position of Amazons."""

from ludograph.games.amazons.notation import tile_text
from ludograph.games.amazons.rules import ARROW, CELLS, FREE, LAST
from ludograph.games.position import Position
from ludograph.views import Scene, Stroke, Swatch

PALETTE = (
    Swatch("arrow", "#8c4a3c", "*"),
    Swatch("free", "#efdcb5", "."),
    Swatch("white", "#ffffff", "O"),
    Swatch("black", "#1c1c20", "X"),
)

TRAIL = "#2f7fd0"
"""The move played last: the way of the queen, and the arrow's."""


def amazons_scene(position: Position) -> Scene:
    """Draw queens and arrows, and the names of free tiles along two borders of a grid."""
    board, n, columns = position.board, position.board.n, position.setup.columns
    cells = position.state[CELLS : CELLS + n]
    border = {*range(0, n, columns), *range(n - columns, n)} if columns else set()
    last = int(position.state[LAST])
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=cells - ARROW,
        palette=PALETTE,
        labels={tile: tile_text(position.setup, tile) for tile in border if cells[tile] == FREE},
        links=board.edges() if board.links else None,
        strokes=(Stroke((last // (n * n), last // n % n, last % n), TRAIL),) if last >= 0 else (),
    )
