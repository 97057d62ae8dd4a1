"""Leaf values of Carcassonne for Monte Carlo search: the evaluation after the best reply.

Random players close few components on purpose, and their results say little about the position. So
games are not played to the end. With meeples, a dealt tile is placed where the expected points are
best; without meeples, the evaluation itself contains the points that the dealt tile closes.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.evaluation import carcassonne_evaluate, share_open
from ludograph.games.carcassonne.expectation import share_features
from ludograph.games.carcassonne.setup import NO_MEEPLE, CarcassonneSetup
from ludograph.rules import TURN, Moves, Rng, Scores, State, compiled, implements
from ludograph.search.mcts.hints import leaf_value
from ludograph.search.values import margin


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
