"""The slow obvious bounds: what each seat can reach of a reward, every line to its end."""

from __future__ import annotations

from functools import cache

import numpy as np

from ludograph import rules
from ludograph.rules import CHANCE, OVER, TURN
from tests.search.brute_force import after, chances_of, moves_of


def reward(setup, state, seat, margin_weight):
    """Return the reward of a seat at the end of a game, in the words of the documentation."""
    scores = np.zeros(rules.info(setup).seats)
    rules.scores(setup, state, scores)
    if scores.size == 1:
        return scores[0]
    info = rules.info(setup)
    others = np.delete(scores, seat)
    ahead = np.mean(np.where(others < scores[seat], 1.0, np.where(others == scores[seat], 0.5, 0)))
    lead = (scores[seat] - others.max()) / (info.highest_score - info.lowest_score)
    return (1 - margin_weight) * ahead + margin_weight * (0.5 + 0.5 * lead)


def guaranteed(setup, state, seat, margin_weight):
    """Return the expected reward that a seat is sure of while all others are against it."""
    return _value(setup, state, seat, margin_weight, min)


def hoped_for(setup, state, seat, margin_weight):
    """Return the same while all others help it."""
    return _value(setup, state, seat, margin_weight, max)


def _value(setup, state, seat, margin_weight, others):
    @cache
    def look(data):
        state = np.frombuffer(data, np.int32).copy()
        if state[TURN] == OVER:
            return reward(setup, state, seat, margin_weight)
        values = [look(after(setup, state, move).tobytes()) for move in moves_of(setup, state)]
        if state[TURN] == CHANCE:
            return float(np.dot(chances_of(setup, state), values))
        return max(values) if state[TURN] == seat else others(values)

    return look(state.tobytes())
