"""The picture of a position of Flood."""

from __future__ import annotations

from ludograph.games.flood.position import FloodPosition
from ludograph.views import Scene
from ludograph.views.colors import distinct

ZONE_INKS = ("#111111", "#ffffff", "#7f1d1d", "#1e3a8a")
"""Borders around the zones of the seats, in turn; pictures dash the third and the fourth."""


def flood_scene(position: FloodPosition) -> Scene:
    """Draw every vertex in its color, the zones with a border, the starts with their seats."""
    board, seats = position.board, position.seats
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=position.colors,
        palette=distinct(position.color_count),
        labels={vertex: str(seat) for seat, vertex in enumerate(position.starts)},
        groups=position.zones,
        group_colors=tuple(ZONE_INKS[seat % len(ZONE_INKS)] for seat in range(seats)),
        links=board.edges() if board.links else None,
    )
