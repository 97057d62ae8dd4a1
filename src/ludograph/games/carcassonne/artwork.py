"""How a tile and a meeple are drawn, deduced from vertices and components alone.

Coordinates are those of pictures: the tile is the unit square around the origin, x to the right
and y down. Each vertex of the rim has a third of its side. An area, such as a castle, takes the
thirds of its vertices; where its part of the rim ends a wall leads to where the next part begins. A
road is a band from each of its vertices to the others; what has only the center is a round place.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludograph.games.carcassonne.tiles import CENTER, ON_SIDE, RIM, Terrain
from ludograph.views import Shape
from ludograph.views.colors import DARK, LIGHT, blend, hexadecimal, parse
from ludograph.views.scene import Floats

COLORS = (
    "#9cc36b",
    "#e6d8b4",
    "#4f8fd0",
    "#b57f4f",
    "#9466b8",
    "#e0b43a",
    "#86cbe6",
    "#8f4334",
)
"""Of the terrains."""

SEAM = "#86ad57"
CASING = "#9b8a62"
HEDGE = "#5d8038"
FLOWER = "#fdf3a4"
GILT = (255, 205, 92)
"""Mixed into areas that are closed."""
WALL_WIDTH = 0.045
ROAD_WIDTH, CASING_WIDTH = 0.12, 0.17
PLACE_RADIUS = 0.115
END = 0.17
"""How far from the center a road ends that does not have it."""

CURVE = np.linspace(0, 1, 9)[:, None]
CIRCLE = np.stack([f(np.linspace(0, 2 * np.pi, 17)[:-1]) for f in (np.cos, np.sin)], axis=1)
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
MIDDLE = np.zeros(2)

# A body with arms and legs; the right half, from the neck down.
HALF = ((0.04, -0.04), (0.14, 0.0), (0.14, 0.04), (0.065, 0.055), (0.11, 0.15), (0.035, 0.15))
BODY = np.array([*HALF, (0.0, 0.095), *((-x, y) for x, y in reversed(HALF))])
HEAD = CIRCLE * 0.068 + (0, -0.085)


def rim_point(thirds: float) -> Floats:
    """Return the point on the rim at a number of thirds of a side, clockwise, from the top left."""
    side, along = divmod(thirds % RIM, ON_SIDE)
    x, y = along / ON_SIDE - 0.5, -0.5
    for _ in range(int(side)):
        x, y = -y, x
    return np.array([x, y])


def curve(start: Floats, control: Floats, end: Floats, pull: float = 2 / 3) -> Floats:
    """Return points of a Bézier curve: ``float64[9, 2]``.

    Parameters
    ----------
    control
        Where the tangents at both ends meet.
    pull
        How far towards it the curve's two control points are.
    """
    after, before = start + pull * (control - start), end + pull * (control - end)
    t, s = CURVE, 1 - CURVE
    return np.asarray(s**3 * start + 3 * s**2 * t * after + 3 * s * t**2 * before + t**3 * end)


def runs(vertices: set[int]) -> list[tuple[int, int]]:
    """Return the maximal parts of the rim that are in a set: first vertex and length, clockwise."""
    found = []
    for first in sorted(vertices):
        if (first - 1) % RIM not in vertices:
            length = 1
            while (first + length) % RIM in vertices:
                length += 1
            found.append((first, length))
    return found


def wall(begin: int, gap: int, with_center: bool) -> Floats:
    """Return the edge of an area along a part of the rim that it does not have.

    The middle of the edge is so far from the tile's center, towards that part of the rim, that an
    area has the center if, and only if, it should.

    Parameters
    ----------
    begin
        The first vertex that is not of the area.
    gap
        How many of them there are.
    """
    start, end = rim_point(begin), rim_point(begin + gap)
    outward = np.sum([rim_point(begin + step + 0.5) for step in range(gap)], axis=0)
    outward /= np.hypot(*outward) or 1.0
    chord = (start + end) / 2
    pull = 2 / 3
    if gap < 5:
        reach = 0.3 if with_center else 0.26
    elif gap < 8:
        reach = 0.14 if with_center else -0.14
    elif with_center:
        reach = 0.2
    else:  # it begins at 45 degrees, and so leaves room for another one beyond the corner
        reach, pull = -0.2, 0.8
    middle = chord + (reach - chord @ outward) * outward
    control = chord + (middle - chord) / (0.75 * pull)
    return curve(start, control, end, pull)


def area(vertices: set[int], fill: str) -> list[Shape]:
    """Draw an area with walls."""
    parts = runs(vertices - {CENTER})
    dark = hexadecimal(blend(parse(fill), DARK, 0.6))
    if not parts:  # all of the rim, or nothing of it
        return [Shape(SQUARE, fill)] if 0 in vertices else [place(fill)]
    outline, walls = [], []
    for (first, length), (following, _) in zip(parts, parts[1:] + parts[:1], strict=True):
        corners = [k for k in range(first + 1, first + length) if k % ON_SIDE == 0]
        outline += [rim_point(k) for k in (first, *corners)]
        gap = (following - first - length - 1) % RIM + 1
        walls.append(wall((first + length) % RIM, gap, CENTER in vertices))
        outline += [*walls[-1]]
    edges = [Shape(line, line=dark, width=WALL_WIDTH, closed=False) for line in walls]
    return [Shape(np.array(outline), fill), *edges]


def road_middle(first: int, second: int) -> Floats:
    """Return the middle of the road between two vertices of the rim."""
    ends = (rim_point(vertex + 0.5) for vertex in (first, second))
    return curve(next(ends), MIDDLE, next(ends))[len(CURVE) // 2]


def road(vertices: set[int], fill: str) -> list[Shape]:
    """Draw a road; it has a round end where it ends within the tile."""
    exits = [rim_point(vertex + 0.5) for vertex in sorted(vertices - {CENTER})]
    if not exits:
        return [place(fill)]
    if len(exits) == 2:
        lines = [curve(exits[0], MIDDLE, exits[1])]
    elif len(exits) > 2 or CENTER in vertices:
        lines = [np.array([point, MIDDLE]) for point in exits]
    else:
        lines = [np.array([exits[0], exits[0] * (END / np.hypot(*exits[0]))])]
    drawn = []
    for color, width in ((CASING, CASING_WIDTH), (fill, ROAD_WIDTH)):
        drawn += [Shape(line, line=color, width=width, closed=False, blunt=True) for line in lines]
        if len(exits) != 2:
            drawn.append(Shape(CIRCLE * (width / 2) + lines[0][-1], color))
    return drawn


def place(fill: str) -> Shape:
    """Draw what is in the middle and leads nowhere."""
    dark = hexadecimal(blend(parse(fill), DARK, 0.6))
    return Shape(CIRCLE * PLACE_RADIUS, fill, dark, WALL_WIDTH * 0.8)


def hedges(components: tuple[int, ...], terrains: tuple[int, ...]) -> list[Shape]:
    """Draw a hedge between fields side by side that do not hang together."""
    drawn = []
    for vertex in range(RIM):
        before = (vertex - 1) % RIM
        both_fields = terrains[vertex] == terrains[before] == Terrain.FIELD
        if both_fields and components[vertex] != components[before]:
            line = rim_point(vertex) * np.array([[1.0], [0.3]])
            drawn.append(Shape(line, line=HEDGE, width=WALL_WIDTH, closed=False))
    return drawn


def flowers(vertices: set[int]) -> list[Shape]:
    """Draw a flower at each vertex of a field on the rim."""
    points = [rim_point(vertex + 0.5) * 0.8 for vertex in sorted(vertices - {CENTER})]
    return [Shape(CIRCLE[::4] * 0.022 + point, FLOWER) for point in points]


@lru_cache(maxsize=4096)
def tile_shapes(
    components: tuple[int, ...], terrains: tuple[int, ...], closed: tuple[bool, ...]
) -> tuple[Shape, ...]:
    """Draw a tile.

    Parameters
    ----------
    components, terrains
        Of the 13 vertices of the tile as it lies.
    closed
        For each vertex whether its component is closed: that is brighter, and a field has flowers.
    """
    shapes = [Shape(SQUARE, COLORS[Terrain.FIELD], SEAM, 0.015)]
    shapes += hedges(components, terrains)
    members: dict[int, set[int]] = {}
    for vertex, component in enumerate(components):
        members.setdefault(component, set()).add(vertex)
    fields, roads, areas, places = [], [], [], []
    for vertices in members.values():
        first = min(vertices)
        terrain = terrains[first]
        fill = COLORS[terrain]
        if closed[first]:
            fill = hexadecimal(blend(parse(fill), LIGHT if terrain == Terrain.ROAD else GILT, 0.6))
        if vertices == {CENTER}:
            places.append(place(COLORS[terrain]))
        elif terrain == Terrain.FIELD:
            fields += flowers(vertices) if closed[first] else []
        elif terrain == Terrain.ROAD:
            roads += road(vertices, fill)
        else:
            areas += area(vertices, fill)
    return (*shapes, *fields, *roads, *areas, *places)


@lru_cache(maxsize=64)
def meeple_shapes(fill: str) -> tuple[Shape, ...]:
    """Draw a meeple, with an outline that keeps it apart from every ground."""
    white = hexadecimal(LIGHT)
    parts = (BODY, HEAD)
    halo = [Shape(part, white, white, 0.05) for part in parts]
    return (*halo, *(Shape(part, fill, fill, 0.012) for part in parts))


@lru_cache(maxsize=8)
def frame_shapes(line: str, width: float) -> tuple[Shape, ...]:
    """Draw a frame along the edge of a tile."""
    return (Shape(SQUARE * (1 - width), line=line, width=width),)
