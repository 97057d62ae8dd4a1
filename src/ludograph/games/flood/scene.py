"""The picture of a position of Flood."""

from __future__ import annotations

from ludograph.games.flood.position import FloodPosition
from ludograph.views import CellLook, Scene
from ludograph.views.colors import distinct, soft

ZONE_INKS = ("#111111", "#ffffff", "#7f1d1d", "#1e3a8a")
"""The colors of the borders around zones, by seat; pictures dash the third and the fourth."""


def flood_scene(position: FloodPosition) -> Scene:
    """Return the picture: vertices in their colors, zones with borders, seats on start vertices."""
    board, seats = position.board, position.seats
    labels = {vertex: str(seat) for seat, vertex in enumerate(position.starts)}
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=position.colors,
        palette=soft(position.color_count),
        labels=labels,
        groups=position.zones,
        group_colors=tuple(ZONE_INKS[seat % len(ZONE_INKS)] for seat in range(seats)),
        links=board.edges() if board.links else None,
        look=CellLook(position.colors, distinct(position.color_count), labels),
    )
