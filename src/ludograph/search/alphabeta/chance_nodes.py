"""Chance nodes in alpha-beta search: the expectation of the outcomes', pruned by probes (Star2).

If the window allows pruning, a chance node is first probed: after each outcome in which the
opponent of the seat before is to move, only the most promising move is searched. That gives a bound
for the outcome's value, and the mean of these bounds is one for the node's. If it is inside the
window, each outcome is searched in full, with the window that the bounds of the others leave.

Ballard: "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence
21, 1983. His Star1 needs bounds of all values beforehand, which proven ones do not have.
"""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import Setup, compiled
from ludograph.search.alphabeta.stack import (
    CUT_OFF,
    FULL,
    MAXIMIZES,
    MINIMIZES,
    NEITHER,
    PROBING,
    Stack,
)
from ludograph.search.values import INFINITY

PROBE_DEPTH = 4
"""With this depth left or more, chance nodes are probed; with less, probes cost what they save."""


@compiled
def open_outcomes(setup: Setup, stack: Stack, level: int) -> None:
    """Set the frame of a chance node to its first outcome; choose the kind of its probes."""
    frame = stack.frames[level]
    outcomes = stack.moves[level, : frame.count]
    rules.weights(setup, stack.states[level], outcomes, stack.weights[level])
    frame.best = 0.0
    frame.probed_kind = NEITHER
    if level > 0 and stack.progress.limit - level >= PROBE_DEPTH:
        before = stack.frames[level - 1].kind
        if before == MAXIMIZES and frame.alpha > -INFINITY:
            frame.probed_kind = MINIMIZES
        elif before == MINIMIZES and frame.beta < INFINITY:
            frame.probed_kind = MAXIMIZES
        if frame.probed_kind != NEITHER:
            frame.stage = PROBING


@compiled
def is_averaged(stack: Stack, level: int) -> bool:
    """Return whether a chance node is done; change from probes to full searches."""
    frame = stack.frames[level]
    if frame.stage == CUT_OFF or frame.index < frame.count:
        return frame.stage == CUT_OFF
    if frame.stage == FULL:
        return True
    mean = frame.best
    if mean <= frame.alpha if frame.probed_kind == MINIMIZES else mean >= frame.beta:
        frame.stage = CUT_OFF
        return True
    frame.stage = FULL
    frame.index = 0
    frame.probed_cut = frame.cut
    frame.cut = 0
    frame.rest = mean
    frame.best = 0.0
    return False


@compiled
def set_outcome_window(stack: Stack, level: int) -> None:
    """Set the window of a chance node's next outcome: beyond it the node's value is outside too."""
    frame, child = stack.frames[level], stack.frames[level + 1]
    child.alpha = -INFINITY
    child.beta = INFINITY
    if frame.stage == PROBING:
        stack.progress.probes = frame.probed_kind
    elif frame.probed_kind != NEITHER:
        weight = stack.weights[level, frame.index]
        others = frame.best + frame.rest - weight * stack.bounds[level, frame.index]
        if frame.probed_kind == MINIMIZES:
            frame.enough = (frame.alpha - others) / weight
            child.alpha = frame.enough
        else:
            frame.enough = (frame.beta - others) / weight
            child.beta = frame.enough


@compiled
def take_outcome(stack: Stack, level: int, value: float) -> None:
    """Use the value of an outcome, or the bound that a probe found."""
    frame = stack.frames[level]
    index = frame.index - 1
    weight = stack.weights[level, index]
    frame.best += weight * value
    if frame.stage == PROBING:
        stack.bounds[level, index] = value
    elif frame.probed_kind != NEITHER:
        frame.rest -= weight * stack.bounds[level, index]
        low = frame.probed_kind == MINIMIZES
        if value <= frame.enough if low else value >= frame.enough:
            mean = frame.best + frame.rest
            frame.best = min(mean, frame.alpha) if low else max(mean, frame.beta)
            frame.stage = CUT_OFF
            frame.cut |= frame.probed_cut
