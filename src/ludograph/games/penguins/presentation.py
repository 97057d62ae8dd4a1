"""Penguins for spectators: the scene of a position, and events in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ludograph.boards import Board
from ludograph.games.outcome import Outcome
from ludograph.games.penguins.artwork import penguin, school, sea, wave
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.presentation import Presentation, SeatFacts, scores_of_others
from ludograph.views import CellLook, Scene, Sketch, Stroke, Swatch
from ludograph.views.colors import distinct
from ludograph.views.polygons import bounds, inner_radii, row_starts, side
from ludograph.views.scene import Floats, Ints


class PenguinsPresentation(Presentation[PenguinsPosition]):
    """The scene of a position, and sentences about moves, seats and results."""

    def scene(self, position: PenguinsPosition) -> Scene:
        """Return the scene of a position."""
        return penguins_scene(position)

    def ways(self, position: PenguinsPosition) -> Iterator[Sequence[int]]:
        """Yield the tiles of each move, from source to target."""
        return (position.path(move) for move in position.history)

    def seat_facts(self, position: PenguinsPosition, seat: int) -> SeatFacts:
        """Return the color of a seat's penguins, its fish, and a note if no penguin can move."""
        return SeatFacts(
            color=color_of(position, seat),
            holding="out" if position.is_eliminated(seat) else f"{position.eaten(seat)} fish",
            stuck="no penguin can move any more" if position.is_stuck(seat) else "",
        )

    def announce(self, position: PenguinsPosition, move: int) -> str:
        """Return the source and the target of a slide in words, or the tile of a placement."""
        path = position.path(move)
        placed = f"places a penguin on {path[-1]}"
        return f"slides from {path[0]} to {path[-1]}" if len(path) > 1 else placed

    def label(self, position: PenguinsPosition, move: int) -> str:
        """Return the move and the fish on the tile, as in ``12-17: 2 fish``."""
        return f"{position.text(move)}: {position.fish(position.path(move)[-1])} fish"

    def ending(self, position: PenguinsPosition) -> str:  # noqa: ARG002
        """Return that no penguin can move."""
        return "No penguin can move any more"

    def result(self, position: PenguinsPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return the winner and the fish of all seats, as a sentence."""
        who = [
            f"{name} (seat {seat}, {color_of(position, seat)})" for seat, name in enumerate(names)
        ]
        fish = [int(score) for score in outcome.scores]
        if outcome.winner is None:
            even = outcome.winners
            return (
                f"A draw between {' and '.join(who[s] for s in even)}, {fish[even[0]]} fish each."
            )
        others = scores_of_others(fish, outcome.winner)
        return f"{who[outcome.winner]} wins, {fish[outcome.winner]} fish to {others}."


def color_of(position: PenguinsPosition, seat: int) -> str:
    """Return the name of the color of a seat's penguins."""
    return player_colors(position.seats)[seat].name


WATER = 0
"""The palette entry of water; the entries of ice follow, by number of fish."""

ICE_PALETTE = (
    Swatch("water", "#44708c", "~"),
    Swatch("one fish", "#eaf4fa", "1"),
    Swatch("two fish", "#d0e6f3", "2"),
    Swatch("three fish", "#aed4eb", "3"),
)
GROOVE, CLIFF = "#b3d3e6", "#86aecb"
PICTURE_PALETTE = (
    Swatch("water", "#2f74a3", "~", "#4385b1"),
    Swatch("1 fish", "#f3f9fd", ".", GROOVE, CLIFF),
    Swatch("2 fish", "#e1f0f9", ".", GROOVE, CLIFF),
    Swatch("3 fish", "#cbe5f4", ".", GROOVE, CLIFF),
)
"""The palette of drawn pictures: a tint of ice for each number of fish."""

LARGEST = 1.6
"""The greatest ratio of a penguin's size to the free radius on the smallest tile."""

PENGUINS = len(ICE_PALETTE)
FISH = ("", "·", ":", "∴")
"""The number of fish on a tile, as dots."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@#$%&*+=<>?!"
"""The symbols of the seats in plain text."""

TRAIL = "#26262b"
"""The color of the last move."""


def penguins_scene(position: PenguinsPosition) -> Scene:
    """Draw the ice with its fish, penguins in their players' colors, and water for melted ice."""
    board = position.board
    fish, owners = position.all_fish, position.all_owners
    fills = np.where(owners >= 0, PENGUINS + owners, WATER + fish).astype(np.int32)
    colors = tuple(
        Swatch(swatch.name, swatch.rgb, letter)
        for swatch, letter in zip(player_colors(position.seats), LETTERS, strict=False)
    )
    return replace(
        bare(board),
        fills=(WATER + fish).astype(np.int32),
        strokes=trail(position),
        links=board.edges() if board.links else None,
        rows=row_starts(board.positions),
        look=CellLook(
            fills,
            (*ICE_PALETTE, *colors),
            labels={tile: FISH[fish[tile]] for tile in np.flatnonzero(fish).tolist()},
        ),
        pieces=pieces_on(board, fish, owners, [each.rgb for each in colors]),
        ground=ground_of(board, fish),
    )


def pieces_on(board: Board, fish: Ints, owners: Ints, colors: Sequence[str]) -> tuple[Sketch, ...]:
    """Draw the penguins and the fish on the tiles of a board.

    All penguins have the same size; fish are scaled to their tiles.

    Parameters
    ----------
    fish, owners : int32[n]
        The number of fish on each tile, and the seat of its penguin, negative without a penguin.
    colors
        The color of each seat, as ``"#rrggbb"``.
    """
    radii, size = free_radii(board), piece_size(board)
    pieces = []
    for tile in np.flatnonzero(fish).tolist():
        owner = int(owners[tile])
        if owner >= 0:
            shapes = penguin(colors[owner], size)
        else:
            shapes = school(int(fish[tile]), round(min(size, 1.12 * float(radii[tile])), 4))
        x, y = board.positions[tile].tolist()
        pieces.append(Sketch(shapes, (x, y)))
    return tuple(pieces)


@lru_cache(maxsize=16)
def free_radii(board: Board) -> Floats:
    """Return the radius of the largest free circle on each tile: ``float64[n]``."""
    return inner_radii(bare(board), np.arange(board.n))


@lru_cache(maxsize=16)
def piece_size(board: Board) -> float:
    """Return the size of all penguins on a board."""
    radii = free_radii(board)
    known = radii[radii > 0]
    return (
        round(min(float(np.median(known)), LARGEST * float(known.min())), 4) if len(known) else 0.0
    )


def ground_of(board: Board, fish: Ints) -> tuple[Sketch, ...]:
    """Draw the sea, and waves on melted tiles; only the waves on a board drawn as a graph."""
    places = board.positions[np.flatnonzero(fish == 0)].tolist()
    waves = tuple(Sketch(wave(piece_size(board)), (x, y), 1) for x, y in places)
    return waves if board.links else (sea_around(board), *waves)


@lru_cache(maxsize=16)
def sea_around(board: Board) -> Sketch:
    """Draw the sea around a board."""
    scene = bare(board)
    (left, top), (right, bottom) = (corner.tolist() for corner in bounds(scene))
    return sea(left, top, right, bottom, side(scene))


def bare(board: Board) -> Scene:
    """Return the scene of an empty board."""
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=np.zeros(board.n, np.int32),
        palette=PICTURE_PALETTE,
    )


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; if the palette has fewer colors, they are repeated."""
    palette = distinct(min(seats, 32))
    return tuple(palette[seat % len(palette)] for seat in range(seats))


def trail(position: PenguinsPosition) -> tuple[Stroke, ...]:
    """Return the last move: an arrow along a slide, or a ring around a penguin just placed."""
    if position.last_move is None:
        return ()
    path = tuple(position.path(position.last_move))
    return (Stroke(path, TRAIL, below=len(path) == 1, arrow=True),)
