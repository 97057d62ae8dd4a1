"""Leaf values of Carcassonne for Monte Carlo search: the evaluation after the best reply.

Random players close next to nothing on purpose, and what they close says little of who can. So no
game is played to the end. With meeples a tile that is dealt is placed where what is open is shared
best; without, the evaluation says what it closes at once.
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
    """Write what each seat has and may expect, in a state that belongs to the caller."""
    if setup.official:
        share_features(setup, state, out)
    else:
        share_open(setup, state, out)


# Room for a state and for all moves: no caller has it, and it takes no time beside trying them.
@compiled(allocates=True)
def place_best(setup: CarcassonneSetup, state: State, scores: Scores) -> None:
    """Place the tile that is dealt where :func:`best_placement` says."""
    after, moves = np.empty_like(state), np.empty(setup.capacity, np.int32)
    rules.play(setup, state, best_placement(setup, state, after, moves, scores))


@compiled
def best_placement(
    setup: CarcassonneSetup, state: State, after: State, moves: Moves, scores: Scores
) -> int:
    """Return the placement by which the seat to move is most ahead, by what is open.

    Parameters
    ----------
    after, moves, scores
        Room for another state, for all moves, and for all seats' scores.
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
