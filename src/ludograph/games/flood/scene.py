"""The picture of a position of Flood."""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import COLOR, OWNER, cells_at, zone_at
from ludograph.games.position import Position
from ludograph.views import Scene
from ludograph.views.palette import distinct

ZONE_INKS = ("#111111", "#ffffff", "#7f1d1d", "#1e3a8a")
"""Borders around the zones of the seats, in turn."""


def current_colors(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """Return each vertex's color now and the seat that controls it (-1: nobody), ``int32[n]``."""
    setup: FloodSetup = position.setup
    first = cells_at(setup)
    cells = position.state[first : first + setup.sizes.size]
    owner = (cells & OWNER) - 1
    colors = setup.colors.copy()
    for seat in range(setup.starts.size):
        colors[owner == seat] = position.state[zone_at(seat) + COLOR]
    return colors[setup.region_of], owner[setup.region_of]


def flood_scene(position: Position) -> Scene:
    """Draw every vertex in its color, the zones with a border, the starts with their seats."""
    setup: FloodSetup = position.setup
    board = position.board
    colors, owners = current_colors(position)
    seats = setup.starts.size
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=colors,
        palette=distinct(setup.color_count),
        labels={vertex: str(seat) for seat, vertex in enumerate(setup.start_vertices.tolist())},
        groups=owners,
        group_colors=tuple(ZONE_INKS[seat % len(ZONE_INKS)] for seat in range(seats)),
        links=board.edges() if board.links else None,
    )
