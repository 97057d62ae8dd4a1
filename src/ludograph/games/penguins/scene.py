"""The picture of a position of Penguins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.rules import FREE, LAST, MELTED, cells_at
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.position import Position
from ludograph.views import Scene, Stroke, Swatch
from ludograph.views.palette import distinct

WATER, ICE = 0, 1
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


def cells_of(position: Position) -> npt.NDArray[np.int32]:
    """Return what is on each tile, ``int32[n]``: 1 + a penguin, ``FREE`` or ``MELTED``."""
    first = cells_at(position.setup)
    cells: npt.NDArray[np.int32] = position.state[first : first + position.board.n]
    return cells


def standing(position: Position) -> npt.NDArray[np.int32]:
    """Return the seat of the penguin on each tile, -1 where there is none: ``int32[n]``."""
    cells = cells_of(position)
    setup: PenguinsSetup = position.setup
    return np.where(cells > 0, setup.owners[cells - 1], -1).astype(np.int32)


def penguins_scene(position: Position) -> Scene:
    """Draw ice with its fish, penguins in their players' colors, and water where it has melted."""
    setup: PenguinsSetup = position.setup
    board = position.board
    cells, seats = cells_of(position), standing(position)
    fills = np.where(cells == FREE, ICE + setup.fish - 1, PENGUINS + seats)
    fills[cells == MELTED] = WATER
    colors = (
        Swatch(swatch.name, swatch.rgb, letter)
        for swatch, letter in zip(player_colors(setup.seats), LETTERS, strict=False)
    )
    ice = np.flatnonzero(cells != MELTED).tolist()
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=fills.astype(np.int32),
        palette=(*ICE_PALETTE, *colors),
        labels={tile: FISH[setup.fish[tile]] for tile in ice},
        strokes=trail(position),
        links=board.edges() if board.links else None,
    )


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; beyond the palette's number they come again."""
    palette = distinct(min(seats, 32))
    return tuple(palette[seat % len(palette)] for seat in range(seats))


def trail(position: Position) -> tuple[Stroke, ...]:
    """Return the way of the penguin that moved last, or a ring around one just placed."""
    setup: PenguinsSetup = position.setup
    move, n = int(position.state[LAST]), setup.fish.size
    if move < 0:
        return ()
    if move < n:
        return (Stroke((move,), TRAIL),)
    slot = (move - n) >> setup.shift
    tiles = [int(setup.tiles[slot])]
    for _ in range(1 + ((move - n) & ((1 << setup.shift) - 1))):
        tiles.append(int(setup.beyond[slot]))
        slot = int(setup.ahead[slot])
    return (Stroke(tuple(tiles), TRAIL),)
