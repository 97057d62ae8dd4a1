"""What a placement does, in the words of a person: which road, castle or field a meeple claims."""

from __future__ import annotations

from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.scene import meeple_spot
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.tiles import POINTS, VERTICES, Tile

WHERE = (
    *("at the top left", "at the top", "at the top right"),
    *("on the left", "in the middle", "on the right"),
    *("at the bottom left", "at the bottom", "at the bottom right"),
)
"""The nine cells of a tile, row by row."""


def action(position: CarcassonnePosition, move: int) -> str:
    """Return what a placement does; nothing for a tile that is dealt."""
    dealt = position.dealt
    if dealt is None:
        return ""
    *_, quarters, vertex = position.placement(move)
    if vertex is not None:
        return f"Place it and claim {part(dealt.tile.rotated(quarters), vertex)}"
    without = position.setup.mode == NO_MEEPLE or position.meeples(position.turn or 0) == 0
    return "Place the tile" if without else "Place it without a meeple"


def closing(laid: PlacedTile) -> str:
    """Return what a tile that was just laid has closed, to be added to a sentence."""
    tile = laid.tile
    parts: dict[int, str] = {}
    for vertex in range(VERTICES):
        if laid.closed[vertex] and POINTS[tile.terrains[vertex]]:
            parts.setdefault(tile.components[vertex], part(tile, vertex))
    return f", closing {' and '.join(parts.values())}" if parts else ""


def part(tile: Tile, vertex: int) -> str:
    """Return what a vertex belongs to: ``the road``, or where on the tile if there are several.

    Examples
    --------
    >>> from ludograph.games.carcassonne.decks import INIT, XROAD
    >>> part(INIT, 1), part(XROAD, 1)
    ('the castle', 'the road at the top')
    """
    terrain = tile.terrains[vertex]
    same = {tile.components[other] for other in range(VERTICES) if tile.terrains[other] == terrain}
    name = f"the {tile.terrain_name(vertex)}"
    if len(same) == 1:
        return name
    standing = PlacedTile(0, 0, None, 0, tile, meeple=(0, vertex))
    return f"{name} {WHERE[meeple_spot(standing)]}"
