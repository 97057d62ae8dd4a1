"""Chances to win in Amazons, as territories tell them.

A lead is the share of the tiles that seat 0 reaches first, less seat 1's, summed over both ways of
moving. What it is worth falls with the share of the board that is contested. The numbers are those
of a logistic regression on the results of 294 games of alpha-beta search with 10 ms a move, on
boards of 6 x 6 to 10 x 10; more features of Lieberum's (smooth distances, the mobility of queens)
told nothing beyond these.
"""

import math
from typing import NamedTuple

from ludograph import rules
from ludograph.games.amazons.half_moves import NO_SHOT, AmazonsHalfMoves
from ludograph.games.amazons.rules import LAST
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.games.amazons.territory import territory
from ludograph.rules import OVER, TURN, Moves, Rng, Scores, State, compiled, implements
from ludograph.search.mcts.hints import leaf_value, priors

QUEENS, KINGS = 58.2, 57.4
"""Log odds of a lead of the whole board, by distances as queens and as kings, if nothing is
contested."""

DECAY = 5.0
"""Where everything is contested, a lead is worth ``exp(-DECAY)`` of that."""

MOVE, MOVE_CONTESTED = -0.07, 0.70
"""Log odds of the seat to move for its turn, and in addition where everything is contested: late in
the game it is better not to move."""

SHOT, SHOT_CONTESTED = -0.25, 0.40
"""The same for the seat that has to shoot."""

WON = 1e3
"""Log odds of a seat that has won."""


class AfterMoves(NamedTuple):
    """Memory for a look at the positions that moves lead to."""

    state: State


@implements(rules.evaluate, AmazonsSetup)
def amazons_evaluate(setup: AmazonsSetup, state: State, out: Scores) -> None:
    """Write each seat's chance to win, as the territories tell it; O(length of all lines)."""
    rules.scores(setup, state, out)
    if state[TURN] != OVER:
        out[0] = chance(log_odds(setup, state, MOVE, MOVE_CONTESTED))
        out[1] = 1.0 - out[0]


@compiled
def log_odds(setup: AmazonsSetup, state: State, turn: float, turn_contested: float) -> float:
    """Return the log odds of seat 0, given what the turn is worth."""
    counts = territory(setup, state)
    tiles = setup.offsets.size - 1
    contested = counts.contested / tiles
    lead = (QUEENS * counts.queens + KINGS * counts.kings) / tiles
    bonus = turn + turn_contested * contested
    return lead * math.exp(-DECAY * contested) + (bonus if state[TURN] == 0 else -bonus)


@compiled
def chance(odds: float) -> float:
    """Return the probability that has some log odds."""
    return 1.0 / (1.0 + math.exp(-odds))


@implements(leaf_value, AmazonsSetup)
def amazons_leaf_value(setup: AmazonsSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    """Look at the territory at once: random games say less.

    Lorentz ("Amazons discover Monte-Carlo", 2008) found so; a few random moves before it gain
    nothing here.
    """
    rules.evaluate(setup, state, out)


@implements(leaf_value, AmazonsHalfMoves)
def half_moves_leaf_value(setup: AmazonsHalfMoves, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    out[0] = chance(half_moves_log_odds(setup, state))
    out[1] = 1.0 - out[0]


@compiled
def half_moves_log_odds(setup: AmazonsHalfMoves, state: State) -> float:
    """Return the log odds of seat 0 before a slide or before a shot."""
    if state[LAST] == NO_SHOT:
        return log_odds(setup.base, state, MOVE, MOVE_CONTESTED)
    return log_odds(setup.base, state, SHOT, SHOT_CONTESTED)


@implements(priors, AmazonsHalfMoves)
def half_moves_priors(
    setup: AmazonsHalfMoves, knowledge: AfterMoves, state: State, moves: Moves, out: Scores
) -> None:
    """Give each move the likelihood of a softmax over the log odds of where it leads.

    O(moves * length of all lines).
    """
    seat, greatest = state[TURN], -WON
    for place in range(moves.size):
        rules.copy(state, knowledge.state)
        rules.play(setup, knowledge.state, moves[place])
        odds = WON
        if knowledge.state[TURN] != OVER:
            odds = half_moves_log_odds(setup, knowledge.state)
            odds = odds if seat == 0 else -odds
        out[place] = odds
        greatest = max(greatest, odds)
    total = 0.0
    for place in range(moves.size):
        out[place] = math.exp(out[place] - greatest)
        total += out[place]
    for place in range(moves.size):
        out[place] /= total
