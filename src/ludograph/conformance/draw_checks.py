"""Checks of chance: the probabilities of outcomes, and random moves."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.rules import CHANCE, TURN, Moves, Setup, State
from ludograph.rules.answers import moves_at
from ludograph.rules.strict import guarded

DRAWS = 2000
"""The least number of draws that are counted in a state; there are also at least 20 for every
move."""


def check_weights(setup: Setup, state: State, outcomes: Moves, at: str) -> None:
    """Check that the outcomes' probabilities are valid."""
    weights, stands = guarded(np.zeros(outcomes.size))
    rules.weights(setup, state, outcomes, weights)
    require(stands(), f"{at}: weights wrote beyond the end of its array")
    require((weights > 0).all(), f"{at}: an outcome has no probability above 0")
    total = weights.sum()
    require(abs(total - 1.0) < 1e-9, f"{at}: the probabilities sum to {total}, not 1")


def check_draws(setup: Setup, trail: list[State], seed: int) -> None:
    """Check that random moves are equally likely and outcomes as likely as their weights.

    The check uses one state of a game in which a seat is to move, and one in which chance is.

    Parameters
    ----------
    trail
        The states of the game, the last one over.
    """
    rng = rules.random_state(seed, 6)
    for chance in (False, True):
        states = [state for state in trail[:-1] if (state[TURN] == CHANCE) == chance]
        if states:
            check_drawn(setup, states[int(rules.random_below(rng, len(states)))], rng, seed)


def check_drawn(setup: Setup, state: State, rng: rules.Rng, seed: int) -> None:
    """Check the draws in one state by Pearson's chi-square test.

    By Laurent and Massart (2000, Lemma 1) a chi-square variable of ``k`` degrees of freedom is
    beyond ``k + 2 * sqrt(k * x) + 2 * x`` with probability ``exp(-x)`` at most; here ``x`` is 25.
    """
    moves = moves_at(setup, state)
    expected = np.full(moves.size, 1.0 / moves.size)
    if state[TURN] == CHANCE:
        rules.weights(setup, state, moves, expected)
    draws = max(DRAWS, 20 * moves.size)
    drawn = Counter(int(rules.sample_move(setup, state, rng)) for _ in range(draws))
    counts = np.array([drawn[move] for move in moves.tolist()])
    statistic = float(((counts - draws * expected) ** 2 / (draws * expected)).sum())
    freedom = moves.size - 1
    require(
        statistic <= freedom + 10.0 * np.sqrt(freedom) + 50.0,
        f"seed {seed}, ply {state[rules.PLY]}: of {draws} draws by sample_move "
        f"{counts.max()} are the move {moves[counts.argmax()]}, "
        f"{counts.min()} the move {moves[counts.argmin()]}",
    )
