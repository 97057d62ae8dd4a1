"""Chance nodes in alpha-beta search: the expectation of the outcomes', pruned by probes (Star2).

Where the window leaves something to prune, a chance node is first probed: of each outcome in which
the opponent of whoever moved before is to move, only the best move at sight is searched. That gives
a bound for its value, and the mean of the bounds one for the node's. If that is not outside of the
window, each outcome is searched in full, with the window that the others' bounds leave it.

Ballard: "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence
21, 1983. His Star1 needs bounds of all values beforehand, which proven ones do not have.
"""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import Setup, compiled
from ludograph.search.stack import (
    ALPHA,
    AVERAGES,
    BEST,
    BETA,
    COUNT,
    CUT,
    CUT_OFF,
    ENOUGH,
    FULL,
    INDEX,
    KIND,
    LIMIT,
    MAXIMIZES,
    MINIMIZES,
    NEITHER,
    PROBED_CUT,
    PROBING,
    REST,
    SIDE,
    STAGE,
    WANTED,
    Stack,
)
from ludograph.search.values import INFINITY

PROBE_DEPTH = 4
"""With this depth left or more, chance nodes are probed: less costs what it saves."""


@compiled
def open_average(setup: Setup, stack: Stack, level: int) -> None:
    """Set the frame of a chance node to its first outcome; choose what to probe for."""
    frame, window = stack.frames[level], stack.windows[level]
    window[BEST] = 0.0
    count = stack.frames[level, COUNT]
    outcomes = stack.moves[level, :count]
    rules.weights(setup, stack.states[level], outcomes, stack.weights[level])
    frame[KIND] = AVERAGES
    frame[SIDE] = NEITHER
    frame[STAGE] = FULL
    if level > 0 and stack.progress[LIMIT] - level >= PROBE_DEPTH:
        before = stack.frames[level - 1, KIND]
        if before == MAXIMIZES and window[ALPHA] > -INFINITY:
            frame[SIDE] = MINIMIZES
        elif before == MINIMIZES and window[BETA] < INFINITY:
            frame[SIDE] = MAXIMIZES
        if frame[SIDE] != NEITHER:
            frame[STAGE] = PROBING


@compiled
def is_averaged(stack: Stack, level: int) -> bool:
    """Tell whether a chance node needs no further outcome; go from its probes to full searches."""
    frame, window = stack.frames[level], stack.windows[level]
    if frame[STAGE] == CUT_OFF:
        return True
    if frame[INDEX] < frame[COUNT]:
        return False
    if frame[STAGE] == FULL:
        return True
    mean = window[BEST]
    if mean <= window[ALPHA] if frame[SIDE] == MINIMIZES else mean >= window[BETA]:
        frame[STAGE] = CUT_OFF
        return True
    frame[STAGE] = FULL
    frame[INDEX] = 0
    frame[PROBED_CUT] = frame[CUT]
    frame[CUT] = 0
    window[REST] = mean
    window[BEST] = 0.0
    return False


@compiled
def set_outcome_window(stack: Stack, level: int) -> None:
    """Set the window of a chance node's next outcome: beyond it the node's value is outside too."""
    frame, window, below = stack.frames[level], stack.windows[level], stack.windows[level + 1]
    below[ALPHA] = -INFINITY
    below[BETA] = INFINITY
    if frame[STAGE] == PROBING:
        stack.progress[WANTED] = frame[SIDE]
    elif frame[SIDE] != NEITHER:
        index = frame[INDEX]
        weight = stack.weights[level, index]
        others = window[BEST] + window[REST] - weight * stack.bounds[level, index]
        if frame[SIDE] == MINIMIZES:
            window[ENOUGH] = (window[ALPHA] - others) / weight
            below[ALPHA] = window[ENOUGH]
        else:
            window[ENOUGH] = (window[BETA] - others) / weight
            below[BETA] = window[ENOUGH]


@compiled
def fold_outcome(stack: Stack, level: int, value: float) -> None:
    """Take in the value of an outcome, or the bound that a probe found."""
    frame, window = stack.frames[level], stack.windows[level]
    index = frame[INDEX] - 1
    weight = stack.weights[level, index]
    window[BEST] += weight * value
    if frame[STAGE] == PROBING:
        stack.bounds[level, index] = value
    elif frame[SIDE] != NEITHER:
        window[REST] -= weight * stack.bounds[level, index]
        low = frame[SIDE] == MINIMIZES
        if value <= window[ENOUGH] if low else value >= window[ENOUGH]:
            mean = window[BEST] + window[REST]
            window[BEST] = min(mean, window[ALPHA]) if low else max(mean, window[BETA])
            frame[STAGE] = CUT_OFF
            frame[CUT] |= frame[PROBED_CUT]
