"""The evaluation of a position: points, and expected points of open components.

The chance of a component to close decreases with the number of its open sides, increases with the
number of remaining tiles, and depends on the number of those that fit beside it. With meeples, the
seat that holds a component expects its points times this chance, and meeples in the hand have a
value of their own. Without meeples, the seat that closes a component gets its points. So the seat
of the next tile expects the points that its best placement closes, as a mean over the remaining
tiles.

Leaf values of Monte Carlo search are the evaluation after the best reply.
Random players close few components on purpose, and their results say little about the position. So
games are not played to the end. With meeples, a dealt tile is placed where the expected points are
best; without meeples, the evaluation itself contains the points that the dealt tile closes.

By the official rules, a road or castle counts in any case, so its present points are sure. Its
further points, and the return of its meeples, are multiplied by the chance that it is finished.
This chance decreases with the number of its open sides, increases with the number of remaining
tiles, and depends on the number of those that fit beside it.

A component is finished only if a tile comes for each free cell beside it. So its odds are a product
over these cells. The odds of a cell depend on the number of remaining tiles that fit there: there
may be none.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.closing import expected_gain
from ludograph.games.carcassonne.official import AROUND, feature_points, monk_on, tiles_around
from ludograph.games.carcassonne.placing import facing_root, majority_holder
from ludograph.games.carcassonne.setup import (
    CITIES,
    COMPONENT_COUNT,
    FIELDS,
    FINITE_MEEPLE,
    NO_MEEPLE,
    NODE,
    PLACE_SLOTS,
    ROTATIONS,
    SEAT_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
    IntArray,
)
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    GONE,
    HAND,
    LAID,
    NEXT,
    NODES,
    OPEN,
    ORIENTATION,
    PARENT,
    PLACE_CELL,
    REMAINING,
    ROOT,
    SEATS,
    SIZE,
    beyond,
    fits,
)
from ludograph.games.carcassonne.tiles import SIDES
from ludograph.rules import OVER, TURN, Rng, Scores, State, compiled, contract, implements
from ludograph.search.mcts.hints import leaf_value
from ludograph.search.values import margin

HALF_CHANCE = 8.0
"""The number of remaining tiles with which a feature has half of its chance in an endless game, by
the course rules, too."""

OPEN_SIDE = 0.6
"""The factor of a feature's chance to be finished, for each of its open sides."""

OFFICIAL_MEEPLE_VALUE, OFFICIAL_MEEPLES_VALUED = 2.5, 4
"""The same by the official rules: the points of a meeple, and the most meeples with this value."""

NEIGHBOR_CHANCE = 0.6
"""The chance that a tile will lie on a cell beside a monastery, early in the game."""

CASTLE_SIDE = 3.0
"""The number of open edges of a castle at a side."""


MEEPLE_VALUE, MEEPLES_VALUED = 6.0, 7
"""By the course rules: the points of a meeple in the hand early in the game, and the most meeples
in the hand with this value."""


# The workspace has a number for each component; the loop over them takes far more time.
@compiled(allocates=True)
def share_values(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat plus its expected points, in a game with meeples.

    O(tiles + places * kinds); by the official rules also O(tiles) for each field, whose marks in
    the state are overwritten: no rule reads them later.
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
                share_component(setup, state, orientation, component, node, chance, out)
            node += layout.width
        seat = monk_on(setup, state, tile) if setup.official else -1
        if seat >= 0 and out[seat] >= 0.0:
            around = tiles_around(setup, state, tile)
            if around < AROUND:
                out[seat] += 1 + around + NEIGHBOR_CHANCE * late * (AROUND - around)
    if setup.mode == FINITE_MEEPLE:
        each = OFFICIAL_MEEPLE_VALUE if setup.official else MEEPLE_VALUE
        most = OFFICIAL_MEEPLES_VALUED if setup.official else MEEPLES_VALUED
        for seat in range(setup.seats):
            own = SEATS + SEAT_SLOTS * seat
            if not state[own + GONE]:
                out[seat] += each * late * min(most, state[own + HAND])


@compiled
def share_component(
    setup: CarcassonneSetup,
    state: State,
    orientation: int,
    component: int,
    root: int,
    chance: float,
    out: Scores,
) -> None:
    """Add the value of an open component to the scores of its holders; see `feature_value`."""
    edges = ROOT - state[root + PARENT]
    if setup.official:
        value = feature_value(setup, state, orientation, component, root, chance)
        share(setup, state, root, value, out)
    elif edges > 0:
        points = (setup.orientations[orientation, NODE + component] >> 8) & 15
        seat = majority_holder(state, root, setup.seats)
        if seat >= 0 and out[seat] >= 0.0:
            out[seat] += chance * expected_points(points, edges, state[root + SIZE])


@compiled
def feature_value(
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
        return points + chance * (points + OFFICIAL_MEEPLE_VALUE)
    return points + chance_of_tiles * OPEN_SIDE**edges * OFFICIAL_MEEPLE_VALUE


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
            for vertex in range(3):
                root = facing_root(setup, state, what - 1, side, vertex)
                if state[root + CLAIMS] > 0 and seen[number_of(setup, root)] != place + 1:
                    number = number_of(setup, root)
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


@implements(contract.evaluate, CarcassonneSetup)
def carcassonne_evaluate(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat plus its expected points.

    Without meeples only the seat of the next tile has expected points: those that it closes with
    this tile.
    """
    if setup.official:
        share_unchanged(setup, state, out)
        return
    if setup.mode != NO_MEEPLE:
        share_values(setup, state, out)
        return
    contract.scores(setup, state, out)
    if state[TURN] != OVER:
        out[next_seat(state)] += expected_gain(setup, state)


# A workspace for another state; its allocation takes no time beside the loop over all features.
@compiled(allocates=True)
def share_unchanged(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the results of :func:`share_values` without a change of the state."""
    scratch = np.empty_like(state)
    rules.copy(state, scratch)
    share_values(setup, scratch, out)


@compiled
def next_seat(state: State) -> int:
    """Return the seat that places next."""
    return state[NEXT] if state[TURN] < 0 else state[TURN]


@compiled
def expected_points(points: int, open_edges: int, size: int) -> float:
    """Return the points of a component at its present size, times its chance to close.

    Parameters
    ----------
    points
        The points for a vertex.
    open_edges, size
        The number of its vertices that face no tile, and of all its vertices.
    """
    sides = float(open_edges)
    if points == 8:
        sides = open_edges / 3.0
    elif points == 1:
        sides = open_edges / 2.0
    return points * size * OPEN_SIDE**sides


@implements(leaf_value, CarcassonneSetup)
def carcassonne_leaf_value(setup: CarcassonneSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    if setup.mode == NO_MEEPLE:
        carcassonne_evaluate(setup, state, out)
        return
    if state[TURN] >= 0:
        rules.play(setup, state, best_placement(setup, state, out))
    share_values(setup, state, out)


@compiled(allocates=True)  # trying the moves takes far more time
def best_placement(setup: CarcassonneSetup, state: State, scores: Scores) -> int:
    """Return the placement that gives the seat to move the greatest lead in expected points.

    ``scores`` is working memory, ``float64[seats]``.
    """
    seat, after = state[TURN], np.empty_like(state)
    moves = np.empty(setup.capacity, np.int32)
    best, most = -1, -np.inf
    for index in range(rules.legal_moves(setup, state, moves)):
        rules.copy(state, after)
        rules.play(setup, after, moves[index])
        share_values(setup, after, scores)
        lead = margin(scores, seat)
        if lead > most:
            best, most = moves[index], lead
    return best
