"""The ornaments of the board game's tiles: monasteries and shields.

They count by the official rules only, and stand upright on turned tiles.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludograph.games.carcassonne.tiles import Tile
from ludograph.views import Shape

WALL, ROOF, DOOR, RIM = "#f3ead6", "#b0413a", "#6f4a2f", "#4a3327"
BLUE, GOLD = "#2f5fb3", "#f2c84b"

NAVE = np.array([[-0.14, 0.15], [-0.14, -0.01], [0.08, -0.01], [0.08, 0.15]])
GABLE = np.array([[-0.17, -0.01], [-0.03, -0.12], [0.11, -0.01]])
TOWER = np.array([[0.06, 0.15], [0.06, -0.11], [0.16, -0.11], [0.16, 0.15]])
SPIRE = np.array([[0.04, -0.11], [0.11, -0.23], [0.18, -0.11]])
GATE = np.array([[-0.065, 0.15], [-0.065, 0.06], [-0.03, 0.03], [0.005, 0.06], [0.005, 0.15]])

ARMS = 0.1 * np.array(
    [[-1, -1.1], [1, -1.1], [1, 0.1], [0.75, 0.7], [0, 1.25], [-0.75, 0.7], [-1, 0.1]]
)
BEND = 0.1 * np.array([[-1, -1.1], [-0.35, -1.1], [0.93, 0.3], [0.66, 0.83]])

PLACES = (
    *((0, (11, 0)), (2, (2, 3)), (8, (5, 6)), (6, (8, 9))),  # corners
    *((1, (1,)), (5, (4,)), (7, (7,)), (3, (10,))),
)
"""The places of a shield among the nine cells of a tile, and the vertices of each place."""


@lru_cache(maxsize=512)
def ornament_shapes(tile: Tile) -> tuple[Shape, ...]:
    """Draw the ornaments of a tile; most tiles have none.

    Parameters
    ----------
    tile
        The turned tile.
    """
    shapes = monastery() if tile.monastery else ()
    for vertex in tile.shields:
        place = shield_place(tile, vertex)
        shapes += () if place is None else shield(*place)
    return shapes


def monastery() -> tuple[Shape, ...]:
    """Draw a church in the middle of a tile."""
    parts = ((NAVE, WALL), (TOWER, WALL), (GABLE, ROOF), (SPIRE, ROOF), (GATE, DOOR))
    return tuple(Shape(1.25 * points, fill, RIM, 0.016) for points, fill in parts)


def shield(x: float, y: float) -> tuple[Shape, ...]:
    """Draw a coat of arms."""
    at = np.array((x, y))
    return (Shape(ARMS + at, BLUE, "#ffffff", 0.05), Shape(ARMS + at, BLUE), Shape(BEND + at, GOLD))


def shield_place(tile: Tile, vertex: int) -> tuple[float, float] | None:
    """Return the place of a castle's shield on a tile; None if the castle has too little room."""
    own = tile.components[vertex]
    for part, vertices in PLACES:
        if all(tile.components[other] == own for other in vertices):
            return 0.28 * (part % 3 - 1), 0.28 * (part // 3 - 1)
    return None
