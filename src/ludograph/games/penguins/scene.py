"""The picture of a position of Penguins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludograph.games.penguins.artwork import penguin, school
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.views import Scene, Sketch, Stroke, Swatch
from ludograph.views.colors import distinct
from ludograph.views.polygons import inner_radii, row_starts
from ludograph.views.scene import Ints

WATER = 0
"""The first color of the palette; those of ice follow, by its fish."""

ICE_PALETTE = (
    Swatch("water", "#44708c", "~"),
    Swatch("one fish", "#eaf4fa", "1"),
    Swatch("two fish", "#d0e6f3", "2"),
    Swatch("three fish", "#aed4eb", "3"),
)
PICTURE_PALETTE = (Swatch("water", "#8ea6b2", "~"), Swatch("ice", "#e3f0f7", "."))
"""Where fish and penguins are drawn: no color of these is like a player's."""

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
    scene = Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills.astype(np.int32),
        palette=(*ICE_PALETTE, *colors),
        labels={tile: FISH[fish[tile]] for tile in np.flatnonzero(fish).tolist()},
        strokes=trail(position),
        links=board.edges() if board.links else None,
        rows=row_starts(board.positions),
    )
    return replace(scene, picture=with_pieces(scene, fish, owners))


def with_pieces(scene: Scene, fish: Ints, owners: Ints) -> Scene:
    """Return the scene with penguins and fish drawn, on ice and water without other colors."""
    tiles = np.flatnonzero(fish)
    colors = [swatch.rgb for swatch in scene.palette[PENGUINS:]]
    pieces = []
    for tile, size in zip(tiles.tolist(), inner_radii(scene, tiles).tolist(), strict=True):
        radius, owner = round(size, 4), int(owners[tile])
        shapes = school(int(fish[tile]), radius) if owner < 0 else penguin(colors[owner], radius)
        x, y = scene.positions[tile].tolist()
        pieces.append(Sketch(shapes, (x, y)))
    return replace(
        scene,
        fills=np.where(fish > 0, 1, WATER).astype(np.int32),
        palette=PICTURE_PALETTE,
        labels={},
        pieces=tuple(pieces),
        strokes=tuple(replace(way, below=True, arrow=True) for way in scene.strokes),
    )


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; beyond the palette's number they come again."""
    palette = distinct(min(seats, 32))
    return tuple(palette[seat % len(palette)] for seat in range(seats))


def trail(position: PenguinsPosition) -> tuple[Stroke, ...]:
    """Return the way of the penguin that moved last, or a ring around one just placed."""
    move = position.last_move
    return () if move is None else (Stroke(tuple(position.path(move)), TRAIL),)
