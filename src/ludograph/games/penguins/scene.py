"""The picture of a position of Penguins."""

from __future__ import annotations

import numpy as np

from ludograph.games.penguins.position import PenguinsPosition
from ludograph.views import Scene, Stroke, Swatch
from ludograph.views.palette import distinct

WATER = 0
"""The first color of the palette; those of ice follow, by its fish."""

ICE_PALETTE = (
    Swatch("water", "#44708c", "~"),
    Swatch("one fish", "#eaf4fa", "1"),
    Swatch("two fish", "#d0e6f3", "2"),
    Swatch("three fish", "#aed4eb", "3"),
)
PENGUINS = len(ICE_PALETTE)
FISH = ("", "·", ":", "∴")
"""How many fish are on a tile, as dots."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@#$%&*+=<>?!"
"""The seats in plain text."""

TRAIL = "#26262b"
"""The move played last."""


def penguins_scene(position: PenguinsPosition) -> Scene:
    """Draw ice with its fish, penguins in their players' colors, and water where it has melted."""
    board = position.board
    fish, owners = position.all_fish, position.all_owners
    fills = np.where(owners >= 0, PENGUINS + owners, WATER + fish)
    colors = (
        Swatch(swatch.name, swatch.rgb, letter)
        for swatch, letter in zip(player_colors(position.seats), LETTERS, strict=False)
    )
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills.astype(np.int32),
        palette=(*ICE_PALETTE, *colors),
        labels={tile: FISH[fish[tile]] for tile in np.flatnonzero(fish).tolist()},
        strokes=trail(position),
        links=board.edges() if board.links else None,
    )


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; beyond the palette's number they come again."""
    palette = distinct(min(seats, 32))
    return tuple(palette[seat % len(palette)] for seat in range(seats))


def trail(position: PenguinsPosition) -> tuple[Stroke, ...]:
    """Return the way of the penguin that moved last, or a ring around one just placed."""
    move = position.last_move
    return () if move is None else (Stroke(tuple(position.path(move)), TRAIL),)
