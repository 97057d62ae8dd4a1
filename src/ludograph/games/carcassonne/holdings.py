"""The owners and the current values of all roads, castles and fields on the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ludograph.formatting import counted
from ludograph.games.carcassonne.artwork import CASING, area, player_colors, rim_point, road
from ludograph.games.carcassonne.position import CarcassonnePosition
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.tiles import (
    CENTER,
    ON_SIDE,
    POINTS,
    TERRAIN_NAMES,
    VERTICES,
    Terrain,
    Tile,
)
from ludograph.views import Region, Shape, Sketch
from ludograph.views.scene import Floats

INK = "#000000"
REACH = 0.26
"""The width of a road's region for pointing."""


def regions(position: CarcassonnePosition) -> list[Region]:
    """Return the regions with facts to show: fields first, as others are drawn over them."""
    covers: dict[int, list[Sketch]] = defaultdict(list)
    meeples = position.meeples_put()
    terrains: dict[int, int] = {}
    where: dict[int, tuple[int, int]] = {}
    closed: set[int] = set()
    for number, (placed, roots) in enumerate(position.components()):
        for root in dict.fromkeys(roots):
            vertex = roots.index(root)
            shapes = cover(placed.tile, vertex)
            if shapes:
                covers[root].append(Sketch(shapes, (placed.x, -placed.y)))
                terrains[root] = placed.tile.terrains[vertex]
                where[root] = (number, vertex)
                closed |= {root} if placed.closed[vertex] else set()
    order = (Terrain.FIELD, Terrain.ROAD)
    found = sorted(covers, key=lambda root: (*order, terrains[root]).index(terrains[root]))
    return [
        region(
            *(position, root, where[root], terrains[root]),
            *(meeples[root], covers[root]),
            closed=root in closed,
        )
        for root in found
    ]


def region(
    position: CarcassonnePosition,
    root: int,
    where: tuple[int, int],
    terrain: int,
    meeples: Counter[int],
    covers: list[Sketch],
    *,
    closed: bool,
) -> Region:
    """Return the region of a component, with its owner and its points.

    Parameters
    ----------
    where
        The number of a tile, and a vertex of it, where the component is.
    """
    colors, best = player_colors(position.seats), leaders(meeples)
    who = " and ".join(colors[seat].name for seat in best)
    most = max(meeples.values(), default=0)
    if position.setup.official:
        points = counted(position.points_at(*where), "point")
        text = official_text(terrain, points, who, len(best), most, closed=closed)
    else:
        has_meeples = position.setup.mode != NO_MEEPLE
        size = position.size_of(root)
        text = course_text(terrain, size, who, len(best), most, has_meeples, closed=closed)
    color = colors[best[0]].rgb if len(best) == 1 and not closed else ""
    return Region(f"{text[:1].upper()}{text[1:]}", color, tuple(covers))


def course_text(
    terrain: int, size: int, who: str, owners: int, most: int, has_meeples: bool, *, closed: bool
) -> str:
    """Return the owners of a component and its points by the course rules, as a sentence.

    Parameters
    ----------
    who, owners, most
        The names and the number of the seats with most meeples, and this number of meeples.
    """
    what, points = TERRAIN_NAMES[terrain], counted(size * POINTS[terrain], "point")
    points = points if size > 1 else "nothing"
    if closed and size == 1:
        return f"This {what} is closed, but too short to count"
    if closed:
        whom = f"{who if owners == 1 else 'nobody'} " if has_meeples else ""
        return f"This {what} is closed: it has given {whom}{points}"
    if not has_meeples:
        return f"This {what} is open: {points} at its present size for the player who closes it"
    if not owners:
        return f"Nobody holds this {what} yet: {points} if it is closed at its present size"
    if owners > 1:
        return f"{who} share this {what}, {most} each: with a tie, nobody gets its {points}"
    held = counted(most, "meeple")
    return f"{who} holds this {what} ({held}): {points} if it is closed at its present size"


def official_text(
    terrain: int, points: str, who: str, owners: int, most: int, *, closed: bool
) -> str:
    """Return the owners of a component and its points by the official rules, as a sentence."""
    what, later = TERRAIN_NAMES[terrain], f"{points} at its present size"
    if terrain == Terrain.FIELD:
        later = f"{points} at the end, three for each finished castle beside it"
    elif terrain == Terrain.CASTLE:
        later += ", twice as much if it is finished"
    if closed:
        return f"This {what} is finished: it has given {who or 'nobody'} {points}"
    if not owners:
        return f"Nobody holds this {what} yet: {later}"
    if owners > 1:
        return f"{who} share this {what}, {most} each, and each gets {later}"
    return f"{who} holds this {what} ({counted(most, 'meeple')}): {later}"


@lru_cache(maxsize=4096)
def cover(tile: Tile, vertex: int) -> tuple[Shape, ...]:
    """Return the area of a component on a tile; nothing for a center alone."""
    own = {v for v in range(VERTICES) if tile.components[v] == tile.components[vertex]}
    if own == {CENTER}:
        return ()
    if tile.terrains[vertex] == Terrain.FIELD:
        return tuple(Shape(thirds(v), INK) for v in sorted(own))
    if tile.terrains[vertex] == Terrain.ROAD:
        lines = [shape for shape in road(own, INK) if shape.line == CASING]
        return tuple(replace(line, line=INK, width=REACH) for line in lines)
    return (replace(area(own, INK)[0], line=""),)


def thirds(vertex: int) -> Floats:
    """Return the area of a vertex on a tile, as a polygon: a ninth, or half of one at a corner."""
    if vertex == CENTER:
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 6
    begin, end = rim_point(vertex), rim_point(vertex + 1)
    if vertex % ON_SIDE == 1:
        return np.array([begin, end, *(np.where(abs(p) > 0.49, p / 3, p) for p in (end, begin))])
    return np.array([begin, end, np.sign(begin + end) / 6])


def leaders(meeples: Counter[int]) -> list[int]:
    """Return the seats with most meeples in a component, in ascending order."""
    most = max(meeples.values(), default=0)
    return sorted(seat for seat, count in meeples.items() if count == most)
