"""Chances to win in Amazons, calculated from territories.

A lead is the number of tiles that seat 0 reaches first less those that seat 1 does, as a share of
the board. The leads by the moves of queens and of kings are added. Their weight decreases with the
share of the board that is contested. The numbers come from a logistic regression on the results of
294 games of alpha-beta search with 10 ms a move, on boards of 6 x 6 to 10 x 10. More features of
Lieberum's (smooth distances, the mobility of queens) did not improve the prediction.
"""

import math
from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games.amazons.rules import LAST, NO_SHOT, AmazonsHalfMoves
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.games.amazons.territory import territory
from ludograph.rules import OVER, TURN, Moves, Rng, Scores, State, compiled, implements
from ludograph.search.mcts.hints import leaf_value, weigh

QUEENS, KINGS = 58.2, 57.4
"""The log odds of a lead of the whole board, by distances of queens and of kings, if no tile is
contested."""

DECAY = 5.0
"""If all tiles are contested, the log odds of a lead are multiplied by ``exp(-DECAY)``."""

MOVE, MOVE_CONTESTED = -0.07, 0.70
"""The log odds of the turn, and their change if all tiles are contested: late in the game the turn
is a disadvantage."""

GAIN = 6.5
"""The factor in the log odds of the turn in a search by half moves, which are ``GAIN * contested *
exp(-DECAY * contested)``. The search compares positions before a slide, before a shot and after it,
so a turn must have half of the value of its best move. The numbers are medians over some 650
positions of games."""

SHOT = -0.07
"""The log odds of the turn before a shot, a constant."""

SETTLED = 0.04
"""If the contested share is below this, moves fill a seat's own tiles: a turn costs half a tile."""


class AfterMoves(NamedTuple):
    """The workspace for the positions after moves."""

    state: State


def make_after_moves(setup: AmazonsHalfMoves) -> AfterMoves:
    """Return the workspace for a game."""
    return AfterMoves(np.zeros(rules.info(setup).state_size, np.int32))


@implements(rules.evaluate, AmazonsSetup)
def amazons_evaluate(setup: AmazonsSetup, state: State, out: Scores) -> None:
    """Write each seat's chance to win, by the territories; O(length of all lines)."""
    rules.scores(setup, state, out)
    if state[TURN] != OVER:
        lead, contested = lead_of(setup, state)
        turn = MOVE + MOVE_CONTESTED * contested
        out[0] = chance(lead + (turn if state[TURN] == 0 else -turn))
        out[1] = 1.0 - out[0]


@compiled
def lead_of(setup: AmazonsSetup, state: State) -> tuple[float, float]:
    """Return the log odds of seat 0's lead, and the share of the board that is contested."""
    counts = territory(setup, state)
    tiles = setup.offsets.size - 1
    contested = counts.contested / tiles
    lead = (QUEENS * counts.queens + KINGS * counts.kings) / tiles
    return lead * math.exp(-DECAY * contested), contested


@compiled
def chance(odds: float) -> float:
    """Return the probability for some log odds."""
    return 1.0 / (1.0 + math.exp(-odds))


@implements(leaf_value, AmazonsSetup)
def amazons_leaf_value(setup: AmazonsSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    """Write the evaluation of the position itself, without a random game.

    Random games give less information (Lorentz, "Amazons discover Monte-Carlo", 2008), and a few
    random moves before the evaluation gain nothing here.
    """
    rules.evaluate(setup, state, out)


@compiled
def half_moves_log_odds(setup: AmazonsHalfMoves, state: State) -> float:
    """Return the log odds of seat 0 in a position before a slide or before a shot."""
    lead, contested = lead_of(setup.base, state)
    tiles = setup.base.offsets.size - 1
    turn = -0.5 * (QUEENS + KINGS) / tiles * max(0.0, 1.0 - contested / SETTLED)
    turn += GAIN * contested * math.exp(-DECAY * contested) if state[LAST] == NO_SHOT else SHOT
    return lead + (turn if state[TURN] == 0 else -turn)


@implements(weigh, AmazonsHalfMoves)
def half_moves_weigh(
    setup: AmazonsHalfMoves,
    knowledge: AfterMoves,
    state: State,
    moves: Moves,
    wanted: int,  # noqa: ARG001  # values: its only search is by minimax
    out: Scores,
    rewards: Scores,  # noqa: ARG001
) -> bool:
    """Write the chances to win after each slide or shot; O(moves * length of all lines)."""
    seat = state[TURN]
    for place in range(moves.size):
        rules.copy(state, knowledge.state)
        rules.play(setup, knowledge.state, moves[place])
        if knowledge.state[TURN] == OVER:
            out[place] = 1.0
        else:
            odds = half_moves_log_odds(setup, knowledge.state)
            out[place] = chance(odds if seat == 0 else -odds)
    return False
