"""The picture of a position of Amazons."""

from ludograph.games.amazons.notation import tile_text
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.rules import ARROW, FREE
from ludograph.views import Scene, Stroke, Swatch

PALETTE = (
    Swatch("arrow", "#8c4a3c", "*"),
    Swatch("free", "#efdcb5", "."),
    Swatch("white", "#ffffff", "O"),
    Swatch("black", "#1c1c20", "X"),
)

TRAIL = "#2f7fd0"
"""The move played last: the way of the queen, and the arrow's."""


def amazons_scene(position: AmazonsPosition) -> Scene:
    """Draw queens and arrows, and the names of free tiles along two borders of a grid."""
    board, setup, tiles, trail = position.board, position.setup, position.tiles, position.last_move
    n, columns = board.n, setup.columns
    border = {*range(0, n, columns), *range(n - columns, n)} if columns else set()
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=tiles - ARROW,
        palette=PALETTE,
        labels={tile: tile_text(setup, tile) for tile in border if tiles[tile] == FREE},
        links=board.edges() if board.links else None,
        strokes=(Stroke(trail, TRAIL),) if trail else (),
    )
