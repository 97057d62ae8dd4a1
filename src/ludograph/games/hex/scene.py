"""The picture of a position of Hex."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ludograph.games.hex.notation import letters
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import NOBODY, chains_of
from ludograph.views import CellLook, Scene, Shape, Sketch, Stroke, Swatch
from ludograph.views.polygons import inner_radii, row_starts

PALETTE = (
    Swatch("free", "#dfb877", "."),
    Swatch("black", "#1c1c20", "x"),
    Swatch("white", "#ffffff", "o"),
    Swatch("black border", "#47474f", "X"),
    Swatch("white border", "#cfced9", "O"),
)
FREE_FILL, STONE_FILL, BORDER_FILL = 0, 1, 3

CIRCLE = np.stack([f(np.arange(24) * np.pi / 12) for f in (np.cos, np.sin)], axis=1)

MARK = "#e5484d"
"""The stone played last, and the chain that has won."""


def hex_scene(position: HexPosition) -> Scene:
    """Draw stones on wood between the borders, with coordinates where the board has them."""
    board, stones, borders = position.board, position.stones, position.borders
    fills = np.where(stones == NOBODY, FREE_FILL, STONE_FILL + stones)
    fills = np.where(borders == NOBODY, fills, BORDER_FILL + borders).astype(np.int32)
    placed = np.flatnonzero((stones != NOBODY) & (borders == NOBODY))
    wood = fills.copy()
    wood[placed] = FREE_FILL
    labels = coordinates(position)
    scene = Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=wood,
        palette=PALETTE,
        labels=labels,
        links=board.edges() if board.links else None,
        strokes=marks(position),
        rows={} if position.size else row_names(position),
        look=CellLook(fills, PALETTE, labels),
    )
    sizes = inner_radii(scene, placed)
    pieces = tuple(
        Sketch(
            stone(int(stones[cell]), round(0.78 * size, 4)), tuple(board.positions[cell].tolist())
        )
        for cell, size in zip(placed.tolist(), sizes.tolist(), strict=True)
    )
    return replace(scene, pieces=pieces)


@lru_cache
def stone(color: int, radius: float) -> tuple[Shape, ...]:
    """Return a round stone with a rim and a light on it."""
    rgb, rim = (PALETTE[STONE_FILL + color].rgb, ("#000000", "#85858f")[color])
    light = ("#4a4a55", "#f1f1f4")[color]
    return (
        Shape(CIRCLE * radius, fill=rgb, line=rim, width=0.08 * radius),
        Shape(CIRCLE * (0.5 * radius) - 0.2 * radius, fill=light),
    )


def coordinates(position: HexPosition) -> dict[int, str]:
    """Return the letters of the columns on the top border, the numbers of the rows on the left."""
    names = {position.vertex(-1, column): letters(column) for column in range(position.size)}
    return names | {position.vertex(row, -1): str(row + 1) for row in range(position.size)}


def row_names(position: HexPosition) -> dict[int, str]:
    """Return what the first vertex of each row is called, where vertices have numbers."""
    return {vertex: f"v{text}" for vertex, text in row_starts(position.board.positions).items()}


def marks(position: HexPosition) -> tuple[Stroke, ...]:
    """Return the chain that joins two borders, or else a ring around the last stone."""
    if position.joined_color is not None:
        return (Stroke(joining_chain(position, position.joined_color), MARK),)
    last = position.last_vertex
    return () if last is None else (Stroke((last,), MARK),)


def joining_chain(position: HexPosition, color: int) -> tuple[int, ...]:
    """Return a shortest path of a color from one of its border chains to the other."""
    board, stones = position.board, position.stones
    near, far = (set(chain) for chain in chains_of(board, position.borders == color))
    before = dict.fromkeys(near, -1)
    queue = list(near)
    for vertex in queue:  # grows as it is walked
        if vertex in far:
            path = [vertex]
            while before[path[-1]] >= 0:
                path.append(before[path[-1]])
            return tuple(path)
        for other in board.neighbors_of(vertex).tolist():
            if other not in before and stones[other] == color:
                before[other] = vertex
                queue.append(other)
    return ()
