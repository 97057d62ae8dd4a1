"""The evaluation of a position: points, and open structures by their chance to close.

A structure's chance to close shrinks with the sides at which it is open and grows with the tiles
that are left. With meeples it is worth that much to whom it would be scored, and meeples in the
hand are worth something themselves. Without, who closes it gets the points: the seat that is
dealt to next expects what its best placement closes, the mean over the tiles that are left.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.closing import expected_gain
from ludograph.games.carcassonne.expectation import HALF_CHANCE, OPEN_SIDE, share_features
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
from ludograph.rules import OVER, TURN, Scores, State, compiled, contract, implements

MEEPLE_VALUE = 6.0
"""Points that a meeple in the hand is worth early in the game."""

NEXT_SHARE = 0.5
"""Without meeples, in :func:`share_open`: the part of the best structure's worth that goes to the
seat dealt to next."""


@implements(contract.evaluate, CarcassonneSetup)
def carcassonne_evaluate(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat and what it may expect of what is open.

    Without meeples that is what the next tile will close, for the seat that it is dealt to. By the
    official rules see :mod:`.expectation`.
    """
    if setup.official:
        share_unchanged(setup, state, out)
        return
    if setup.mode != NO_MEEPLE or state[TURN] == OVER:
        share_open(setup, state, out)
        return
    contract.scores(setup, state, out)
    out[next_seat(state)] += expected_gain(setup, state)


# Room for another state: beside a look at all features it takes no time.
@compiled(allocates=True)
def share_unchanged(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write what :func:`share_features` does, and leave the state as it is."""
    scratch = np.empty_like(state)
    rules.copy(state, scratch)
    share_features(setup, scratch, out)


@compiled
def next_seat(state: State) -> int:
    """Return the seat that places next."""
    return state[NEXT] if state[TURN] < 0 else state[TURN]


@compiled
def share_open(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    """Write the points of each seat and its share in what is open, by its sides; O(tiles).

    Without meeples it takes a tenth of the time of a look at all kinds of tiles, and says less.
    """
    contract.scores(setup, state, out)
    if state[TURN] == OVER:
        return
    rest = float(state[REMAINING])
    late = rest / (rest + HALF_CHANCE)
    best = 0.0
    orientations, layout = setup.orientations, setup.layout
    for tile in range(state[LAID]):
        record = layout.tiles + TILE_SLOTS * tile
        orientation, node = state[record + ORIENTATION], state[record + FIRST_NODE]
        for component in range(orientations[orientation, COMPONENT_COUNT]):
            parent = state[node + PARENT]
            if CLOSED < parent < ROOT:
                points = (orientations[orientation, NODE + component] >> 8) & 15
                worth = late * expected_points(points, ROOT - parent, state[node + SIZE])
                if setup.mode == NO_MEEPLE:
                    best = max(best, worth)
                elif state[node + CLAIMS] > 0:
                    seat = majority_holder(state, node, setup.seats)
                    if seat >= 0 and out[seat] >= 0.0:
                        out[seat] += worth
            node += layout.width
    if setup.mode == NO_MEEPLE:
        out[next_seat(state)] += NEXT_SHARE * best
    elif setup.mode == FINITE_MEEPLE:
        for seat in range(setup.seats):
            own = SEATS + SEAT_SLOTS * seat
            if not state[own + GONE]:
                out[seat] += MEEPLE_VALUE * late * min(3, state[own + HAND])


@compiled
def expected_points(points: int, open_edges: int, size: int) -> float:
    """Return the points for a structure of its present size, times its chance to close.

    Parameters
    ----------
    points
        For a vertex.
    open_edges, size
        The numbers of its vertices that face no tile, and of all of its vertices.
    """
    sides = float(open_edges)
    if points == 8:
        sides = open_edges / 3.0
    elif points == 1:
        sides = open_edges / 2.0
    return points * size * OPEN_SIDE**sides


@compiled
def majority_holder(state: State, node: int, seats: int) -> int:
    """Return the seat with most meeples in a component, -1 if none has more than all others."""
    winner, most = -1, 0
    for seat in range(seats):
        count = state[node + CLAIMS_OF + seat]
        if count > most:
            winner, most = seat, count
        elif count == most:
            winner = -1
    return winner
