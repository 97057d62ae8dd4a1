"""The effect of a placement in words: the road, castle or field that a meeple claims."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ludograph.formatting import counted
from ludograph.games.carcassonne.artwork import meeple_spot, player_colors
from ludograph.games.carcassonne.notation import placement_code
from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.tiles import (
    CENTER,
    POINTS,
    RIM,
    TERRAIN_NAMES,
    VERTICES,
    Terrain,
    Tile,
)

WHERE = (
    *("at the top left", "at the top", "at the top right"),
    *("on the left", "in the middle", "on the right"),
    *("at the bottom left", "at the bottom", "at the bottom right"),
)
"""The nine cells of a tile in words, row by row."""


def action(position: CarcassonnePosition, move: int) -> str:
    """Return the effect of a placement, with its immediate points; empty for a deal."""
    if position.dealt is None:
        return ""
    place = position.placement(move)
    if place.vertex is not None:
        return f"Place it and {claim(position, move)}"
    gives = points_at_once(position, move)
    if position.setup.mode == NO_MEEPLE:
        return f"Place the tile{gives}"
    if position.meeples(position.turn or 0) == 0:
        return f"Place the tile; you have no meeple left{gives}"
    free = (placement_code(position.setup, place._replace(vertex=v)) for v in range(VERTICES))
    if not any(map(position.is_legal, free)):
        return f"Place the tile; all its parts are claimed already{gives}"
    return f"Place it without a meeple{gives}"


def claim(position: CarcassonnePosition, move: int) -> str:
    """Return the feature that a placement's meeple claims, and its points, now or later."""
    assert position.dealt is not None
    place = position.placement(move)
    assert place.vertex is not None
    text = f"claim {part(position.dealt.tile.rotated(place.quarters), place.vertex)}"
    points, when = promised(position, move)
    return f"{text}{when}" if points is None else f"{text}: {counted(points, 'point')}{when}"


def promised(position: CarcassonnePosition, move: int) -> tuple[int | None, str]:
    """Return the points of a claim, None if there are none to tell, and when they are given."""
    place, seat, reached = position.placement(move), position.turn or 0, after(position, move)
    vertex, laid = place.vertex, reached.last_tile
    assert vertex is not None
    terrain = laid.tile.terrains[vertex]
    if position.setup.official:
        points = reached.points_at(-1, vertex)
        if laid.closed[vertex] or (vertex == CENTER and seat in reached.finished_monasteries()):
            return points, ""
        if vertex != CENTER and terrain == Terrain.CASTLE:
            return points, " at its present size, twice as much if finished"
        if vertex != CENTER and terrain == Terrain.FIELD:
            return points, " at the end, at its present size"
        return points, " at its present size"
    if vertex == CENTER and laid.tile.components.count(laid.tile.components[CENTER]) == 1:
        return None, ", and the meeple returns at once"
    without = after(position, placement_code(position.setup, place._replace(vertex=None)))
    more = int(reached.scores()[seat] - without.scores()[seat])
    if more > 0:
        return more, ""
    size = reached.size_of(reached.roots()[vertex])
    if laid.closed[vertex] or size == 1 or POINTS[terrain] == 0:
        return None, ""
    return size * POINTS[terrain], " if closed"


def after(position: CarcassonnePosition, move: int) -> CarcassonnePosition:
    """Return the position after a legal move."""
    reached = position.copy()
    reached.play(move)
    return reached


def color_of(position: CarcassonnePosition, seat: int) -> str:
    """Return the name of the color of a seat's meeples; empty in a game without meeples."""
    return "" if position.setup.mode == NO_MEEPLE else player_colors(position.seats)[seat].name


def points_at_once(position: CarcassonnePosition, move: int) -> str:
    """Return the immediate points of a placement, as the end of a sentence: ``: 24 points``."""
    reached, seat = after(position, move), position.turn
    found = []
    for other, (old, new) in enumerate(zip(position.scores(), reached.scores(), strict=True)):
        if new > old:
            points = counted(int(new - old), "point")
            whom = color_of(position, other) or f"player {other + 1}"
            found.append(points if other == seat else f"{points} for {whom}")
    lost = sum(each.points for each in closed_last(reached) if not each.holder)
    found += [f"{counted(lost, 'point')} for nobody"] if lost else []
    return f": {' and '.join(found)}" if found else ""


class Closed(NamedTuple):
    """A component that was closed by the tile laid last, and has a terrain that gives points."""

    vertex: int
    """A vertex of the tile that belongs to the component."""
    points: int
    """The points of the component."""
    calculation: str
    """The calculation of the points, ``3 x 8``; empty if there are none."""
    claimed: bool
    """Whether any meeple stood there."""
    holder: bool
    """Whether any seat gets the points."""


def closed_last(position: CarcassonnePosition) -> list[Closed]:
    """Return the components that were closed by the tile laid last."""
    laid = position.last_tile
    found: dict[int, Closed] = {}
    for vertex, root in enumerate(position.roots() if any(laid.closed) else ()):
        each = POINTS[laid.tile.terrains[vertex]]
        if laid.closed[vertex] and each and root not in found:
            meeples = position.meeples_in(root)
            best = [count for count in meeples.values() if count == max(meeples.values())]
            holder = position.setup.mode == NO_MEEPLE or len(best) == 1
            size = position.size_of(root)
            points, calculation = (size * each, f"{size} x {each}") if size > 1 else (0, "")
            if position.setup.official:
                points, holder = position.points_at(-1, vertex), bool(meeples)
                calculation = counted(points, "point")
            found[root] = Closed(vertex, points, calculation, bool(meeples), holder)
    return list(found.values())


def closing(position: CarcassonnePosition) -> str:
    """Return the components closed by the last tile and their points, to end a sentence."""
    laid = position.last_tile
    parts = []
    for closed in closed_last(position):
        counts = closed.calculation or "too short to count"
        if closed.points and not closed.holder:
            why = (
                "the players have equally many meeples there"
                if closed.claimed
                else "nobody had a meeple there"
            )
            counts += f" for nobody: {why}"
        parts.append(f"{part(laid.tile, closed.vertex)} ({counts})")
    parts += ["a monastery (9 points)" for _ in position.finished_monasteries()]
    return f", closing {' and '.join(parts)}" if parts else ""


def part(tile: Tile, vertex: int) -> str:
    """Return the feature at a vertex: ``the road``, with its place if the tile has several.

    Examples
    --------
    >>> from ludograph.games.carcassonne.decks import INIT, XROAD
    >>> part(INIT, 1), part(XROAD, 1)
    ('the castle', 'the road at the top')
    """
    if tile.monastery and vertex == CENTER:
        return "the monastery"
    terrain = tile.terrains[vertex]
    same = {tile.components[other] for other in range(VERTICES) if tile.terrains[other] == terrain}
    name = f"the {tile.terrain_name(vertex)}"
    if len(same) == 1:
        return name
    standing = PlacedTile(0, 0, None, 0, tile, meeple=(0, vertex))
    return f"{name} {WHERE[meeple_spot(standing)]}"


def contents(tile: Tile, *, official: bool = False) -> str:
    """Return the roads and castles of a tile; by the official rules also monastery and shields.

    Examples
    --------
    >>> from ludograph.games.carcassonne.decks import INIT, XROAD
    >>> contents(INIT), contents(XROAD)
    ('a castle and a road', '4 roads')
    """
    names: dict[int, str] = {}
    for vertex in range(RIM):
        names.setdefault(tile.components[vertex], tile.terrain_name(vertex))
    counts = Counter(name for name in names.values() if name != TERRAIN_NAMES[Terrain.FIELD])
    parts = [f"a {name}" if count == 1 else f"{count} {name}s" for name, count in counts.items()]
    if official:
        parts += ["a monastery"] * tile.monastery + ["a shield"] * len(tile.shields)
    return " and ".join(parts) or "fields only"
