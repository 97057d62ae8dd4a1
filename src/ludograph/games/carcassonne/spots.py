"""Placements by pointing: the cell, the rotation of the tile, and the place of the meeple."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.artwork import (
    SQUARE,
    frame_shapes,
    meadow,
    meeple_shapes,
    tile_shapes,
)
from ludograph.games.carcassonne.claims import claim
from ludograph.games.carcassonne.ornaments import ornament_shapes
from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.scene import meeple_point, player_colors
from ludograph.games.carcassonne.tiles import VERTICES
from ludograph.views import Sketch, Spot

OPEN = (False,) * VERTICES
UNPLAYED = "#f07c00"
"""The color of the frame of a tile that is placed, but not confirmed."""
CIRCLE = 0.13 * np.stack([f(np.arange(40) * np.pi / 20) for f in (np.cos, np.sin)], axis=1)
"""The outline of the spot around a meeple."""


def spots(position: CarcassonnePosition, move: int) -> tuple[Spot, ...]:
    """Return the parts of a placement: cell, rotation and meeple; nothing for a deal."""
    dealt = position.dealt
    if dealt is None:
        return ()
    x, y, quarters, vertex = position.placement(move)
    place = (float(x), float(-y))
    square = SQUARE + place
    tile = dealt.tile.rotated(quarters)
    shapes = tile_shapes(tile.components, tile.terrains, OPEN)
    ornament = ornament_shapes(tile)
    ghost = (
        Sketch(meadow(0), place),
        *((Sketch(shapes, place, 1),) if shapes else ()),
        *((Sketch(ornament, place, 2),) if ornament else ()),
        Sketch(frame_shapes(UNPLAYED, 0.05), place, 2),
    )
    parts = (Spot(f"{x},{y}", square), Spot(f"r{quarters}", square, ghost))
    if vertex is None:
        return parts
    seat = position.turn or 0
    placed = PlacedTile(x, y, dealt.name, quarters, tile, OPEN, (seat, vertex))
    right, down = meeple_point(placed)
    spot = (place[0] + right, place[1] + down)
    meeple = Sketch(meeple_shapes(player_colors(position.seats)[seat].rgb), spot, 3)
    text = claim(position, move)
    return (*parts, Spot(f"{text[:1].upper()}{text[1:]}", CIRCLE + spot, (meeple,)))
