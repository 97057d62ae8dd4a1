"""The picture of a position of Carcassonne: north is up, the tile to be placed lies beside.

In the terminal and in plain text a tile is three by three cells: its corners, the middles of its
sides, its center.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.games.carcassonne.artwork import frame_shapes, meeple_shapes, rim_point, tile_shapes
from ludograph.games.carcassonne.forms import COMPONENT
from ludograph.games.carcassonne.notation import coordinates
from ludograph.games.carcassonne.setup import TILE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import (
    CELL,
    CLOSED,
    DEALT,
    FIRST_NODE,
    FORM_OF,
    LAID,
    LAST,
    MEEPLE,
    NO_TILE,
    PARENT,
)
from ludograph.games.carcassonne.tiles import CENTER, RIM, SIDES, TERRAIN_NAMES, VERTICES, Terrain
from ludograph.games.position import Position
from ludograph.rules import State
from ludograph.views import EMPTY, Scene, Sketch, Stroke, Swatch
from ludograph.views.colors import DARK, LIGHT, blend, hexadecimal
from ludograph.views.palette import LIMIT, distinct

SYMBOLS = ".rbcpgam+"
"""Terrains in plain text, and last a place where roads end."""
END_OF_ROADS = len(SYMBOLS) - 1

FIELDS = ("#afd787", "#afd75f")
"""Fields in the terminal: tiles side by side have different ones."""
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
"""All else in the terminal, in the order of `SYMBOLS`; a terminal of 256 colors has just these."""

SEATS_AS_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%αβγδεζηθικλμνξοπρστυφχψω"
"""Meeples in plain text."""

MARK = "#26262b"
"""The frame of the tile laid last."""

CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 6

SPOTS = ((11, 0), (1,), (2, 3), (10,), (12,), (4,), (9, 8), (7,), (6, 5))
"""The vertices of the nine cells of a tile, row by row."""
OFFSETS = np.array([(spot % 3 - 1, spot // 3 - 1) for spot in range(9)]) / 3
INNER, SIDES_FIRST, CORNERS_FIRST = (4,), (1, 5, 7, 3), (0, 2, 8, 6)


@dataclass(frozen=True, slots=True)
class Look:
    """A tile as it lies.

    Attributes
    ----------
    components, terrains
        Of the 13 vertices.
    closed
        For each vertex whether its component is closed, and not from the start.
    meeple
        Seat and vertex of the meeple on it, if there is one.
    """

    place: tuple[int, int]
    components: tuple[int, ...]
    terrains: tuple[int, ...]
    closed: tuple[bool, ...] = (False,) * VERTICES
    meeple: tuple[int, int] | None = None


def tile_records(setup: CarcassonneSetup, state: State) -> npt.NDArray[np.int32]:
    """Return the records of the tiles on the table, in the order in which they were laid.

    Returns
    -------
    int32[tiles, TILE_SLOTS]
        See :mod:`ludograph.games.carcassonne.table`.
    """
    begin = setup.ground.tiles
    count = int(state[LAID])
    return state[begin : begin + TILE_SLOTS * count].reshape(count, TILE_SLOTS)


def form_vertices(setup: CarcassonneSetup, form: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the components and the terrains of the 13 vertices of a form."""
    components = setup.forms[form, COMPONENT : COMPONENT + VERTICES].tolist()
    kind, quarters = divmod(form, SIDES)
    terrains = setup.shapes.reshape(-1, 2, VERTICES)[kind, 1]
    turned = np.roll(terrains[:RIM], 3 * quarters).tolist()
    return tuple(components), (*turned, int(terrains[CENTER]))


def tiles_on(setup: CarcassonneSetup, state: State) -> list[Look]:
    """Return the tiles on the table, in the order in which they were laid."""
    width = setup.ground.width
    known: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    looks = []
    for record in tile_records(setup, state).tolist():
        form, first = record[FORM_OF], record[FIRST_NODE]
        if form not in known:
            known[form] = form_vertices(setup, form)
        components, terrains = known[form]
        done = [
            is_closed(state, first + width * component) for component in range(max(components) + 1)
        ]
        if components.count(components[CENTER]) == 1:
            done[components[CENTER]] = False
        put = record[MEEPLE] - 1
        seat, vertex = divmod(put, VERTICES)
        back = put < 0 or is_closed(state, first + width * components[vertex])
        looks.append(
            Look(
                coordinates(setup, record[CELL]),
                components,
                terrains,
                tuple(done[component] for component in components),
                None if back else (seat, vertex),
            )
        )
    return looks


def is_closed(state: State, node: int) -> bool:
    """Tell whether a node's component is closed."""
    parent = int(state[node + PARENT])
    while parent >= 0:
        parent = int(state[parent + PARENT])
    return parent == CLOSED


def shown_vertex(look: Look, spot: int) -> int:
    """Return the vertex whose terrain one of the nine cells shows.

    A corner has two: where they do not hang together it is field, if the tile has any.
    """
    vertices = SPOTS[spot]
    if len({look.components[vertex] for vertex in vertices}) == 1:
        return vertices[0]
    fields = [vertex for vertex in vertices if look.terrains[vertex] == Terrain.FIELD]
    others = [vertex for vertex in range(VERTICES) if look.terrains[vertex] == Terrain.FIELD]
    return (fields or others or [CENTER])[0]


def meeple_spot(look: Look) -> int:
    """Return the cell of a tile on which its meeple is shown: one of its component if possible.

    On which vertex of the component it stands makes no difference, so the roomiest one is taken.
    """
    assert look.meeple is not None
    vertex = look.meeple[1]
    on_field = look.terrains[vertex] == Terrain.FIELD
    order = (
        (*CORNERS_FIRST, *INNER, *SIDES_FIRST)
        if on_field
        else (*INNER, *SIDES_FIRST, *CORNERS_FIRST)
    )
    own = look.components[vertex]
    for spot in order:
        if all(look.components[other] == own for other in SPOTS[spot]):
            return spot
    for spot in order:
        if look.components[shown_vertex(look, spot)] == own:
            return spot
    return next(spot for spot in order if vertex in SPOTS[spot])


def meeple_point(look: Look) -> tuple[float, float]:
    """Return where on a tile its meeple is drawn."""
    assert look.meeple is not None
    own, spot = look.components[look.meeple[1]], meeple_spot(look)
    vertices = [vertex for vertex in SPOTS[spot] if look.components[vertex] == own]
    if len(vertices) < len(SPOTS[spot]):
        point = 0.78 * rim_point(vertices[0] + 0.5)
    elif spot in SIDES_FIRST:
        point = 1.15 * OFFSETS[spot]
    else:
        point = OFFSETS[spot]
    return float(point[0]), float(point[1])


def fills_of(look: Look) -> list[int]:
    """Return the terrains of the nine cells of a tile; tiles side by side have other shades."""
    shade = len(SYMBOLS) * (sum(look.place) % 2)
    fills = [shade + look.terrains[shown_vertex(look, spot)] for spot in range(9)]
    center_alone = look.components.count(look.components[CENTER]) == 1
    if center_alone and look.terrains[CENTER] == Terrain.ROAD:
        fills[4] = shade + END_OF_ROADS
    if look.meeple is not None:
        fills[meeple_spot(look)] = 2 * len(SYMBOLS) + look.meeple[0]
    return fills


def player_colors(seats: int) -> tuple[Swatch, ...]:
    """Return a color for each seat; beyond the palette's number they come again."""
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


def carcassonne_scene(position: Position) -> Scene:
    """Return the picture."""
    setup: CarcassonneSetup = position.setup
    state = position.state
    looks = tiles_on(setup, state)
    aside = (max(look.place[0] for look in looks) + 2, 0)
    dealt = int(state[DEALT])
    shown = [*looks]
    if dealt != NO_TILE:
        shown.append(Look(aside, *form_vertices(setup, SIDES * dealt)))
    places = [look.place for look in shown]
    fills = [fill for look in shown for fill in fills_of(look)]
    if dealt == NO_TILE and not position.is_over:  # keeps its place, so that nothing moves
        places.append(aside)
        fills += [EMPTY] * 9
    centers = (np.array(places, np.float64) * (1, -1))[:, None, :] + OFFSETS
    centers = centers.reshape(-1, 2)
    colors = player_colors(setup.seats)
    return Scene(
        positions=centers,
        outline_offsets=np.arange(0, 4 * len(centers) + 1, 4, dtype=np.int32),
        outline_points=(centers[:, None, :] + CORNERS).reshape(-1, 2),
        fills=np.array(fills, np.int32),
        palette=(*TERRAINS, *colors),
        labels={
            9 * number + meeple_spot(look): SEATS_AS_LETTERS[look.meeple[0]]
            for number, look in enumerate(looks)
            if look.meeple is not None
        },
        strokes=last_mark(looks) if state[LAST] >= 0 else (),
        sketches=tuple(sketches_of(shown, len(looks), colors, laid=state[LAST] >= 0)),
    )


def last_mark(looks: list[Look]) -> tuple[Stroke, ...]:
    """Mark the tile laid last on a cell without a meeple."""
    last = looks[-1]
    spot = 0 if last.meeple is not None and meeple_spot(last) == 4 else 4
    return (Stroke((9 * (len(looks) - 1) + spot,), MARK),)


def sketches_of(
    shown: list[Look], count: int, colors: tuple[Swatch, ...], *, laid: bool
) -> list[Sketch]:
    """Draw tiles, the frames of the last one and of the one beside the board, meeples."""
    found = []
    for number, look in enumerate(shown):
        x, y = look.place[0], -look.place[1]
        found.append(Sketch(tile_shapes(look.components, look.terrains, look.closed), (x, y)))
        if number >= count:
            found.append(Sketch(frame_shapes(BACK, 0.03), (x, y), 1))
        elif laid and number == count - 1:
            found.append(Sketch(frame_shapes(MARK, 0.05), (x, y), 1))
        if look.meeple is not None:
            right, down = meeple_point(look)
            shapes = meeple_shapes(colors[look.meeple[0]].rgb)
            found.append(Sketch(shapes, (x + right, y + down), 2))
    return found
