"""The placement with the greatest immediate gain."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.official import count_end
from ludograph.games.carcassonne.setup import CarcassonneSetup
from ludograph.rules import OVER, TURN, Moves, Rng, Scores, State, compiled, random_below
from ludograph.search.values import margin


@compiled
def greedy_placement(
    setup: CarcassonneSetup, state: State, after: State, moves: Moves, scores: Scores, rng: Rng
) -> int:
    """Return a random move of those that give the seat to move the greatest lead in points.

    By the official rules, the lead is that of a game which ends after the move.
    Every place, orientation and meeple is tried; O(moves * slots of a state).

    Parameters
    ----------
    after, moves, scores
        Workspaces: another state, all moves, and all seats' scores.
    """
    seat = state[TURN]
    best, most, ties = -1, -np.inf, 0
    for index in range(rules.legal_moves(setup, state, moves)):
        move = moves[index]
        rules.copy(state, after)
        rules.play(setup, after, move)
        if setup.official and after[TURN] != OVER:
            count_end(setup, after)
        rules.scores(setup, after, scores)
        ahead = margin(scores, seat)
        if ahead > most:
            most, ties = ahead, 0
        if ahead == most:
            ties += 1
            if random_below(rng, ties) == 0:
                best = move
    return best
