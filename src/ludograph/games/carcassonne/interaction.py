"""Carcassonne for human players: the steps of a turn, moves by pointing, moves in words.

The words tell why a move is illegal, or its effect: the road, castle or field that a meeple claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ludograph.formatting import counted
from ludograph.games.carcassonne.artwork import (
    SQUARE,
    frame_shapes,
    meadow,
    meeple_point,
    meeple_shapes,
    meeple_spot,
    ornament_shapes,
    player_colors,
    tile_shapes,
)
from ludograph.games.carcassonne.notation import placement_code
from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.tiles import (
    CENTER,
    ON_SIDE,
    POINTS,
    RIM,
    SIDES,
    STEPS,
    TERRAIN_NAMES,
    VERTEX_NAMES,
    VERTICES,
    Terrain,
    Tile,
    facing,
)
from ludograph.games.interaction import Interaction
from ludograph.views import Sketch, Spot

WHERE = (
    *("at the top left", "at the top", "at the top right"),
    *("on the left", "in the middle", "on the right"),
    *("at the bottom left", "at the bottom", "at the bottom right"),
)
"""The nine cells of a tile in words, row by row."""


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
    found += [f"{counted(lost, 'point')} that nobody gets"] if lost else []
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
    put = position.meeples_put()
    for vertex, root in enumerate(position.roots() if any(laid.closed) else ()):
        each = POINTS[laid.tile.terrains[vertex]]
        if laid.closed[vertex] and each and root not in found:
            meeples = put[root]
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
            counts += f", which nobody gets: {why}"
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


class CarcassonneInteraction(Interaction[CarcassonnePosition]):
    """The texts of a human player's turn, and the choice of a move by pointing."""

    written_as = (
        "x,y of a cell (up is y + 1), rN for N quarter turns clockwise, mV for a meeple on vertex V"
    )

    def tasks(self, position: CarcassonnePosition) -> Sequence[str]:
        """Return the steps of a turn: put the tile, claim a part of it, confirm."""
        put = "Put the tile on a dashed place"
        if position.setup.mode == NO_MEEPLE or position.meeples(position.turn or 0) == 0:
            return put, "Place it here"
        then = "Claim a free part, or place it without a meeple"
        return put, then, "Confirm, or choose another move"

    def action(self, position: CarcassonnePosition, move: int) -> str:
        """Return the effect of a placement, with its immediate points."""
        if position.dealt is None:
            return super().action(position, move)
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

    def hint(self, position: CarcassonnePosition, move: int) -> str:
        """Return the effect of a placement; its place is visible in the picture."""
        text = self.action(position, move)
        return f"{text[:1].lower()}{text[1:]}"

    def spots(self, position: CarcassonnePosition, move: int) -> tuple[Spot, ...]:
        """Return the parts of a placement: cell, rotation and meeple; nothing for a deal."""
        dealt = position.dealt
        if dealt is None:
            return ()
        x, y, quarters, vertex = position.placement(move)
        place = (float(x), float(-y))
        square = SQUARE + place
        tile = dealt.tile.rotated(quarters)
        shapes = tile_shapes(tile.components, tile.terrains, OPEN)
        ornament = ornament_shapes(tile)
        ghost = (
            Sketch(meadow(0), place),
            *((Sketch(shapes, place, 1),) if shapes else ()),
            *((Sketch(ornament, place, 2),) if ornament else ()),
            Sketch(frame_shapes(UNPLAYED, 0.05), place, 2),
        )
        parts = (Spot(f"{x},{y}", square), Spot(f"r{quarters}", square, ghost))
        if vertex is None:
            return parts
        seat = position.turn or 0
        placed = PlacedTile(x, y, dealt.name, quarters, tile, OPEN, (seat, vertex))
        right, down = meeple_point(placed)
        spot = (place[0] + right, place[1] + down)
        meeple = Sketch(meeple_shapes(player_colors(position.seats)[seat].rgb), spot, 3)
        text = claim(position, move)
        points, _ = promised(position, move)
        note = "" if points is None else str(points)
        return (*parts, Spot(f"{text[:1].upper()}{text[1:]}", CIRCLE + spot, (meeple,), note))

    def why_not_at(self, position: CarcassonnePosition, point: tuple[float, float]) -> str:
        """Return why the dealt tile fits in no rotation on the cell of a point.

        Parameters
        ----------
        point
            A point of the picture, where a cell is a square of side 1 around its coordinates and y
            grows downward.
        """
        if position.dealt is None:
            return ""
        x, y = round(point[0]), -round(point[1])
        table = {(placed.x, placed.y): placed for placed in position.tiles}
        if (x, y) in table:
            return "A tile lies here already"
        if not any((x + right, y + up) in table for right, up in STEPS):
            return "No tile lies beside this place"
        around = [
            f"a {TERRAIN_NAMES[table[cell].tile.side((side + 2) % SIDES)[1]]} {BESIDE[side]}"
            for side, cell in enumerate((x + right, y + up) for right, up in STEPS)
            if cell in table
        ]
        return f"The tile does not fit here in any rotation: there is {' and '.join(around)}"

    def why_not_move(self, position: CarcassonnePosition, move: int) -> str:
        """Return why a placement is not legal for the seat to move; empty if it is legal."""
        if move < len(position.deck.kinds) or position.dealt is None:
            return ""
        x, y, quarters, vertex = position.placement(move)
        tile = position.dealt.tile
        turned = tile.rotated(quarters)
        least = next(turn for turn, other in tile.rotations() if other == turned)
        if least != quarters:
            return f"a turn by {least} quarters gives the same tile, so write r{least}"
        reason = why_not(position, x, y, turned, vertex, "seat")
        if not reason and vertex is not None and not (position.setup.official and vertex == CENTER):
            first = turned.components.index(turned.components[vertex])
            if first == vertex:
                return ""
            return f"the first vertex of this component is {first}, so write m{first}"
        return reason


SIDE_NAMES = ("north", "east", "south", "west")
BESIDE = ("above", "on the right", "below", "on the left")

Place = tuple[int, int]


def why_not(
    position: CarcassonnePosition,
    x: int,
    y: int,
    tile: Tile,
    vertex: int | None,
    who: str = "player",
) -> str:
    """Return why the seat to move cannot place a turned tile and a meeple; empty if it can.

    Parameters
    ----------
    vertex
        The vertex of the turned tile for a meeple; None: no meeple is put.
    who
        The word for a seat in the sentence.
    """
    assert position.turn is not None
    table = {(placed.x, placed.y): placed for placed in position.tiles}
    reason = why_not_there(table, x, y, tile, int(position.setup.layout.reach) - 1)
    if reason or vertex is None:
        return reason
    if position.setup.official and vertex == CENTER:
        holders = []
        if not tile.monastery:
            return "there is no monastery at CENTER"
    else:
        holders = holders_of(position, x, y, tile, vertex)
    if holders:
        terrain, name = TERRAIN_NAMES[tile.terrains[vertex]], VERTEX_NAMES[vertex]
        owners = " and ".join(f"{who} {holder}" for holder in holders)
        return f"the {terrain} at {name} holds a meeple of {owners}"
    empty = position.meeples(position.turn) == 0
    return f"{who} {position.turn} has no meeple left" if empty else ""


def why_not_there(table: Mapping[Place, PlacedTile], x: int, y: int, tile: Tile, most: int) -> str:
    """Return why a tile cannot lie on a cell; empty if it can.

    Parameters
    ----------
    table
        The placed tiles by their cells.
    most
        The greatest coordinate on the table.
    """
    if (x, y) in table:
        return f"the cell {x},{y} is not free"
    beside = [(x + right, y + up) for right, up in STEPS]
    if not any(cell in table for cell in beside):
        return f"no tile lies beside the cell {x},{y}"
    if max(abs(x), abs(y)) > most:
        return f"the table ends at {-most} and {most}"
    for side, cell in enumerate(beside):
        if cell not in table:
            continue
        other = table[cell].tile
        if not tile.fits(side, other):
            theirs = other.side((side + 2) % SIDES)[::-1]
            return (
                f"its {SIDE_NAMES[side]}, {terrains(tile.side(side))}, does not match the tile "
                f"at {cell[0]},{cell[1]}, which has {terrains(theirs)} there"
            )
    return ""


def holders_of(position: CarcassonnePosition, x: int, y: int, tile: Tile, vertex: int) -> list[int]:
    """Return the seats with meeples in the component that a vertex of the tile will join."""
    table = {(placed.x, placed.y): roots for placed, roots in position.components()}
    beside = [
        (component, table[cell][facing(own)])
        for own, component in enumerate(tile.components[:RIM])
        if (cell := (x + STEPS[own // ON_SIDE][0], y + STEPS[own // ON_SIDE][1])) in table
    ]
    joined, before = {tile.components[vertex]}, 0
    while len(joined) > before:  # components of the tile may be joined by one of the table
        before = len(joined)
        roots = {root for component, root in beside if component in joined}
        joined |= {component for component, root in beside if root in roots}
    put = position.meeples_put()
    return sorted({seat for root in roots for seat in put[root]})


def terrains(values: Sequence[int]) -> str:
    """Return the names of some terrains, separated by blanks."""
    return " ".join(TERRAIN_NAMES[value] for value in values)


OPEN = (False,) * VERTICES
UNPLAYED = "#f07c00"
"""The color of the frame of a tile that is placed, but not confirmed."""
CIRCLE = 0.13 * np.stack([f(np.arange(40) * np.pi / 20) for f in (np.cos, np.sin)], axis=1)
"""The outline of the spot around a meeple."""
