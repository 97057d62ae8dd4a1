"""The scene of a position of Carcassonne: north is up, the tile to place is beside the table.

In the terminal and in plain text a tile has three by three cells: its corners, the middles of its
sides, and its center.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from ludograph.formatting import counted
from ludograph.games.carcassonne.artwork import (
    UNHELD,
    frame_shapes,
    meadow,
    meeple_shapes,
    rim_point,
    road_middle,
    tile_shapes,
)
from ludograph.games.carcassonne.ornaments import ornament_shapes
from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.tiles import CENTER, RIM, TERRAIN_NAMES, VERTICES, Terrain
from ludograph.views import EMPTY, Scene, Sketch, Stroke, Swatch
from ludograph.views.colors import DARK, LIGHT, LIMIT, blend, distinct, hexadecimal

SYMBOLS = ".rbcpgam+"
"""The symbols of the terrains in plain text; the last one is a place where roads end."""
END_OF_ROADS = len(SYMBOLS) - 1

FIELDS = ("#afd787", "#afd75f")
"""The two colors of fields in the terminal: neighboring tiles have different ones."""
CELL_COLORS = (
    "#eeeeee",
    "#5f87d7",
    "#af5f00",
    "#8787d7",
    "#d7af00",
    "#87d7ff",
    "#870000",
    "#8a8a8a",
)
"""The colors of all other `SYMBOLS` in the terminal; a terminal of 256 colors has all of them."""

SEATS_AS_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%αβγδεζηθικλμνξοπρστυφχψω"
"""The symbols of meeples in plain text, by seat."""

MARK = "#26262b"
"""The color of the frame of the tile laid last."""

CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 6

SPOTS = ((11, 0), (1,), (2, 3), (10,), (12,), (4,), (9, 8), (7,), (6, 5))
"""The vertices of the nine cells of a tile, row by row."""
OFFSETS = np.array([(spot % 3 - 1, spot // 3 - 1) for spot in range(9)]) / 3
INNER, SIDES_FIRST, CORNERS_FIRST = (4,), (1, 5, 7, 3), (0, 2, 8, 6)


def shown_vertex(placed: PlacedTile, spot: int) -> int:
    """Return the vertex whose terrain is shown by one of the nine cells of a tile.

    A corner has two vertices. If these belong to different components, the corner shows a field,
    if the tile has any.
    """
    vertices = SPOTS[spot]
    if len({placed.tile.components[vertex] for vertex in vertices}) == 1:
        return vertices[0]
    fields = [vertex for vertex in vertices if placed.tile.terrains[vertex] == Terrain.FIELD]
    others = [vertex for vertex in range(VERTICES) if placed.tile.terrains[vertex] == Terrain.FIELD]
    return (fields or others or [CENTER])[0]


def meeple_spot(placed: PlacedTile) -> int:
    """Return the cell of a tile that shows its meeple: one of the meeple's component if possible.

    The meeple's vertex within the component makes no difference, so the cell with most room is
    chosen.
    """
    assert placed.meeple is not None
    vertex = placed.meeple[1]
    if placed.tile.monastery and vertex == CENTER:
        return INNER[0]
    on_field = placed.tile.terrains[vertex] == Terrain.FIELD
    order = (
        (*CORNERS_FIRST, *INNER, *SIDES_FIRST)
        if on_field
        else (*INNER, *SIDES_FIRST, *CORNERS_FIRST)
    )
    own = placed.tile.components[vertex]
    for spot in order:
        if all(placed.tile.components[other] == own for other in SPOTS[spot]):
            return spot
    for spot in order:
        shown = shown_vertex(placed, spot)
        if shown in SPOTS[spot] and placed.tile.components[shown] == own:
            return spot
    return next(spot for spot in order if vertex in SPOTS[spot])


def meeple_point(placed: PlacedTile) -> tuple[float, float]:
    """Return the point on a tile where its meeple is drawn."""
    assert placed.meeple is not None
    own, spot = placed.tile.components[placed.meeple[1]], meeple_spot(placed)
    vertices = [vertex for vertex in SPOTS[spot] if placed.tile.components[vertex] == own]
    ends = [vertex for vertex in range(RIM) if placed.tile.components[vertex] == own]
    if len(ends) == 2 and placed.tile.terrains[ends[0]] == Terrain.ROAD:  # it may be curved
        point = road_middle(*ends)
    elif len(vertices) < len(SPOTS[spot]):
        point = 0.78 * rim_point(vertices[0] + 0.5)
    elif spot in SIDES_FIRST:
        point = 1.15 * OFFSETS[spot]
    else:
        point = OFFSETS[spot]
    return float(point[0]), float(point[1])


def fills_of(placed: PlacedTile) -> list[int]:
    """Return the palette entries of the nine cells of a tile; neighboring tiles differ in shade."""
    shade = len(SYMBOLS) * ((placed.x + placed.y) % 2)
    fills = [shade + placed.tile.terrains[shown_vertex(placed, spot)] for spot in range(9)]
    center_alone = placed.tile.components.count(placed.tile.components[CENTER]) == 1
    if center_alone and placed.tile.terrains[CENTER] == Terrain.ROAD:
        fills[4] = shade + END_OF_ROADS
    if placed.meeple is not None:
        fills[meeple_spot(placed)] = 2 * len(SYMBOLS) + placed.meeple[0]
    return fills


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; if the palette has fewer colors, they are repeated."""
    colors = distinct(min(seats, LIMIT))
    return tuple(
        Swatch(colors[seat % LIMIT].name, colors[seat % LIMIT].rgb, SEATS_AS_LETTERS[seat])
        for seat in range(seats)
    )


TERRAINS = tuple(
    Swatch(name, color, symbol)
    for field in FIELDS
    for name, color, symbol in zip(
        (*TERRAIN_NAMES, "end of roads"), (field, *CELL_COLORS), SYMBOLS, strict=True
    )
)
BACK = hexadecimal(blend(DARK, LIGHT, 0.45))


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
        legend={"laid last": MARK} if laid else {},
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


def leaders(meeples: Counter[int]) -> list[int]:
    """Return the seats with most meeples in a component, in ascending order."""
    most = max(meeples.values(), default=0)
    return sorted(seat for seat, count in meeples.items() if count == most)


def holders(position: CarcassonnePosition) -> list[tuple[str, ...]]:
    """Return for each tile on the table the colors of the seats that hold its components.

    Returns
    -------
    list of tuple of str
        For each of the 13 vertices of a tile ``"#rrggbb"``; empty if no seat or several seats hold
        its component, or if the component is closed.
    """
    meeples: dict[int, Counter[int]] = defaultdict(Counter)
    components = list(position.components())
    for _, roots, stood in components:
        if stood is not None and not (position.setup.official and stood[1] == CENTER):
            meeples[roots[stood[1]]][stood[0]] += 1
    colors = player_colors(position.seats)
    best = {root: leaders(found) for root, found in meeples.items()}
    held = {root: colors[seats[0]].rgb for root, seats in best.items() if len(seats) == 1}
    return [
        tuple(
            "" if closed else held.get(root, "")
            for root, closed in zip(roots, placed.closed, strict=True)
        )
        for placed, roots, _ in components
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
