"""The slow obvious search: every line to its end, in plain Python."""

from __future__ import annotations

from functools import cache

import numpy as np

from ludograph import rules
from ludograph.rules import CHANCE, OVER, TURN
from ludograph.search.alphabeta import LARGE


def fresh(setup, moves=()):
    """Return the state after some moves from the start."""
    state = np.zeros(rules.info(setup).state_size, np.int32)
    rules.start(setup, state)
    for move in moves:
        rules.play(setup, state, move)
    return state


def moves_of(setup, state):
    codes = np.empty(rules.info(setup).move_capacity, np.int32)
    return codes[: rules.legal_moves(setup, state, codes)].tolist()


def after(setup, state, move):
    state = state.copy()
    rules.play(setup, state, move)
    return state


def random_state_of(setup, rng, plies):
    """Return a state after up to ``plies`` random moves, in which a seat is to move."""
    state = fresh(setup)
    for _ in range(plies):
        if state[TURN] == OVER:
            return fresh(setup)
        state = after(setup, state, int(rng.choice(moves_of(setup, state))))
    return state if state[TURN] >= 0 else fresh(setup)


def final(setup, state, seat):
    out = np.zeros(rules.info(setup).seats)
    rules.scores(setup, state, out)
    if out.size == 1:
        return out[0]
    lead = out[seat] - np.delete(out, seat).max()
    return lead + LARGE * np.sign(lead)


def chances_of(setup, state):
    """Return the probability of each outcome of a chance node."""
    outcomes = np.array(moves_of(setup, state), np.int32)
    chances = np.zeros(outcomes.size)
    rules.weights(setup, state, outcomes, chances)
    return chances


def value(setup, state, seat=None):
    """Return the value of a state for a seat, all others being against it."""
    seat = int(state[TURN]) if seat is None else seat

    @cache
    def look(data):
        state = np.frombuffer(data, np.int32).copy()
        if state[TURN] == OVER:
            return final(setup, state, seat)
        values = [look(after(setup, state, move).tobytes()) for move in moves_of(setup, state)]
        if state[TURN] == CHANCE:
            return float(np.dot(chances_of(setup, state), values))
        return max(values) if state[TURN] == seat else min(values)

    return look(state.tobytes())
