"""Carcassonne for spectators: the scene of a position, and events in words.

North is up, the tile to place is beside the table. In the terminal and in plain text a tile has
three by three cells: its corners, the middles of its sides, and its center.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ludograph.formatting import counted
from ludograph.games.carcassonne.artwork import (
    BACK,
    CORNERS,
    MARK,
    OFFSETS,
    SEATS_AS_LETTERS,
    TERRAINS,
    UNHELD,
    fills_of,
    frame_shapes,
    meadow,
    meeple_point,
    meeple_shapes,
    meeple_spot,
    ornament_shapes,
    player_colors,
    tile_shapes,
)
from ludograph.games.carcassonne.holdings import leaders, regions
from ludograph.games.carcassonne.interaction import closing, color_of, contents, part
from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.setup import FINITE_MEEPLE
from ludograph.games.carcassonne.tiles import RIM, Terrain
from ludograph.games.outcome import Outcome
from ludograph.games.presentation import Breakdown, Presentation, SeatFacts, scores_of_others
from ludograph.views import EMPTY, Region, Scene, Sketch, Stroke, Swatch

CELLS = 9
"""The number of a tile's cells in the scene: row by row, in the order in which tiles were laid."""

FEATURE_WORDS = {
    "roads": "roads",
    "cities": "castles",
    "monasteries": "monasteries",
    "farms": "fields",
}
"""The words for features in sentences, by the names of features in rules and moves."""

FEATURE_TERRAINS = {"roads": Terrain.ROAD, "cities": Terrain.CASTLE, "farms": Terrain.FIELD}
"""The terrain of each feature that has one."""

UPPER, MIDDLE, LOWER = 1, 4, 7
"""Cells in the middle column of a tile."""


class CarcassonnePresentation(Presentation[CarcassonnePosition]):
    """The scene of a position, and sentences about moves, seats and results."""

    def scene(self, position: CarcassonnePosition) -> Scene:
        """Return the scene of a position, with labels of rows and columns."""
        rows, columns = rows_and_columns(position)
        return replace(carcassonne_scene(position), rows=rows, columns=columns)

    def cell_names(self, position: CarcassonnePosition) -> Mapping[int, str]:
        """Return the coordinates of each tile, as in ``3,-1``, for a cell on its lower edge."""
        return {
            CELLS * number + (MIDDLE if holds(placed, LOWER) else LOWER): f"{placed.x},{placed.y}"
            for number, placed in enumerate(position.tiles)
        }

    def ways(self, position: CarcassonnePosition) -> Iterator[Sequence[int]]:
        """Yield for each move the cell of the tile that it placed; nothing for a deal."""
        tiles = enumerate(position.tiles)
        next(tiles)  # the first tile lay there before the first move
        for move in position.history:
            if move < position.setup.kinds:
                yield ()
                continue
            number, placed = next(tiles)
            yield (CELLS * number + (MIDDLE if holds(placed, UPPER) else UPPER),)

    def regions(self, position: CarcassonnePosition) -> Sequence[Region]:
        """Return the fields, roads and castles, with their owners and points."""
        return regions(position)

    def seat_facts(self, position: CarcassonnePosition, seat: int) -> SeatFacts:
        """Return the color of a seat's meeples, and its points with the meeples in its hand."""
        points = int(position.scores()[seat])
        if points < 0:
            return SeatFacts(color_of(position, seat), holding="out")
        holding = counted(points, "point")
        if position.setup.mode == FINITE_MEEPLE:
            holding += f", {counted(position.meeples(seat) or 0, 'meeple')} left"
        return SeatFacts(color_of(position, seat), holding)

    def describe_move(self, position: CarcassonnePosition, move: int) -> str:
        """Return ``plays 3,-1 r2`` with its claim and closed features, or ``deals GREEN``."""
        if move >= len(position.deck.kinds):
            return f"{super().describe_move(position, move)}{effects(position, move)}"
        name = position.deck.kinds[move].name
        return f"deals {name}{'' if position.dealt is not None else unfit(position)}"

    def announce(self, position: CarcassonnePosition, move: int) -> str:
        """Return the effects of a placement; of a deal only that the tile fits nowhere."""
        if move >= len(position.deck.kinds):
            return f"places the tile{effects(position, move)}"
        return "" if position.dealt is not None else f"deals a tile{unfit(position)}"

    def label(self, position: CarcassonnePosition, move: int) -> str:
        """Return the features of the move's tile; for a placement also its effects."""
        official = bool(position.setup.official)
        if move < len(position.deck.kinds):
            return contents(position.deck.kinds[move].tile, official=official)
        done = effects(position, move).removeprefix(" and ").removeprefix(", ")
        features = contents(position.last_tile.tile, official=official)
        return f"{features}: {done}" if done else features

    def ending(self, position: CarcassonnePosition) -> str:
        """Return that all tiles lie there, if no seat has ended the game by dropping out."""
        return "" if sum(position.remaining.values()) else "All tiles are placed"

    def result(
        self,
        position: CarcassonnePosition,  # noqa: ARG002
        outcome: Outcome,
        names: Sequence[str],
    ) -> str:
        """Return the winner and the points of all seats, as a sentence."""
        who = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
        points = [int(score) for score in outcome.scores]
        if outcome.winner is None:
            even = outcome.winners
            each = counted(points[even[0]], "point")
            return f"A draw between {' and '.join(who[seat] for seat in even)}, {each} each."
        others = scores_of_others(points, outcome.winner)
        own = counted(points[outcome.winner], "point")
        return f"{who[outcome.winner]} wins, {own} to {others}."

    def breakdown(self, position: CarcassonnePosition) -> Breakdown:
        """Return each seat's points for roads, castles, monasteries and fields, if in the deck."""
        features = occurring(position)
        seats = range(position.seats)
        points, end = map(position.points_for, seats), map(position.points_at_end, seats)
        return Breakdown(
            [FEATURE_WORDS[name] for name in features],
            [[each[name] for name in features] for each in points],
            [[each[name] for name in features] for each in end],
            [seat for seat in seats if position.is_eliminated(seat)],
        )


def occurring(position: CarcassonnePosition) -> list[str]:
    """Return the features that can give points by the rules and the deck of a game."""
    tiles = [position.deck.first, *(kind.tile for kind in position.deck.kinds)]
    terrains = {terrain for tile in tiles for terrain in tile.terrains[:RIM]}
    has_monastery = position.setup.official and any(tile.monastery for tile in tiles)
    return [
        name
        for name in FEATURE_WORDS
        if (has_monastery if name == "monasteries" else FEATURE_TERRAINS[name] in terrains)
    ]


def holds(placed: PlacedTile, spot: int) -> bool:
    """Tell whether a cell of a tile shows a meeple."""
    return placed.meeple is not None and meeple_spot(placed) == spot


def rows_and_columns(position: CarcassonnePosition) -> tuple[dict[int, str], dict[int, str]]:
    """Return the y of each row and the x of each column, by the middle cell of one of its tiles."""
    middles = [(CELLS * n + MIDDLE, placed) for n, placed in enumerate(position.tiles)]
    rows = {placed.y: cell for cell, placed in reversed(middles)}
    columns = {placed.x: cell for cell, placed in reversed(middles)}
    return {cell: str(y) for y, cell in rows.items()}, {cell: str(x) for x, cell in columns.items()}


def dropped(position: CarcassonnePosition) -> str:
    """Return the seat eliminated by the last deal, or a general name if the state is ambiguous."""
    seats, seat = position.seats, position.next_seat
    gone: list[int] = []
    while len(gone) < seats and position.is_eliminated(seat := (seat - 1) % seats):
        gone.append(seat)
    return f"seat {gone[0]}" if len(gone) == 1 else "the player who got it"


def effects(position: CarcassonnePosition, move: int) -> str:
    """Return the claim and the closed features of the last placement, to end a sentence."""
    vertex, laid = position.placement(move).vertex, position.last_tile
    claimed = "" if vertex is None else f" and claims {part(laid.tile, vertex)}"
    return f"{claimed}{closing(position)}"


def unfit(position: CarcassonnePosition) -> str:
    """Return the effect of a deal whose tile fits nowhere, to end a sentence."""
    text = ", which fits nowhere"
    return text if position.setup.discard else f"{text}: {dropped(position)} is out"


def carcassonne_scene(position: CarcassonnePosition) -> Scene:
    """Return the scene of a position."""
    tiles, dealt = position.tiles, position.dealt
    aside = (max(placed.x for placed in tiles) + 2, 0)
    shown = [*tiles]
    if dealt is not None:
        shown.append(PlacedTile(*aside, dealt.name, 0, dealt.tile))
    places = [(placed.x, placed.y) for placed in shown]
    fills = [fill for placed in shown for fill in fills_of(placed)]
    if dealt is None and not position.is_over:  # an empty place, so that the picture does not move
        places.append(aside)
        fills += [EMPTY] * 9
    centers = (np.array(places, np.float64) * (1, -1))[:, None, :] + OFFSETS
    centers = centers.reshape(-1, 2)
    colors = player_colors(position.seats)
    laid = position.last_move is not None
    return Scene(
        positions=centers,
        outline_offsets=np.arange(0, 4 * len(centers) + 1, 4, dtype=np.int32),
        outline_points=(centers[:, None, :] + CORNERS).reshape(-1, 2),
        fills=np.array(fills, np.int32),
        palette=(*TERRAINS, *colors),
        labels={
            9 * number + meeple_spot(placed): SEATS_AS_LETTERS[placed.meeple[0]]
            for number, placed in enumerate(tiles)
            if placed.meeple is not None
        },
        strokes=last_mark(tiles) if laid else (),
        sketches=tuple(sketches_of(shown, holders(position), colors, laid=laid)),
        remains=remains(position),
    )


def remains(position: CarcassonnePosition) -> str:
    """Return the number of tiles left, in words; empty if the game is over."""
    if position.is_over:
        return ""
    left = sum(position.remaining.values())
    return f"{counted(left, 'tile')} left to be dealt" if left else "This is the last tile"


def last_mark(tiles: list[PlacedTile]) -> tuple[Stroke, ...]:
    """Mark the tile laid last on a cell without a meeple."""
    last = tiles[-1]
    spot = 0 if last.meeple is not None and meeple_spot(last) == 4 else 4
    return (Stroke((9 * (len(tiles) - 1) + spot,), MARK),)


def holders(position: CarcassonnePosition) -> list[tuple[str, ...]]:
    """Return for each tile on the table the colors of the seats that hold its components.

    Returns
    -------
    list of tuple of str
        For each of the 13 vertices of a tile ``"#rrggbb"``; empty if no seat or several seats hold
        its component, or if the component is closed.
    """
    colors = player_colors(position.seats)
    best = {root: leaders(found) for root, found in position.meeples_put().items()}
    held = {root: colors[seats[0]].rgb for root, seats in best.items() if len(seats) == 1}
    return [
        tuple(
            "" if closed else held.get(root, "")
            for root, closed in zip(roots, placed.closed, strict=True)
        )
        for placed, roots in position.components()
    ]


def sketches_of(
    shown: list[PlacedTile],
    held: list[tuple[str, ...]],
    colors: tuple[Swatch, ...],
    *,
    laid: bool,
) -> list[Sketch]:
    """Draw the tiles, frames for the last tile and for the tile beside the table, and the meeples.

    Parameters
    ----------
    held
        For each tile on the table the colors of the holders: see `holders`. Further tiles lie
        beside the table.
    """
    found = []
    for number, placed in enumerate(shown):
        x, y = placed.x, -placed.y
        tile, beside = placed.tile, number >= len(held)
        found.append(Sketch(meadow((placed.x + 2 * placed.y) % 4), (x, y), held=beside))
        owners = UNHELD if beside else held[number]
        shapes = tile_shapes(tile.components, tile.terrains, placed.closed, owners)
        if shapes:
            found.append(Sketch(shapes, (x, y), 1, held=beside))
        ornament = ornament_shapes(tile)
        if ornament:
            found.append(Sketch(ornament, (x, y), 2, held=beside))
        if beside:
            found.append(Sketch(frame_shapes(BACK, 0.03), (x, y), 2, held=True))
        elif laid and number == len(held) - 1:
            found.append(Sketch(frame_shapes(MARK, 0.05), (x, y), 2))
        if placed.meeple is not None:
            right, down = meeple_point(placed)
            shapes = meeple_shapes(colors[placed.meeple[0]].rgb)
            found.append(Sketch(shapes, (x + right, y + down), 3))
    return found
