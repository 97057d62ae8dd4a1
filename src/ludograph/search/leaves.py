"""What alpha-beta search knows of a position by itself: its value, bounds, an estimate."""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import OVER, TURN, Scores, Setup, State, compiled
from ludograph.rules.contract import LARGE
from ludograph.search.stack import ALPHA, BETA, SEAT, Stack
from ludograph.search.values import INFINITY, margin


@compiled
def final_value(setup: Setup, scores: Scores, seat: int) -> float:
    """Return the value of a game that ends with these scores: the stake is won or lost."""
    value = margin(scores, seat)
    if scores.size > 1:
        if value > 0.0:
            value += rules.stake(setup)
        elif value < 0.0:
            value -= rules.stake(setup)
    return value


@compiled
def is_final(value: float) -> bool:
    """Tell whether a value may be that of an end of the game; bounds of scores are of that kind."""
    return value == 0.0 or LARGE / 2.0 < abs(value) < INFINITY


@compiled
def estimate(setup: Setup, state: State, seat: int, scores: Scores) -> float:
    """Return the heuristic value of a state, exact if the game is over."""
    if state[TURN] == OVER:
        rules.scores(setup, state, scores)
        return final_value(setup, scores, seat)
    rules.evaluate(setup, state, scores)
    return margin(scores, seat)


@compiled
def lies_outside(setup: Setup, stack: Stack, level: int) -> bool:
    """Return a bound for the value of a node if that alone shows it to be outside of its window."""
    alpha, beta = stack.windows[level, ALPHA], stack.windows[level, BETA]
    if not (is_final(alpha) or is_final(beta)):
        return False
    state, seat, low, high = stack.states[level], stack.progress[SEAT], stack.low, stack.high
    if not rules.prospects(setup, state, low, high):
        return False
    least, most = low[seat], high[seat]
    high[seat] = least  # the seat has least and all others most, then the other way round
    worst = final_value(setup, high, seat)
    low[seat] = most
    best = final_value(setup, low, seat)
    if worst >= beta:
        stack.result[0] = worst
        return True
    if best <= alpha:
        stack.result[0] = best
        return True
    return False
