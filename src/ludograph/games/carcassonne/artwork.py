"""Drawings of tiles and meeples, and the nine cells of a tile in text.

Drawings are derived from vertices and components only. Coordinates are those of pictures: the tile
is the unit square around the origin, x to the right and y down. Each vertex of the rim has a third
of its side. An area, such as a castle, has the thirds of its vertices; a wall leads from each part
of its rim to the next part. A road is a band between its vertices. A component of the center alone
is a disk. Walls, the edges of roads and the flowers of fields have the color of the seat that holds
the component.

The ornaments of the board game, monasteries and shields, count by the official rules only, and
stand upright on turned tiles.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ludograph.boards.arithmetic import lengths
from ludograph.games.carcassonne.position import PlacedTile
from ludograph.games.carcassonne.tiles import (
    CENTER,
    ON_SIDE,
    RIM,
    TERRAIN_NAMES,
    VERTICES,
    Terrain,
    Tile,
)
from ludograph.views import Shape, Swatch
from ludograph.views.colors import DARK, LIGHT, LIMIT, blend, distinct, hexadecimal, parse
from ludograph.views.curves import bridged, ellipse, flattened, joined, piece, straight
from ludograph.views.scene import Floats

COLORS = (
    "#a3c671",
    "#f1e6c8",
    "#4f8fd0",
    "#c69c6b",
    "#9466b8",
    "#e0b43a",
    "#86cbe6",
    "#8f4334",
)
"""The colors of the terrains."""

SEAM, GRASS, LUSH = "#92b763", "#86ac57", "#adce7c"
CASING = "#9b8a62"
HEDGE = "#5d8038"
FLOWER = "#fdf3a4"
STONE, MORTAR = "#d8cfc0", "#5b4a3c"
ROOFS = ("#b9563d", "#a0452f", "#c96a4a")
FRONTS = ("#f3e6cd", "#e8d3ae")
GILT = (255, 214, 110)
"""The color that is mixed into closed areas."""
WALL_WIDTH = 0.045
RAMPART, PARAPET = 0.085, 0.045
"""The widths of a castle's wall, and of the walkway along its top."""
ROAD_WIDTH, CASING_WIDTH = 0.12, 0.185
PLACE_RADIUS = 0.115
END = 0.17
"""The distance from the center at which a road ends, if its component lacks the center."""

CIRCLE = ellipse(1, 1)
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
MIDDLE = np.zeros(2)
PETALS = flattened(CIRCLE, 2)[:-1]

HOUSE = 0.07
"""Half of the width of a house."""
FRONT = HOUSE * np.array([[-0.72, 0.1], [0.72, 0.1], [0.72, 1.0], [-0.72, 1.0]])
ROOF = HOUSE * np.array([[-1.1, 0.2], [0.0, -1.0], [1.1, 0.2]])
LANES = 0.215
"""The distance between houses."""

# A body with arms and legs; the right half, from the neck down.
HALF = ((0.045, -0.05), (0.15, 0.0), (0.145, 0.045), (0.07, 0.06), (0.115, 0.15), (0.03, 0.15))
BODY = np.array([*HALF, (0.0, 0.1), *((-x, y) for x, y in reversed(HALF))])
HEAD = CIRCLE * 0.068 + (0, -0.085)

TUFTS = np.array(
    [(-0.31, -0.33), (0.1, -0.24), (0.36, -0.08), (-0.16, 0.02), (0.19, 0.3), (-0.36, 0.27)]
)
CLEARINGS = np.array([(0.3, 0.1), (-0.24, 0.38), (-0.06, -0.36)])
"""The places of grass on a meadow, high and low."""
BLADES = np.array(
    [
        *((-0.04, -0.04), (-0.015, 0.0), (-0.006, -0.055), (0.012, 0.0), (0.04, -0.04)),
        *((0.018, 0.025), (-0.018, 0.025)),
    ]
)


def rim_point(thirds: float) -> Floats:
    """Return the point on the rim at a number of thirds of a side, clockwise, from the top left."""
    side, along = divmod(thirds % RIM, ON_SIDE)
    x, y = along / ON_SIDE - 0.5, -0.5
    for _ in range(int(side)):
        x, y = -y, x
    return np.array([x, y])


def runs(vertices: set[int]) -> list[tuple[int, int]]:
    """Return the runs of rim vertices in a set, as long as possible: first vertex and length."""
    found = []
    for first in sorted(vertices):
        if (first - 1) % RIM not in vertices:
            length = 1
            while (first + length) % RIM in vertices:
                length += 1
            found.append((first, length))
    return found


def wall(begin: int, gap: int, with_center: bool) -> Floats:
    """Return the edge of an area along a gap, a part of the rim outside of the area, as a spline.

    The middle of the edge is placed so that the area contains the center of the tile if, and only
    if, ``with_center`` is true.

    Parameters
    ----------
    begin
        The first vertex of the gap.
    gap
        The number of its vertices.
    with_center
        Whether the center belongs to the area.
    """
    start, end = rim_point(begin), rim_point(begin + gap)
    outward = np.sum([rim_point(begin + step + 0.5) for step in range(gap)], axis=0)
    outward /= lengths(outward) or 1.0
    chord = (start + end) / 2
    pull = 2 / 3
    if gap < 5:
        reach = 0.3 if with_center else 0.26
    elif gap < 8:
        reach = 0.14 if with_center else -0.14
    elif with_center:
        reach = 0.2
    else:  # the edge begins at 45 degrees, and leaves room for another one beyond the corner
        reach, pull = -0.2, 0.8
    middle = chord + (reach - (chord * outward).sum()) * outward
    control = chord + (middle - chord) / (0.75 * pull)
    return piece(start, control, end, pull)


def area(vertices: set[int], fill: str) -> list[Shape]:
    """Draw an area with its edges."""
    parts = runs(vertices - {CENTER})
    dark = hexadecimal(blend(parse(fill), DARK, 0.6))
    if not parts:  # all of the rim, or nothing of it
        return [Shape(SQUARE, fill)] if 0 in vertices else [place(fill)]
    outline, walls = [], []
    for (first, length), (following, _) in zip(parts, parts[1:] + parts[:1], strict=True):
        corners = [k for k in range(first + 1, first + length) if k % ON_SIDE == 0]
        rim = [rim_point(k) for k in (first, *corners, first + length)]
        gap = (following - first - length - 1) % RIM + 1
        walls.append(wall((first + length) % RIM, gap, CENTER in vertices))
        outline += [straight(np.array(rim)), walls[-1]]
    edges = [Shape(line, line=dark, width=WALL_WIDTH, closed=False, curved=True) for line in walls]
    return [Shape(joined(outline), fill, curved=True), *edges]


def castle(vertices: set[int], fill: str, holder: str) -> list[Shape]:
    """Draw a castle: its ground, houses, and walls in the color of the seat that holds it."""
    ground, *edges = area(vertices, fill)
    if vertices == {CENTER}:
        return [ground]
    outline = flattened(ground.points) if ground.curved else ground.points
    houses = houses_at(places_of_houses(outline))
    walls = [
        replace(edge, line=line, width=width)
        for line, width in ((MORTAR, RAMPART), (holder or STONE, PARAPET))
        for edge in edges
    ]
    return [ground, *houses, *walls]


def places_of_houses(outline: Floats) -> list[tuple[float, float]]:
    """Return points within an outline, in rows, each with room for a house."""
    corners = HOUSE * 1.6 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [0, 0]])
    rows = [
        (x * LANES + (y % 2 - 0.5) * LANES / 2, y * LANES * 0.9)
        for y in range(-2, 3)
        for x in range(-2, 3)
    ]
    return [
        point
        for point in rows
        if np.abs(np.add(corners, point)).max() < 0.5
        and all(is_inside(outline, corner + point) for corner in corners)
    ]


def is_inside(outline: Floats, point: Floats) -> bool:
    """Tell whether a point lies within a polygon, by the even-odd rule."""
    x, y = (outline - point).T
    after_x, after_y = np.roll(x, -1), np.roll(y, -1)
    crosses = np.flatnonzero((y > 0) != (after_y > 0))
    across = x - y * np.divide(after_x - x, after_y - y, out=np.zeros_like(x), where=after_y != y)
    return bool(np.count_nonzero(across[crosses] > 0) % 2)


def houses_at(points: list[tuple[float, float]]) -> list[Shape]:
    """Draw a house at each of some points: their fronts, then their roofs."""
    fronts: dict[str, list[Floats]] = {}
    roofs: dict[str, list[Floats]] = {}
    for number, point in enumerate(points):
        high = 1.25 if number % 3 == 1 else 1.0
        fronts.setdefault(FRONTS[number % len(FRONTS)], []).append(FRONT * (1, high) + point)
        roofs.setdefault(ROOFS[number % len(ROOFS)], []).append(ROOF * (1, high) + point)
    return [Shape(bridged(parts), fill) for each in (fronts, roofs) for fill, parts in each.items()]


def road_middle(first: int, second: int) -> Floats:
    """Return the middle of the road between two vertices of the rim."""
    start, end = (rim_point(vertex + 0.5) for vertex in (first, second))
    return flattened(piece(start, MIDDLE, end), 2)[1]


def road(vertices: set[int], fill: str, holder: str = "") -> list[Shape]:
    """Draw a road; it has a round end where it ends within the tile."""
    exits = [rim_point(vertex + 0.5) for vertex in sorted(vertices - {CENTER})]
    if not exits:
        return [place(fill)]
    if len(exits) == 2:
        lines = [piece(exits[0], MIDDLE, exits[1])]
    elif len(exits) > 2 or CENTER in vertices:
        lines = [straight(np.array([point, MIDDLE])) for point in exits]
    else:
        end = exits[0] * (END / lengths(exits[0]))
        lines = [straight(np.array([exits[0], end]))]
    drawn = []
    for color, width in ((holder or CASING, CASING_WIDTH), (fill, ROAD_WIDTH)):
        drawn += [
            Shape(line, line=color, width=width, closed=False, blunt=True, curved=True)
            for line in lines
        ]
        if len(exits) != 2:
            drawn.append(Shape(CIRCLE * (width / 2) + lines[0][-1], color, curved=True))
    return drawn


def place(fill: str) -> Shape:
    """Draw a component of the center alone, as a disk."""
    dark = hexadecimal(blend(parse(fill), DARK, 0.6))
    return Shape(CIRCLE * PLACE_RADIUS, fill, dark, WALL_WIDTH * 0.8, curved=True)


def hedges(components: tuple[int, ...], terrains: tuple[int, ...]) -> list[Shape]:
    """Draw a hedge between neighboring fields of different components."""
    drawn = []
    for vertex in range(RIM):
        before = (vertex - 1) % RIM
        both_fields = terrains[vertex] == terrains[before] == Terrain.FIELD
        if both_fields and components[vertex] != components[before]:
            line = rim_point(vertex) * np.array([[1.0], [0.3]])
            drawn.append(Shape(line, line=HEDGE, width=WALL_WIDTH, closed=False))
    return drawn


def flowers(vertices: set[int], fill: str, size: float) -> list[Shape]:
    """Draw a flower at each vertex of a field on the rim."""
    points = [rim_point(vertex + 0.5) * 0.8 for vertex in sorted(vertices - {CENTER})]
    return [Shape(bridged([PETALS * size + point for point in points]), fill)] if points else []


@lru_cache(maxsize=4)
def meadow(quarters: int) -> tuple[Shape, ...]:
    """Draw the grass below all other shapes, turned by a number of quarters for variety."""
    turns = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), quarters)
    low = [PETALS * (0.12, 0.07) + point for point in CLEARINGS @ turns]
    high = [BLADES + point for point in TUFTS @ turns]
    return (
        Shape(SQUARE, COLORS[Terrain.FIELD], SEAM, 0.012),
        Shape(bridged(low), LUSH),
        Shape(bridged(high), GRASS),
    )


UNHELD = ("",) * VERTICES


@lru_cache(maxsize=4096)
def tile_shapes(
    components: tuple[int, ...],
    terrains: tuple[int, ...],
    closed: tuple[bool, ...],
    holders: tuple[str, ...] = UNHELD,
) -> tuple[Shape, ...]:
    """Draw the shapes on the meadow of a tile.

    Parameters
    ----------
    components, terrains
        The components and terrains of the 13 vertices of the turned tile.
    closed
        For each vertex whether its component is closed. Closed components are brighter, and closed
        fields have flowers.
    holders
        For each vertex the color of the seat that holds its component; empty if no seat does.
    """
    shapes = hedges(components, terrains)
    members: dict[int, set[int]] = {}
    for vertex, component in enumerate(components):
        members.setdefault(component, set()).add(vertex)
    fields, roads, areas, places = [], [], [], []
    for vertices in members.values():
        first = min(vertices)
        terrain, holder = terrains[first], holders[first]
        fill = COLORS[terrain]
        if closed[first]:
            fill = hexadecimal(blend(parse(fill), LIGHT if terrain == Terrain.ROAD else GILT, 0.6))
        if vertices == {CENTER}:
            places.append(place(COLORS[terrain]))
        elif terrain == Terrain.FIELD:
            fields += flowers(vertices, holder, 0.032) if holder else []
            fields += flowers(vertices, FLOWER, 0.022) if closed[first] else []
        elif terrain == Terrain.ROAD:
            roads += road(vertices, fill, holder)
        elif terrain == Terrain.CASTLE:
            areas += castle(vertices, fill, holder)
        else:
            areas += area(vertices, fill)
    return (*shapes, *fields, *roads, *areas, *places)


@lru_cache(maxsize=64)
def meeple_shapes(fill: str) -> tuple[Shape, ...]:
    """Draw a meeple, with an outline that separates it from every ground."""
    white = hexadecimal(LIGHT)
    dark = hexadecimal(blend(parse(fill), DARK, 0.55))
    parts = ((BODY, False), (HEAD, True))
    halo = [Shape(points, white, white, 0.055, curved=curved) for points, curved in parts]
    lines = [Shape(points, fill, dark, 0.026, curved=curved) for points, curved in parts]
    return (*halo, *lines, *(Shape(points, fill, curved=curved) for points, curved in parts))


@lru_cache(maxsize=8)
def frame_shapes(line: str, width: float) -> tuple[Shape, ...]:
    """Draw a frame along the edge of a tile."""
    return (Shape(SQUARE * (1 - width), line=line, width=width),)


PLASTER, TILES, WOOD, OUTLINE = "#f3ead6", "#b0413a", "#6f4a2f", "#4a3327"
BLUE, GOLD = "#2f5fb3", "#f2c84b"

NAVE = np.array([[-0.14, 0.15], [-0.14, -0.01], [0.08, -0.01], [0.08, 0.15]])
GABLE = np.array([[-0.17, -0.01], [-0.03, -0.12], [0.11, -0.01]])
TOWER = np.array([[0.06, 0.15], [0.06, -0.11], [0.16, -0.11], [0.16, 0.15]])
SPIRE = np.array([[0.04, -0.11], [0.11, -0.23], [0.18, -0.11]])
GATE = np.array([[-0.065, 0.15], [-0.065, 0.06], [-0.03, 0.03], [0.005, 0.06], [0.005, 0.15]])

ARMS = 0.1 * np.array(
    [[-1, -1.1], [1, -1.1], [1, 0.1], [0.75, 0.7], [0, 1.25], [-0.75, 0.7], [-1, 0.1]]
)
BEND = 0.1 * np.array([[-1, -1.1], [-0.35, -1.1], [0.93, 0.3], [0.66, 0.83]])

PLACES = (
    *((0, (11, 0)), (2, (2, 3)), (8, (5, 6)), (6, (8, 9))),  # corners
    *((1, (1,)), (5, (4,)), (7, (7,)), (3, (10,))),
)
"""The places of a shield among the nine cells of a tile, and the vertices of each place."""


@lru_cache(maxsize=512)
def ornament_shapes(tile: Tile) -> tuple[Shape, ...]:
    """Draw the ornaments of a tile; most tiles have none.

    Parameters
    ----------
    tile
        The turned tile.
    """
    shapes = monastery() if tile.monastery else ()
    for vertex in tile.shields:
        place = shield_place(tile, vertex)
        shapes += () if place is None else shield(*place)
    return shapes


def monastery() -> tuple[Shape, ...]:
    """Draw a church in the middle of a tile."""
    parts = ((NAVE, PLASTER), (TOWER, PLASTER), (GABLE, TILES), (SPIRE, TILES), (GATE, WOOD))
    return tuple(Shape(1.25 * points, fill, OUTLINE, 0.016) for points, fill in parts)


def shield(x: float, y: float) -> tuple[Shape, ...]:
    """Draw a coat of arms."""
    at = np.array((x, y))
    return (Shape(ARMS + at, BLUE, "#ffffff", 0.05), Shape(ARMS + at, BLUE), Shape(BEND + at, GOLD))


def shield_place(tile: Tile, vertex: int) -> tuple[float, float] | None:
    """Return the place of a castle's shield on a tile; None if the castle has too little room."""
    own = tile.components[vertex]
    for part, vertices in PLACES:
        if all(tile.components[other] == own for other in vertices):
            return 0.28 * (part % 3 - 1), 0.28 * (part // 3 - 1)
    return None


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
