"""Amazons for spectators: the scene of a position, and events in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ludograph.games.amazons import notation
from ludograph.games.amazons.artwork import arrow, queen
from ludograph.games.amazons.interaction import tiles
from ludograph.games.amazons.notation import tile_text
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.rules import ARROW, FREE
from ludograph.games.outcome import Outcome
from ludograph.games.presentation import Presentation, SeatFacts
from ludograph.views import CellLook, Scene, Shape, Sketch, Stroke, Swatch
from ludograph.views.polygons import inner_radii, row_starts

COLORS = ("white", "black")
"""The colors of the queens, by seat."""


class AmazonsPresentation(Presentation[AmazonsPosition]):
    """The scene of a position, and sentences about moves, seats and results."""

    def scene(self, position: AmazonsPosition) -> Scene:
        """Return the scene of a position."""
        return amazons_scene(position)

    def cell_names(self, position: AmazonsPosition) -> Mapping[int, str]:
        """Return the names of the tiles, such as ``a1``."""
        return {tile: notation.tile_text(position.setup, tile) for tile in range(position.board.n)}

    def ways(self, position: AmazonsPosition) -> Iterator[Sequence[int]]:
        """Yield for each move the tile of its arrow."""
        return ((move % position.board.n,) for move in position.history)

    def seat_facts(self, position: AmazonsPosition, seat: int) -> SeatFacts:  # noqa: ARG002
        """Return the color of a seat's queens."""
        return SeatFacts(color=COLORS[seat])

    def announce(self, position: AmazonsPosition, move: int) -> str:
        """Return a move in words: the queen's slide, and the arrow's tile."""
        start, end, arrow = (
            notation.tile_text(position.setup, tile) for tile in tiles(position, move)
        )
        return f"moves a queen from {start} to {end}, arrow at {arrow}"

    def ending(self, position: AmazonsPosition) -> str:
        """Return the color whose queens cannot move."""
        return f"No {COLORS[position.ply % 2]} queen can move any more"

    def result(self, position: AmazonsPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return the winner and the number of moves, as a sentence."""
        who = outcome.winner or 0
        return f"{names[who]} (seat {who}, {COLORS[who]}) wins after {position.ply} moves."


PALETTE = (
    Swatch("arrow", "#8c4a3c", "*"),
    Swatch("free", "#efdcb5", "."),
    Swatch("white", "#ffffff", "O"),
    Swatch("black", "#1c1c20", "X"),
)
"""The content of tiles in a terminal; in pictures queens and arrows are drawn on tiles."""

GROUND = (
    Swatch("arrow", "#a98a68", "*"),
    Swatch("free", "#f0deb8", "."),
    Swatch("free", "#e6cf9f", "."),
)
"""The tiles in pictures: those of a grid have two tones in turns."""

DARK = 2
"""The darker tone of free tiles in :data:`GROUND`."""

TRAIL = "#2f7fd0"
"""The color of the last move: the lines of the queen and of the arrow."""


def amazons_scene(position: AmazonsPosition) -> Scene:
    """Draw queens and arrows; columns of a grid have letters below, and rows have numbers."""
    board, tiles, trail = position.board, position.tiles, position.last_move
    n, columns = board.n, position.setup.columns
    left = range(0, n, columns) if columns else ()
    lowest = range(n - columns, n) if columns else ()
    names = partial(tile_text, position.setup)
    fills = tiles - ARROW
    dark = (np.arange(n) % columns + np.arange(n) // columns) % 2 if columns else np.zeros(n)
    scene = Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=np.where(fills == 0, 0, np.where(dark, DARK, FREE - ARROW)).astype(np.int32),
        palette=GROUND,
        rows={tile: names(tile)[1:] for tile in left} if columns else row_starts(board.positions),
        columns={tile: names(tile)[:1] for tile in lowest},
        links=board.edges() if board.links else None,
        strokes=(Stroke(trail, TRAIL, below=True, arrow=True),) if trail else (),
        look=CellLook(fills, PALETTE),
    )
    places, sizes = board.positions.tolist(), inner_radii(scene, np.arange(n)).round(4).tolist()

    def drawn(tile: int) -> tuple[Shape, ...]:
        name = PALETTE[fills[tile]].name
        return arrow(sizes[tile]) if name == "arrow" else queen(name, sizes[tile])

    pieces = tuple(
        Sketch(drawn(tile), tuple(places[tile])) for tile in np.flatnonzero(tiles != FREE).tolist()
    )
    return replace(scene, pieces=pieces)
