"""The points of the official rules: for completed features, and at the end.

Features are counted by their tiles, not by vertices. A node has three slots more than by the
course's rules: how many components of tiles it is made of, how many of them bear a shield, and a
mark of who has counted it. A field has no end: its farmers stay until the game is over.
"""

from __future__ import annotations

from ludograph.games.carcassonne.features import (
    ALIKE,
    CITIES,
    FIELDS,
    ROADS,
    SHIELDED,
    TOUCHES,
)
from ludograph.games.carcassonne.orientations import COMPONENT_COUNT
from ludograph.games.carcassonne.setup import (
    AT_END,
    FOR_CITIES,
    FOR_FARMS,
    FOR_MONASTERIES,
    FOR_ROADS,
    SEAT_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
)
from ludograph.games.carcassonne.table import (
    CELL,
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    HAND,
    LAID,
    MEEPLE,
    ORIENTATION,
    PARENT,
    ROOT,
    SEATS,
    find_entry,
    give,
    look_up,
    root_of,
)
from ludograph.games.carcassonne.tiles import CENTER, VERTICES
from ludograph.rules import State, compiled

PARTS, SHIELDS, MARK = range(3)
"""Slots of a node, from ``layout.parts``: components of tiles, shields, who has counted it."""

ROAD_TILE = 1
CITY_TILE, FINISHED_CITY_TILE = 1, 2
"""Points for a tile of a city, and for a shield in it."""
FARM_CITY = 3
"""Points of a farm for each finished city that it touches."""
AROUND = 8
"""Tiles around a monastery that is finished: it gives a point for each, and one for itself."""


@compiled
def complete(
    setup: CarcassonneSetup, state: State, orientation: int, first: int, cell: int
) -> None:
    """Count a tile just laid in its features, and score those that it completes.

    Parameters
    ----------
    orientation, first, cell
        How it lies, its first node, and where.
    """
    layout, features = setup.layout, setup.features[orientation]
    count = setup.orientations[orientation, COMPONENT_COUNT]
    for component in range(count):
        root = root_of(state, first + component * layout.width) + layout.parts
        state[root + PARTS] += 1
        state[root + SHIELDS] += (features[SHIELDED] >> component) & 1
    for component in range(count):
        if not ((features[ROADS] | features[CITIES]) >> component) & 1:
            continue
        root = root_of(state, first + component * layout.width)
        if state[root + PARENT] != ROOT:  # it is open, or scored by another of its components
            continue
        state[root + PARENT] = CLOSED
        if state[root + CLAIMS] > 0:
            score(setup, state, orientation, component, root)
            take_back(setup, state, root)
    complete_monasteries(setup, state, cell)


@compiled
def tiles_of(setup: CarcassonneSetup, state: State, root: int) -> int:
    """Return on how many tiles a road or city lies; O(tiles), quick where few have two ends of one.

    A tile of which it has several components counts once.
    """
    layout = setup.layout
    tiles = state[root + layout.parts + PARTS]
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        alike = setup.features[state[record + ORIENTATION], ALIKE]
        found, node = 0, state[record + FIRST_NODE]
        while alike:
            if alike & 1 and look_up(state, node) == root:
                found += 1
            alike >>= 1
            node += layout.width
        if found > 1:
            tiles -= found - 1
    return tiles


@compiled
def worth(
    setup: CarcassonneSetup, state: State, orientation: int, component: int, root: int
) -> int:
    """Return the points for a road, city or field as it stands, finished or at the end of the game.

    A field marks the cities that it counts.

    Parameters
    ----------
    orientation, component
        Of a tile, one that is part of it.
    root
        Its node.
    """
    features = setup.features[orientation]
    if (features[FIELDS] >> component) & 1:
        return FARM_CITY * cities_touched(setup, state, root)
    tiles = tiles_of(setup, state, root)
    if (features[ROADS] >> component) & 1:
        return ROAD_TILE * tiles
    each = FINISHED_CITY_TILE if state[root + PARENT] == CLOSED else CITY_TILE
    return each * (tiles + state[root + setup.layout.parts + SHIELDS])


@compiled
def score(
    setup: CarcassonneSetup, state: State, orientation: int, component: int, root: int
) -> None:
    """Give what a feature is worth to each seat with most meeples in it; there is one at least."""
    points = worth(setup, state, orientation, component, root)
    what = FOR_ROADS
    if (setup.features[orientation, CITIES] >> component) & 1:
        what = FOR_CITIES
    elif (setup.features[orientation, FIELDS] >> component) & 1:
        what = FOR_FARMS
    if state[root + PARENT] != CLOSED:  # only the end counts what is open
        what += AT_END
    most = 0
    for seat in range(setup.seats):
        most = max(most, state[root + CLAIMS_OF + seat])
    for seat in range(setup.seats):
        if state[root + CLAIMS_OF + seat] == most:
            give(setup, state, seat, points, what)


@compiled
def take_back(setup: CarcassonneSetup, state: State, root: int) -> None:
    """Give the meeples of a feature back to their seats."""
    for seat in range(setup.seats):
        state[SEATS + SEAT_SLOTS * seat + HAND] += state[root + CLAIMS_OF + seat]
        state[root + CLAIMS_OF + seat] = 0
    state[root + CLAIMS] = 0


@compiled
def complete_monasteries(setup: CarcassonneSetup, state: State, cell: int) -> None:
    """Score the monasteries that a tile on a cell completes: its own, or one of its neighbors'."""
    layout = setup.layout
    for row in range(-1, 2):
        for column in range(-1, 2):
            tile = state[find_entry(setup, state, cell + row * layout.stride + column)] - 1
            if tile < 0:
                continue
            seat = monk_on(setup, state, tile)
            if seat >= 0 and tiles_around(setup, state, tile) == AROUND:
                give(setup, state, seat, 1 + AROUND, FOR_MONASTERIES)
                state[SEATS + SEAT_SLOTS * seat + HAND] += 1


@compiled(inlined=True)
def monk_on(setup: CarcassonneSetup, state: State, tile: int) -> int:
    """Return the seat whose meeple was put into the monastery of a tile; below 0: nobody's."""
    meeple = state[setup.layout.tiles + TILE_SLOTS * tile + MEEPLE] - 1
    if meeple < 0 or meeple % VERTICES != CENTER:
        return -1
    return meeple // VERTICES


@compiled
def tiles_around(setup: CarcassonneSetup, state: State, tile: int) -> int:
    """Return how many of the eight cells around a tile have one."""
    layout = setup.layout
    cell = state[layout.tiles + TILE_SLOTS * tile + CELL]
    found = -1  # the tile itself is among the nine
    for row in range(-1, 2):
        for column in range(-1, 2):
            found += state[find_entry(setup, state, cell + row * layout.stride + column)] > 0
    return found


@compiled
def count_end(setup: CarcassonneSetup, state: State) -> None:
    """Give the points for what is not completed, and for farms; all meeples stay where they are."""
    layout = setup.layout
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        orientation, node = state[record + ORIENTATION], state[record + FIRST_NODE]
        for component in range(setup.orientations[orientation, COMPONENT_COUNT]):
            if state[node + PARENT] < 0 and state[node + CLAIMS] > 0:  # nothing closed is claimed
                score(setup, state, orientation, component, node)
            node += layout.width
        seat = monk_on(setup, state, tile)
        if seat >= 0:
            around = tiles_around(setup, state, tile)
            if around < AROUND:
                give(setup, state, seat, 1 + around, FOR_MONASTERIES + AT_END)


@compiled
def cities_touched(setup: CarcassonneSetup, state: State, field: int) -> int:
    """Return how many finished cities a field touches, each counted once; O(tiles).

    Counted ones are marked with the field's root.
    """
    layout, found = setup.layout, 0
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        orientation, first = state[record + ORIENTATION], state[record + FIRST_NODE]
        fields = setup.features[orientation, FIELDS]
        component = 0
        while fields >> component:
            touched = setup.features[orientation, TOUCHES + component]
            if touched and look_up(state, first + component * layout.width) == field:
                node = first
                while touched:
                    if touched & 1:
                        castle = look_up(state, node)
                        mark = castle + layout.parts + MARK
                        if state[castle + PARENT] == CLOSED and state[mark] != field:
                            state[mark] = field
                            found += 1
                    touched >>= 1
                    node += layout.width
            component += 1
    return found
