"""The evaluation by the official rules: points, and expected points of features.

A road or castle counts in any case, so its present points are sure. Its further points, and the
return of its meeples, are multiplied by the chance that it is finished. This chance decreases with
the number of its open sides, increases with the number of remaining tiles, and depends on the
number of those that fit beside it.

A component is finished only if a tile comes for each free cell beside it. So its odds are a product
over these cells. The odds of a cell depend on the number of remaining tiles that fit there: there
may be none.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.official import AROUND, feature_points, monk_on, tiles_around
from ludograph.games.carcassonne.orientations import (
    CITIES,
    COMPONENT,
    COMPONENT_COUNT,
    FIELDS,
    ROTATIONS,
    IntArray,
)
from ludograph.games.carcassonne.setup import PLACE_SLOTS, SEAT_SLOTS, TILE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    GONE,
    HAND,
    LAID,
    NODES,
    OPEN,
    ORIENTATION,
    PARENT,
    PLACE_CELL,
    REMAINING,
    ROOT,
    SEATS,
    beyond,
    fits,
    look_up,
)
from ludograph.games.carcassonne.tiles import SIDES
from ludograph.rules import OVER, TURN, Scores, State, compiled, contract

HALF_CHANCE = 8.0
"""The number of remaining tiles with which a feature has half of its chance in an endless game, by
the course rules, too."""

OPEN_SIDE = 0.6
"""The factor of a feature's chance to be finished, for each of its open sides."""

MEEPLE_VALUE, MEEPLES_VALUED = 2.5, 4
"""The points of a meeple in the hand early in the game, and the most meeples with this value."""

NEIGHBOR_CHANCE = 0.6
"""The chance that a tile will lie on a cell beside a monastery, early in the game."""

CASTLE_SIDE = 3.0
"""The number of open edges of a castle at a side."""


# The workspace has a number for each component; the loop over them takes far more time.
@compiled(allocates=True)
def share_features(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat plus the values of its features; O(tiles) for each field.

    The marks of fields in the state are overwritten: no rule reads them later.
    """
    contract.scores(setup, state, out)
    if state[TURN] == OVER:
        return
    layout, rest = setup.layout, float(state[REMAINING])
    late = rest / (rest + HALF_CHANCE)
    count = node_count(setup, state)
    odds = np.ones(count)
    write_odds(setup, state, odds, np.zeros(count, np.int32))
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        orientation, node = state[record + ORIENTATION], state[record + FIRST_NODE]
        for component in range(setup.orientations[orientation, COMPONENT_COUNT]):
            if CLOSED < state[node + PARENT] < 0 and state[node + CLAIMS] > 0:
                chance = late * odds[number_of(setup, node)]
                value = expected_points(setup, state, orientation, component, node, chance)
                share(setup, state, node, value, out)
            node += layout.width
        seat = monk_on(setup, state, tile)
        if seat >= 0 and out[seat] >= 0.0:
            around = tiles_around(setup, state, tile)
            if around < AROUND:
                out[seat] += 1 + around + NEIGHBOR_CHANCE * late * (AROUND - around)
    for seat in range(setup.seats):
        own = SEATS + SEAT_SLOTS * seat
        if not state[own + GONE]:
            out[seat] += MEEPLE_VALUE * late * min(MEEPLES_VALUED, state[own + HAND])


@compiled
def expected_points(
    setup: CarcassonneSetup,
    state: State,
    orientation: int,
    component: int,
    root: int,
    chance_of_tiles: float,
) -> float:
    """Return the value of an unfinished feature for each seat that has most meeples in it.

    Parameters
    ----------
    orientation, component
        The orientation of a tile of the feature, and its component there.
    root
        The root node of the feature.
    chance_of_tiles
        The chance that it is finished, without the factors for its open sides.
    """
    points = float(feature_points(setup, state, orientation, component, root))
    if (setup.features[orientation, FIELDS] >> component) & 1:
        return points
    edges = float(ROOT - state[root + PARENT])
    if (setup.features[orientation, CITIES] >> component) & 1:
        chance = chance_of_tiles * OPEN_SIDE ** (edges / CASTLE_SIDE)
        return points + chance * (points + MEEPLE_VALUE)
    return points + chance_of_tiles * OPEN_SIDE**edges * MEEPLE_VALUE


@compiled
def share(setup: CarcassonneSetup, state: State, root: int, value: float, out: Scores) -> None:
    """Add a value to the scores of the seats with most meeples in a feature, if not eliminated."""
    most = 0
    for seat in range(setup.seats):
        most = max(most, state[root + CLAIMS_OF + seat])
    for seat in range(setup.seats):
        if state[root + CLAIMS_OF + seat] == most and out[seat] >= 0.0:
            out[seat] += value


TILE_MISSES = 0.88
"""The chance that a remaining tile which fits on a cell is not laid there: another place may be
better, or the game may end before."""


@compiled(inlined=True)
def node_count(setup: CarcassonneSetup, state: State) -> int:
    """Return the number of nodes: the components of all tiles on the table, merged or not."""
    return (state[NODES] - setup.layout.nodes) // setup.layout.width


@compiled(inlined=True)
def number_of(setup: CarcassonneSetup, node: int) -> int:
    """Return the index of a node among all nodes, from 0."""
    return (node - setup.layout.nodes) // setup.layout.width


@compiled
def write_odds(setup: CarcassonneSetup, state: State, odds: Scores, seen: IntArray) -> None:
    """Write the odds of each component with meeples that tiles come for all of its free cells.

    O(places * kinds) at worst: only cells beside such components are examined.

    Parameters
    ----------
    odds
        ``float64[nodes]``, by the index of a root; all 1 before the call. Other entries stay 1.
    seen
        ``int32[nodes]``: a workspace, all 0 before the call.
    """
    for place in range(state[OPEN]):
        record = setup.layout.places + PLACE_SLOTS * place
        filled = -1.0
        for side in range(SIDES):
            what = beyond(setup, state, state[record + PLACE_CELL], side)
            if what <= 0:
                continue
            tile = setup.layout.tiles + TILE_SLOTS * (what - 1)
            there = COMPONENT + 3 * ((side + 2) & 3)
            last = -1
            for vertex in range(there, there + 3):
                component = setup.orientations[state[tile + ORIENTATION], vertex]
                if component == last:
                    continue
                last = component
                node = state[tile + FIRST_NODE] + component * setup.layout.width
                root = look_up(state, node)
                number = number_of(setup, root)
                if state[root + CLAIMS] > 0 and seen[number] != place + 1:
                    seen[number] = place + 1
                    if filled < 0.0:
                        filled = 1.0 - all_miss(tiles_fitting(setup, state, record))
                    odds[number] *= filled


@compiled(inlined=True)
def all_miss(tiles: int) -> float:
    """Return the chance that none of some tiles comes; a product rounds alike on all machines."""
    chance = 1.0
    for _ in range(tiles):
        chance *= TILE_MISSES
    return chance


@compiled
def tiles_fitting(setup: CarcassonneSetup, state: State, place: int) -> int:
    """Return the number of remaining tiles that fit on the place with a record; O(kinds)."""
    count = 0
    for kind in range(setup.kinds):
        left = state[setup.layout.left + kind]
        if left > 0:
            for quarters in range(setup.orientations[SIDES * kind, ROTATIONS]):
                if fits(setup, state, place, SIDES * kind + quarters):
                    count += left
                    break
    return count
