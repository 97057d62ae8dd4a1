"""The picture of a position of Penguins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ludograph.games.penguins.artwork import penguin, school, sea, wave
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.views import CellLook, Scene, Sketch, Stroke, Swatch
from ludograph.views.colors import distinct
from ludograph.views.polygons import bounds, inner_radii, row_starts, side
from ludograph.views.scene import Floats, Ints

WATER = 0
"""The first color of the palette; those of ice follow, by its fish."""

ICE_PALETTE = (
    Swatch("water", "#44708c", "~"),
    Swatch("one fish", "#eaf4fa", "1"),
    Swatch("two fish", "#d0e6f3", "2"),
    Swatch("three fish", "#aed4eb", "3"),
)
GROOVE, CLIFF = "#b3d3e6", "#86aecb"
PICTURE_PALETTE = (
    Swatch("water", "#2f74a3", "~", "#4385b1"),
    Swatch("ice", "#f3f9fd", ".", GROOVE, CLIFF),
    Swatch("ice", "#e1f0f9", ".", GROOVE, CLIFF),
    Swatch("ice", "#cbe5f4", ".", GROOVE, CLIFF),
)
"""Where fish and penguins are drawn: a tint of ice for each number of fish."""

LARGEST = 1.6
"""How much larger a penguin may be than the room on the smallest tile."""

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
        fills=(WATER + fish).astype(np.int32),
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
    return replace(
        scene,
        pieces=pieces_on(scene, fish, owners, [each.rgb for each in colors]),
        ground=ground_of(scene, fish),
    )


def pieces_on(scene: Scene, fish: Ints, owners: Ints, colors: Sequence[str]) -> tuple[Sketch, ...]:
    """Return the penguins and the fish on the tiles of a scene.

    All penguins have the same size, whatever their tiles; fish stay on theirs.

    Parameters
    ----------
    fish, owners : int32[n]
        By tile, the number of fish and the seat of the penguin, negative without one.
    colors
        By seat, as ``"#rrggbb"``.
    """
    room = inner_radii(scene, np.arange(scene.size))
    size = piece_size(room)
    pieces = []
    for tile in np.flatnonzero(fish).tolist():
        owner = int(owners[tile])
        if owner >= 0:
            shapes = penguin(colors[owner], size)
        else:
            shapes = school(int(fish[tile]), round(min(size, 1.12 * float(room[tile])), 4))
        x, y = scene.positions[tile].tolist()
        pieces.append(Sketch(shapes, (x, y)))
    return tuple(pieces)


def piece_size(room: Floats) -> float:
    """Return the size of all penguins, given the radius of the room on each tile."""
    some = room[room > 0]
    return round(min(float(np.median(some)), LARGEST * float(some.min())), 4) if len(some) else 0.0


def ground_of(scene: Scene, fish: Ints) -> tuple[Sketch, ...]:
    """Return the sea, and waves where ice has melted; only these on a drawn graph."""
    size = piece_size(inner_radii(scene, np.arange(scene.size)))
    places = scene.positions[np.flatnonzero(fish == 0)].tolist()
    waves = tuple(Sketch(wave(size), (x, y), 1) for x, y in places)
    if scene.links is not None:
        return waves
    (left, top), (right, bottom) = (corner.tolist() for corner in bounds(scene))
    return (sea(left, top, right, bottom, side(scene)), *waves)


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
