"""Carcassonne for human players: the steps of a turn, moves by pointing, illegal moves in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludograph.games.carcassonne.artwork import (
    SQUARE,
    frame_shapes,
    meadow,
    meeple_point,
    meeple_shapes,
    ornament_shapes,
    player_colors,
    tile_shapes,
)
from ludograph.games.carcassonne.claims import action, claim, promised
from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.tiles import (
    CENTER,
    ON_SIDE,
    RIM,
    SIDES,
    STEPS,
    TERRAIN_NAMES,
    VERTEX_NAMES,
    VERTICES,
    Tile,
    facing,
)
from ludograph.games.interaction import Interaction
from ludograph.views import Sketch, Spot


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
        """Return the claim of a placement's meeple, or that the tile is placed without one."""
        return action(position, move) or super().action(position, move)

    def hint(self, position: CarcassonnePosition, move: int) -> str:
        """Return the effect of a placement; its place is visible in the picture."""
        text = self.action(position, move)
        return f"{text[:1].lower()}{text[1:]}"

    def spots(self, position: CarcassonnePosition, move: int) -> Sequence[Spot]:
        """Return the spots of a placement: the cell, the rotation, and the meeple."""
        return spots(position, move)

    def why_not_at(self, position: CarcassonnePosition, point: tuple[float, float]) -> str:
        """Return why the dealt tile cannot be placed at a point: the cell is taken, or no fit."""
        return why_not_at(position, point)

    def why_not_move(self, position: CarcassonnePosition, move: int) -> str:
        """Return why a placement is not legal: its cell, a side, or the meeple."""
        return why_not_move(position, move)


SIDE_NAMES = ("north", "east", "south", "west")
BESIDE = ("above", "on the right", "below", "on the left")

Place = tuple[int, int]


def why_not_move(position: CarcassonnePosition, move: int) -> str:
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


def why_not_at(position: CarcassonnePosition, point: tuple[float, float]) -> str:
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
        holders = holders_of(table, x, y, tile, vertex)
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


def holders_of(
    table: Mapping[Place, PlacedTile], x: int, y: int, tile: Tile, vertex: int
) -> list[int]:
    """Return the seats with meeples in the component that a vertex of the tile will join."""
    shapes = {place: placed.tile.components for place, placed in table.items()}
    shapes[x, y] = tile.components
    found: set[int] = set()
    pending = [(x, y, tile.components[vertex])]
    seen = set(pending)
    while pending:
        left, low, component = pending.pop()
        placed = table.get((left, low))
        if placed is not None and placed.meeple is not None:
            seat, stands = placed.meeple
            in_monastery = placed.tile.monastery and stands == CENTER
            if placed.tile.components[stands] == component and not in_monastery:
                found.add(seat)
        for own in range(RIM):
            right, up = STEPS[own // ON_SIDE]
            beyond = shapes.get((left + right, low + up))
            if shapes[left, low][own] == component and beyond is not None:
                place = (left + right, low + up, beyond[facing(own)])
                if place not in seen:
                    seen.add(place)
                    pending.append(place)
    return sorted(found)


def terrains(values: Sequence[int]) -> str:
    """Return the names of some terrains, separated by blanks."""
    return " ".join(TERRAIN_NAMES[value] for value in values)


OPEN = (False,) * VERTICES
UNPLAYED = "#f07c00"
"""The color of the frame of a tile that is placed, but not confirmed."""
CIRCLE = 0.13 * np.stack([f(np.arange(40) * np.pi / 20) for f in (np.cos, np.sin)], axis=1)
"""The outline of the spot around a meeple."""


def spots(position: CarcassonnePosition, move: int) -> tuple[Spot, ...]:
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
