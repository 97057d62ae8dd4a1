"""Chances to win in Amazons, as territories tell them.

A lead is the share of the tiles that seat 0 reaches first, less seat 1's, summed over both ways of
moving. What it is worth falls with the share of the board that is contested. The numbers are those
of a logistic regression on the results of 294 games of alpha-beta search with 10 ms a move, on
boards of 6 x 6 to 10 x 10; more features of Lieberum's (smooth distances, the mobility of queens)
told nothing beyond these.
"""

import math
from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games.amazons.half_moves import NO_SHOT, AmazonsHalfMoves
from ludograph.games.amazons.rules import LAST
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.games.amazons.territory import territory
from ludograph.rules import OVER, TURN, Moves, Rng, Scores, State, compiled, implements
from ludograph.search.mcts.hints import judge, leaf_value, priors

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

WON = 500.0
"""Log odds of a seat that has won."""


class AfterMoves(NamedTuple):
    """Memory for a look at the positions that moves lead to."""

    state: State
    after_shot: State
    shots: Moves


def make_after_moves(setup: AmazonsHalfMoves) -> AfterMoves:
    """Return memory for a game."""
    info = rules.info(setup)
    states = np.zeros((2, info.state_size), np.int32)
    return AfterMoves(states[0], states[1], np.zeros(info.move_capacity, np.int32))


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
    for place in range(moves.size):
        rules.copy(state, knowledge.state)
        rules.play(setup, knowledge.state, moves[place])
        out[place] = odds_for(setup, knowledge.state, state[TURN])
    to_likelihoods(out)


@implements(judge, AmazonsHalfMoves)
def half_moves_judge(
    setup: AmazonsHalfMoves,
    knowledge: AfterMoves,
    state: State,
    moves: Moves,
    out: Scores,
    rewards: Scores,
) -> bool:
    """Look at all shots after all slides: a slide is worth what its best shot leaves.

    A shot that shuts a queen in is not seen by its slide. O(shots * length of all lines).
    """
    if state[LAST] != NO_SHOT:
        return False
    seat, greatest = state[TURN], -WON
    for place in range(moves.size):
        rules.copy(state, knowledge.state)
        rules.play(setup, knowledge.state, moves[place])
        best = -WON
        for shot in range(rules.legal_moves(setup, knowledge.state, knowledge.shots)):
            rules.copy(knowledge.state, knowledge.after_shot)
            rules.play(setup, knowledge.after_shot, knowledge.shots[shot])
            best = max(best, odds_for(setup, knowledge.after_shot, seat))
        out[place] = best
        greatest = max(greatest, best)
    to_likelihoods(out)
    rewards[seat] = chance(greatest)
    rewards[1 - seat] = 1.0 - rewards[seat]
    return True


@compiled
def odds_for(setup: AmazonsHalfMoves, state: State, seat: int) -> float:
    """Return the log odds of a seat that has just moved."""
    if state[TURN] == OVER:
        return WON
    odds = half_moves_log_odds(setup, state)
    return odds if seat == 0 else -odds


@compiled
def to_likelihoods(odds: Scores) -> None:
    """Make likelihoods of log odds, by a softmax."""
    greatest, total = -WON, 0.0
    for place in range(odds.size):
        greatest = max(greatest, odds[place])
    for place in range(odds.size):
        odds[place] = math.exp(odds[place] - greatest)
        total += odds[place]
    for place in range(odds.size):
        odds[place] /= total
