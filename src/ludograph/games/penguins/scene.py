"""The picture of a position of Penguins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ludograph.games.penguins.artwork import penguin, school
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.views import CellLook, Scene, Sketch, Stroke, Swatch
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
    fills = np.where(owners >= 0, PENGUINS + owners, WATER + fish).astype(np.int32)
    colors = tuple(
        Swatch(swatch.name, swatch.rgb, letter)
        for swatch, letter in zip(player_colors(position.seats), LETTERS, strict=False)
    )
    scene = Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=np.where(fish > 0, 1, WATER).astype(np.int32),
        palette=PICTURE_PALETTE,
        strokes=trail(position),
        links=board.edges() if board.links else None,
        rows=row_starts(board.positions),
        look=CellLook(
            fills,
            (*ICE_PALETTE, *colors),
            labels={tile: FISH[fish[tile]] for tile in np.flatnonzero(fish).tolist()},
        ),
    )
    return replace(scene, pieces=pieces_on(scene, fish, owners, [each.rgb for each in colors]))


def pieces_on(scene: Scene, fish: Ints, owners: Ints, colors: Sequence[str]) -> tuple[Sketch, ...]:
    """Return the penguins and the fish on the tiles of a scene.

    Parameters
    ----------
    fish, owners : int32[n]
        By tile, the number of fish and the seat of the penguin, negative without one.
    colors
        By seat, as ``"#rrggbb"``.
    """
    tiles = np.flatnonzero(fish)
    pieces = []
    for tile, size in zip(tiles.tolist(), inner_radii(scene, tiles).tolist(), strict=True):
        radius, owner = round(size, 4), int(owners[tile])
        shapes = school(int(fish[tile]), radius) if owner < 0 else penguin(colors[owner], radius)
        x, y = scene.positions[tile].tolist()
        pieces.append(Sketch(shapes, (x, y)))
    return tuple(pieces)


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; beyond the palette's number they come again."""
    palette = distinct(min(seats, 32))
    return tuple(palette[seat % len(palette)] for seat in range(seats))


def trail(position: PenguinsPosition) -> tuple[Stroke, ...]:
    """Return the way of the penguin that moved last, or a ring around one just placed."""
    move = position.last_move
    return (
        () if move is None else (Stroke(tuple(position.path(move)), TRAIL, below=True, arrow=True),)
    )
