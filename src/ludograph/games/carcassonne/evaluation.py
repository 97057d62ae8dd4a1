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
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.closing import expected_gain
from ludograph.games.carcassonne.expectation import (
    HALF_CHANCE,
    OPEN_SIDE,
    node_count,
    number_of,
    share_features,
    write_odds,
)
from ludograph.games.carcassonne.orientations import COMPONENT_COUNT, NODE
from ludograph.games.carcassonne.setup import (
    FINITE_MEEPLE,
    NO_MEEPLE,
    SEAT_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
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
    ORIENTATION,
    PARENT,
    REMAINING,
    ROOT,
    SEATS,
    SIZE,
)
from ludograph.rules import OVER, TURN, Moves, Rng, Scores, State, compiled, contract, implements
from ludograph.search.mcts.hints import leaf_value
from ludograph.search.values import margin

MEEPLE_VALUE = 6.0
"""The points of a meeple in the hand early in the game."""

MEEPLES_VALUED = 7
"""The most meeples in the hand with this value."""


@implements(contract.evaluate, CarcassonneSetup)
def carcassonne_evaluate(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat plus its expected points.

    Without meeples only the seat of the next tile has expected points: those that it closes with
    this tile. For the official rules see :mod:`.expectation`.
    """
    if setup.official:
        share_unchanged(setup, state, out)
        return
    if setup.mode != NO_MEEPLE:
        share_open(setup, state, out)
        return
    contract.scores(setup, state, out)
    if state[TURN] != OVER:
        out[next_seat(state)] += expected_gain(setup, state)


# A workspace for another state; its allocation takes no time beside the loop over all features.
@compiled(allocates=True)
def share_unchanged(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the results of :func:`share_features` without a change of the state."""
    scratch = np.empty_like(state)
    rules.copy(state, scratch)
    share_features(setup, scratch, out)


@compiled
def next_seat(state: State) -> int:
    """Return the seat that places next."""
    return state[NEXT] if state[TURN] < 0 else state[TURN]


# The workspace has a number for each component; the loop over them takes far more time.
@compiled(allocates=True)
def share_open(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat plus its expected points, in a game with meeples.

    O(tiles + places * kinds).
    """
    contract.scores(setup, state, out)
    if state[TURN] == OVER:
        return
    rest = float(state[REMAINING])
    late = rest / (rest + HALF_CHANCE)
    orientations, layout = setup.orientations, setup.layout
    count = node_count(setup, state)
    odds = np.ones(count)
    write_odds(setup, state, odds, np.zeros(count, np.int32))
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        orientation, node = state[record + ORIENTATION], state[record + FIRST_NODE]
        for component in range(orientations[orientation, COMPONENT_COUNT]):
            parent = state[node + PARENT]
            if CLOSED < parent < ROOT and state[node + CLAIMS] > 0:
                points = (orientations[orientation, NODE + component] >> 8) & 15
                seat = majority_holder(state, node, setup.seats)
                if seat >= 0 and out[seat] >= 0.0:
                    chance = late * odds[number_of(setup, node)]
                    out[seat] += chance * expected_points(points, ROOT - parent, state[node + SIZE])
            node += layout.width
    if setup.mode == FINITE_MEEPLE:
        for seat in range(setup.seats):
            own = SEATS + SEAT_SLOTS * seat
            if not state[own + GONE]:
                out[seat] += MEEPLE_VALUE * late * min(MEEPLES_VALUED, state[own + HAND])


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


@compiled
def majority_holder(state: State, node: int, seats: int) -> int:
    """Return the seat with more meeples in a component than any other seat, or -1."""
    winner, most = -1, 0
    for seat in range(seats):
        count = state[node + CLAIMS_OF + seat]
        if count > most:
            winner, most = seat, count
        elif count == most:
            winner = -1
    return winner


@implements(leaf_value, CarcassonneSetup)
def carcassonne_leaf_value(setup: CarcassonneSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    if setup.mode == NO_MEEPLE:
        carcassonne_evaluate(setup, state, out)
        return
    if state[TURN] >= 0:
        place_best(setup, state, out)
    share_all(setup, state, out)


@compiled(inlined=True)
def share_all(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points plus expected points of each seat; the state may be changed."""
    if setup.official:
        share_features(setup, state, out)
    else:
        share_open(setup, state, out)


# Workspaces for a state and for all moves, which no caller has; trying the moves takes more time.
@compiled(allocates=True)
def place_best(setup: CarcassonneSetup, state: State, scores: Scores) -> None:
    """Play the placement of the dealt tile that :func:`best_placement` returns."""
    after, moves = np.empty_like(state), np.empty(setup.capacity, np.int32)
    rules.play(setup, state, best_placement(setup, state, after, moves, scores))


@compiled
def best_placement(
    setup: CarcassonneSetup, state: State, after: State, moves: Moves, scores: Scores
) -> int:
    """Return the placement that gives the seat to move the greatest lead in expected points.

    Parameters
    ----------
    after, moves, scores
        Workspaces: another state, all moves, and all seats' scores.
    """
    seat = state[TURN]
    best, most = -1, -np.inf
    for index in range(rules.legal_moves(setup, state, moves)):
        rules.copy(state, after)
        rules.play(setup, after, moves[index])
        share_all(setup, after, scores)
        lead = margin(scores, seat)
        if lead > most:
            best, most = moves[index], lead
    return best
