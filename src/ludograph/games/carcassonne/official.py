"""Scoring by the official rules: completed features, and the end of the game.

Features are counted by tiles, not by vertices. A node has three more slots than by the course
rules: the number of the tiles' components in it, the number of shields, and the field that counted
it last. A field is never completed: its farmers stay until the game is over.
"""

from __future__ import annotations

from ludograph.games.carcassonne.placing import take_back
from ludograph.games.carcassonne.setup import (
    ALIKE,
    AT_END,
    CITIES,
    COMPONENT_COUNT,
    FIELDS,
    FOR_CITIES,
    FOR_FARMS,
    FOR_MONASTERIES,
    FOR_ROADS,
    ROADS,
    SEAT_SLOTS,
    SHIELDED,
    TILE_SLOTS,
    TOUCHES,
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
"""Slots of a node, from ``layout.parts``: tiles' components, shields, the field that counted it."""

ROAD_TILE = 1
CITY_TILE, FINISHED_CITY_TILE = 1, 2
"""Points for a tile of a city, and for a shield in it: before and after it is finished."""
FARM_CITY = 3
"""Points of a farm for each finished city that it touches."""
AROUND = 8
"""Cells around a monastery: a finished monastery gives a point for each, and one for itself."""


@compiled
def complete(
    setup: CarcassonneSetup, state: State, orientation: int, first: int, cell: int
) -> None:
    """Add a tile just laid to its features, and score the features that it completes.

    Parameters
    ----------
    orientation, first, cell
        The orientation of the tile, its first node, and its cell.
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
        if state[root + PARENT] != ROOT:  # open, or scored by another component of the tile
            continue
        state[root + PARENT] = CLOSED
        if state[root + CLAIMS] > 0:
            score(setup, state, orientation, component, root)
            take_back(setup, state, root)
    complete_monasteries(setup, state, cell)


@compiled
def tiles_of(setup: CarcassonneSetup, state: State, root: int) -> int:
    """Return the number of tiles of a road or city; O(tiles).

    A tile counts once, even if several of its components belong to the feature. Only tiles with
    several roads or several castles take time.
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
def feature_points(
    setup: CarcassonneSetup, state: State, orientation: int, component: int, root: int
) -> int:
    """Return the points for a road, city or field if the game ended now.

    A field marks the cities that it counts.

    Parameters
    ----------
    orientation, component
        The orientation of a tile of the feature, and its component there.
    root
        The root node of the feature.
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
    """Give the points of a feature to each seat with most meeples in it; it must have a meeple."""
    points = feature_points(setup, state, orientation, component, root)
    what = FOR_ROADS
    if (setup.features[orientation, CITIES] >> component) & 1:
        what = FOR_CITIES
    elif (setup.features[orientation, FIELDS] >> component) & 1:
        what = FOR_FARMS
    if state[root + PARENT] != CLOSED:  # open features are scored only at the end
        what += AT_END
    most = 0
    for seat in range(setup.seats):
        most = max(most, state[root + CLAIMS_OF + seat])
    for seat in range(setup.seats):
        if state[root + CLAIMS_OF + seat] == most:
            give(setup, state, seat, points, what)


@compiled
def complete_monasteries(setup: CarcassonneSetup, state: State, cell: int) -> None:
    """Score the monasteries that a tile on a cell completes: its own and those of neighbors."""
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
    """Return the seat of the meeple in the monastery of a tile; below 0 if there is none."""
    meeple = state[setup.layout.tiles + TILE_SLOTS * tile + MEEPLE] - 1
    if meeple < 0 or meeple % VERTICES != CENTER:
        return -1
    return meeple // VERTICES


@compiled
def tiles_around(setup: CarcassonneSetup, state: State, tile: int) -> int:
    """Return the number of tiles on the eight cells around a tile."""
    layout = setup.layout
    cell = state[layout.tiles + TILE_SLOTS * tile + CELL]
    found = -1  # the tile itself is among the nine
    for row in range(-1, 2):
        for column in range(-1, 2):
            found += state[find_entry(setup, state, cell + row * layout.stride + column)] > 0
    return found


@compiled
def count_end(setup: CarcassonneSetup, state: State) -> None:
    """Give the points for uncompleted features and for fields; all meeples stay in place."""
    layout = setup.layout
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        orientation, node = state[record + ORIENTATION], state[record + FIRST_NODE]
        for component in range(setup.orientations[orientation, COMPONENT_COUNT]):
            if state[node + PARENT] < 0 and state[node + CLAIMS] > 0:  # closed ones have no claims
                score(setup, state, orientation, component, node)
            node += layout.width
        seat = monk_on(setup, state, tile)
        if seat >= 0:
            around = tiles_around(setup, state, tile)
            if around < AROUND:
                give(setup, state, seat, 1 + around, FOR_MONASTERIES + AT_END)


@compiled
def cities_touched(setup: CarcassonneSetup, state: State, field: int) -> int:
    """Return the number of finished cities that a field touches; O(tiles).

    Each counted city is marked with the field's root, so that it counts once.
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
