"""Leaves of alpha-beta search: the value, the bounds or the estimate of a position.

Each of these kernels sets ``progress.value`` and ``progress.cut`` if it knows the value.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import OVER, TURN, Scores, Setup, State, compiled
from ludograph.search.alphabeta.stack import LARGE, MAXIMIZES, MINIMIZES, Stack
from ludograph.search.hints import proven_scores, score_bounds_at
from ludograph.search.transpositions import (
    CLOSED,
    EXACT,
    LOWER,
    NOTHING,
    UPPER,
    bound_of,
    depth_of,
)
from ludograph.search.values import INFINITY, margin

BOUNDS_DEPTH = 3
"""With this depth left or more, the search uses the game's bounds of the scores."""


@compiled
def final_value(stack: Stack, scores: Scores) -> float:
    """Return the value of a game that ends with these scores: the bonus is won or lost."""
    seat = stack.progress.seat
    value = margin(scores, seat)
    if scores.size > 1:
        if value > 0.0:
            value += stack.progress.win_bonus
        elif value < 0.0:
            value -= stack.progress.win_bonus
    return value


@compiled
def estimate(setup: Setup, stack: Stack, state: State) -> float:
    """Return the heuristic value of a state, exact if the game is over."""
    if state[TURN] == OVER:
        rules.scores(setup, state, stack.scores)
        return final_value(stack, stack.scores)
    rules.evaluate(setup, state, stack.scores)
    return margin(stack.scores, stack.progress.seat)


@compiled
def is_leaf(setup: Setup, stack: Stack) -> bool:
    """Tell whether a node ends its line: the game is over or proven, or the depth is used up."""
    progress = stack.progress
    level = progress.level
    state = stack.states[level]
    progress.cut = 0
    if state[TURN] >= 0 and level > 0 and proven_scores(setup, state, stack.scores):
        progress.value = final_value(stack, stack.scores)
        return True
    if state[TURN] != OVER and level < progress.limit:
        return False
    progress.value = estimate(setup, stack, state)
    progress.cut = 0 if state[TURN] == OVER else 1
    return True


@compiled
def is_enough(stack: Stack, value: float, about: np.uint64) -> bool:
    """Tell whether the table's entry of a node is enough for its parent."""
    progress = stack.progress
    level = progress.level
    if about == NOTHING or level == 0 or depth_of(about) < progress.limit - level:
        return False
    frame = stack.frames[level]
    bound = bound_of(about)
    progress.value = value
    progress.cut = 0 if depth_of(about) == CLOSED else 1
    return (
        bound == EXACT
        or (bound == LOWER and (value >= frame.beta or progress.probes == MAXIMIZES))
        or (bound == UPPER and (value <= frame.alpha or progress.probes == MINIMIZES))
    )


@compiled
def lies_outside(setup: Setup, stack: Stack) -> bool:
    """Tell whether bounds of the scores show the value of a node to be outside of its window."""
    progress = stack.progress
    level = progress.level
    frame = stack.frames[level]
    state, seat, low, high = stack.states[level], progress.seat, stack.low, stack.high
    if level == 0 or progress.limit - level < BOUNDS_DEPTH or state[TURN] < 0:
        return False
    if not (is_final(frame.alpha) or is_final(frame.beta)):
        return False
    if not score_bounds_at(setup, state, low, high):
        return False
    least, most = low[seat], high[seat]
    high[seat] = least  # its least score and the greatest of all others, then the reverse
    worst = final_value(stack, high)
    low[seat] = most
    best = final_value(stack, low)
    progress.value = worst if worst >= frame.beta else best
    progress.cut = 0
    return worst >= frame.beta or best <= frame.alpha


@compiled
def is_final(value: float) -> bool:
    """Tell whether a value may be that of an end of the game; bounds of scores are of that kind."""
    return value == 0.0 or LARGE / 2.0 < abs(value) < INFINITY
