"""Alpha-beta search: enter a node, list its moves, descend into each, return its value.

The search goes depth first over an explicit stack, so that it can stop after any node and go on
later. Alpha-beta (Knuth, Moore: "An analysis of alpha-beta pruning", 1975) in its fail-soft form.
Values are those of one seat, which is to move at the root and maximizes; all others minimize. With
three seats or more that is the paranoid reduction (Sturtevant, Korf: "On pruning techniques for
multi-player games", AAAI 2000). Chance nodes take the mean of their outcomes,
pruned by probes (Star2).

If the window allows pruning, a chance node is first probed: after each outcome in which the
opponent of the seat before is to move, only the most promising move is searched. That gives a bound
for the outcome's value, and the mean of these bounds is one for the node's. If it is inside the
window, each outcome is searched in full, with the window that the bounds of the others leave.

Ballard: "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence
21, 1983. His Star1 needs bounds of all values beforehand, which proven ones do not have.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import CHANCE, TURN, Moves, Setup, compiled
from ludograph.search.alphabeta.leaves import is_enough, is_leaf, lies_outside
from ludograph.search.alphabeta.ordering import bring_best_forward, rank_moves, reward_cutoff
from ludograph.search.alphabeta.stack import (
    AVERAGES,
    CUT_OFF,
    DESCENDING,
    DONE,
    ENTERING,
    FULL,
    MAXIMIZES,
    MINIMIZES,
    NEITHER,
    PROBING,
    RETURNING,
    Stack,
    play_to,
)
from ludograph.search.hints import candidates
from ludograph.search.transpositions import (
    CLOSED,
    EXACT,
    LOWER,
    NOTHING,
    UPPER,
    Table,
    move_of,
    probe,
    store,
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


@compiled
def alphabeta(setup: Setup, stack: Stack, table: Table, budget: int) -> None:
    """Search at most ``nodes`` more nodes; ``progress.step`` is ``DONE`` at the end."""
    progress = stack.progress
    last = progress.nodes + budget
    while progress.step != DONE:
        if progress.step == ENTERING:
            if progress.nodes == last:
                return
            progress.nodes += 1
            progress.step = DESCENDING if enter(setup, stack, table) else RETURNING
        elif progress.step == DESCENDING:
            if descend(setup, stack):
                progress.step = ENTERING
            else:
                conclude(stack, table)
                progress.step = RETURNING
        elif progress.level > 0:
            take_value(stack)
            progress.step = DESCENDING
        else:
            progress.step = DONE


@compiled
def enter(setup: Setup, stack: Stack, table: Table) -> bool:
    """Open a node, or set ``progress.value`` and return False if the node needs no search."""
    progress = stack.progress
    if is_leaf(setup, stack):
        progress.probes = NEITHER
        return False
    key = rules.key(setup, stack.states[progress.level])
    value, about = probe(table, key)
    enough = is_enough(stack, value, about)
    probes = progress.probes
    progress.probes = NEITHER
    if enough or lies_outside(setup, stack):
        return False
    expand(setup, stack, key, move_of(about) if about != NOTHING else -1, probes)
    return True


@compiled
def expand(setup: Setup, stack: Stack, key: np.uint64, table_move: int, probes: int) -> None:
    """List the moves of a node in order; if its kind is probed, only the best one."""
    level = stack.progress.level
    state = stack.states[level]
    frame = stack.frames[level]
    frame.key = key
    frame.count = candidates(setup, state, stack.moves[level])
    frame.index = 0
    frame.best_move = 0
    frame.cut = 0
    frame.stage = FULL
    frame.first_alpha = frame.alpha
    frame.first_beta = frame.beta
    if state[TURN] == CHANCE:
        frame.kind = AVERAGES
        open_outcomes(setup, stack, level)
        return
    frame.kind = MAXIMIZES if state[TURN] == stack.progress.seat else MINIMIZES
    frame.best = -INFINITY if frame.kind == MAXIMIZES else INFINITY
    rank_moves(setup, stack, table_move)
    if frame.kind == probes and frame.count > 1:
        bring_best_forward(stack, level)
        frame.count = 1
        frame.stage = PROBING


@compiled
def descend(setup: Setup, stack: Stack) -> bool:
    """Play the next move of a node into the level below; False if no move is left to search."""
    level = stack.progress.level
    frame, child = stack.frames[level], stack.frames[level + 1]
    if frame.kind == AVERAGES:
        if is_averaged(stack, level):
            return False
        set_outcome_window(stack, level)
    else:
        if frame.index == frame.count or frame.alpha >= frame.beta:
            return False
        bring_best_forward(stack, level)
        child.alpha = frame.alpha
        child.beta = frame.beta
    play_to(setup, stack.states[level], stack.moves[level, frame.index], stack.states[level + 1])
    stack.progress.level = level + 1
    return True


@compiled
def take_value(stack: Stack) -> None:
    """Go up a level and use the value that the level below returned."""
    progress = stack.progress
    level = progress.level - 1
    progress.level = level
    frame = stack.frames[level]
    value = progress.value
    move = stack.moves[level, frame.index]
    frame.index += 1
    frame.cut |= progress.cut
    if frame.kind == AVERAGES:
        take_outcome(stack, level, value)
        return
    if value > frame.best if frame.kind == MAXIMIZES else value < frame.best:
        frame.best = value
        frame.best_move = move
    if frame.kind == MAXIMIZES:
        frame.alpha = max(frame.alpha, value)
    else:
        frame.beta = min(frame.beta, value)
    # A cutoff depends on this move alone, even if the values of earlier moves are not exact.
    if frame.alpha >= frame.beta:
        frame.cut = progress.cut


@compiled
def conclude(stack: Stack, table: Table) -> None:
    """Return the value of a node whose moves have been searched, and store it."""
    progress = stack.progress
    level = progress.level
    frame = stack.frames[level]
    progress.value = frame.best
    progress.cut = frame.cut
    if frame.kind != AVERAGES and frame.stage == FULL and frame.alpha >= frame.beta:
        reward_cutoff(stack, level)
    depth = progress.limit - level if frame.cut else CLOSED
    store(table, frame.key, frame.best, bound_found(stack, level), depth, frame.best_move)


@compiled
def bound_found(stack: Stack, level: int) -> int:
    """Return whether the value found for a node is exact or a bound."""
    frame = stack.frames[level]
    if frame.kind == AVERAGES:
        if frame.stage != CUT_OFF:
            return EXACT
        return UPPER if frame.probed_kind == MINIMIZES else LOWER
    if frame.stage == PROBING:
        return UPPER if frame.kind == MINIMIZES else LOWER
    if frame.best <= frame.first_alpha:
        return UPPER
    return LOWER if frame.best >= frame.first_beta else EXACT


@compiled
def write_line(setup: Setup, stack: Stack, table: Table, line: Moves) -> int:
    """Write the moves after ``line[0]`` that the table has, as far as they are legal.

    Return the number of moves on the line. The root's list of moves becomes a workspace.
    """
    state, codes, count = stack.states[stack.states.shape[0] - 1], stack.moves[0], 1
    rules.copy(stack.states[0], state)
    while count < line.size:
        rules.play(setup, state, line[count - 1])
        if state[TURN] < 0:
            break
        about = probe(table, rules.key(setup, state))[1]
        if about == NOTHING:
            break
        is_legal = False
        for place in range(rules.legal_moves(setup, state, codes)):
            is_legal |= codes[place] == move_of(about)
        if not is_legal:
            break
        line[count] = move_of(about)
        count += 1
    return count
