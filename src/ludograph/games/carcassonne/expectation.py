"""The evaluation by the official rules: points, and expected points of features.

A road or castle counts in any case, so its present points are sure. Its further points, and the
return of its meeples, are multiplied by the chance that it is finished. This chance decreases with
the number of its open sides, increases with the number of remaining tiles, and depends on the
number of those that fit beside it.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.features import CITIES, FIELDS
from ludograph.games.carcassonne.odds import node_count, number_of, write_odds
from ludograph.games.carcassonne.official import AROUND, monk_on, tiles_around, worth
from ludograph.games.carcassonne.orientations import COMPONENT_COUNT
from ludograph.games.carcassonne.setup import SEAT_SLOTS, TILE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    GONE,
    HAND,
    LAID,
    ORIENTATION,
    PARENT,
    REMAINING,
    ROOT,
    SEATS,
)
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
                value = expected_worth(setup, state, orientation, component, node, chance)
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
def expected_worth(
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
    points = float(worth(setup, state, orientation, component, root))
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
