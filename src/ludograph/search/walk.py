"""The kernel of alpha-beta search: a depth-first walk kept on an explicit stack.

Alpha-beta (Knuth, Moore: "An analysis of alpha-beta pruning", 1975) in its fail-soft form. Values
are those of one seat, who is to move at the root and maximizes; all others minimize. With three
seats or more that is the paranoid reduction (Sturtevant, Korf: "On pruning techniques for
multi-player games", AAAI 2000). Chance nodes are averaged by :mod:`ludograph.search.averaging`.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import CHANCE, OVER, TURN, Setup, compiled
from ludograph.search.averaging import (
    fold_outcome,
    is_averaged,
    open_average,
    set_outcome_window,
)
from ludograph.search.leaves import estimate, final_value, lies_outside
from ludograph.search.stack import (
    ALPHA,
    AVERAGES,
    BEST,
    BETA,
    CHOSEN,
    COUNT,
    CUT,
    CUT_OFF,
    DONE,
    ENTERING,
    EXPANDING,
    FIRST_ALPHA,
    FIRST_BETA,
    FULL,
    HISTORY,
    INDEX,
    KIND,
    LEVEL,
    LIMIT,
    MAXIMIZES,
    MINIMIZES,
    MODE,
    NEITHER,
    NODES,
    PROBING,
    RESULT_CUT,
    RETURNING,
    SEAT,
    SIDE,
    STAGE,
    WANTED,
    Stack,
)
from ludograph.search.table import (
    CLOSED,
    EXACT,
    LOWER,
    NOTHING,
    UPPER,
    Table,
    bound_of,
    depth_of,
    move_of,
    probe,
    store,
)
from ludograph.search.values import INFINITY

HASH_MOVE, KILLER = 1e15, 1e12
"""Where these two go among the moves in ``order``."""

PREVIEW_DEPTH = 3
"""With this depth left or more, moves are ordered by a look at the positions they lead to."""


@compiled
def enter(setup: Setup, stack: Stack, table: Table) -> bool:
    """Look at a new node; True when its value is known without a search."""
    progress = stack.progress
    progress[NODES] += 1
    wanted = progress[WANTED]
    progress[WANTED] = NEITHER
    level = progress[LEVEL]
    left = progress[LIMIT] - level
    state = stack.states[level]
    turn = state[TURN]
    if turn >= 0 and level > 0 and rules.settle(setup, state, stack.scores):
        stack.result[0] = final_value(setup, stack.scores, progress[SEAT])
        progress[RESULT_CUT] = 0
        return True
    if turn == OVER or left <= 0:
        stack.result[0] = estimate(setup, state, progress[SEAT], stack.scores)
        progress[RESULT_CUT] = 0 if turn == OVER else 1
        return True
    key = rules.key(setup, state)
    value, about = probe(table, key)
    if about != NOTHING and level > 0 and depth_of(about) >= left:
        bound = bound_of(about)
        if (
            bound == EXACT
            or (bound == LOWER and value >= stack.windows[level, BETA])
            or (bound == UPPER and value <= stack.windows[level, ALPHA])
            or (bound == UPPER and wanted == MINIMIZES)
            or (bound == LOWER and wanted == MAXIMIZES)
        ):
            stack.result[0] = value
            progress[RESULT_CUT] = 0 if depth_of(about) == CLOSED else 1
            return True
    if left >= PREVIEW_DEPTH and turn >= 0 and level > 0 and lies_outside(setup, stack, level):
        progress[RESULT_CUT] = 0
        return True
    open_frame(setup, stack, level, turn, key)
    if turn != CHANCE:
        hash_move = -1
        if about != NOTHING:
            hash_move = move_of(about)
        rank_moves(setup, stack, level, left, hash_move)
        frame = stack.frames[level]
        if frame[KIND] == wanted and frame[COUNT] > 1:
            bring_best_forward(stack, level, 0)
            frame[COUNT] = 1
            frame[STAGE] = PROBING
    return False


@compiled
def open_frame(setup: Setup, stack: Stack, level: int, turn: int, key: np.uint64) -> None:
    """List the moves of a node and set its frame to the first."""
    state = stack.states[level]
    frame = stack.frames[level]
    window = stack.windows[level]
    stack.keys[level] = key
    frame[COUNT] = rules.legal_moves(setup, state, stack.moves[level])
    frame[INDEX] = 0
    frame[CHOSEN] = 0
    frame[CUT] = 0
    frame[STAGE] = FULL
    window[FIRST_ALPHA] = window[ALPHA]
    window[FIRST_BETA] = window[BETA]
    if turn == CHANCE:
        open_average(setup, stack, level)
    elif turn == stack.progress[SEAT]:
        frame[KIND] = MAXIMIZES
        window[BEST] = -INFINITY
    else:
        frame[KIND] = MINIMIZES
        window[BEST] = INFINITY


@compiled
def rank_moves(setup: Setup, stack: Stack, level: int, left: int, hash_move: int) -> None:
    """Give each move its number in ``order``."""
    kind = stack.frames[level, KIND]
    scratch = stack.states[stack.states.shape[0] - 1]
    for index in range(stack.frames[level, COUNT]):
        move = int(np.int64(stack.moves[level, index]))
        if move == hash_move:
            stack.order[level, index] = HASH_MOVE
        elif left >= PREVIEW_DEPTH:
            rules.copy(stack.states[level], scratch)
            rules.play(setup, scratch, move)
            value = estimate(setup, scratch, stack.progress[SEAT], stack.scores)
            stack.order[level, index] = value if kind == MAXIMIZES else -value
        elif move == stack.killers[level]:
            stack.order[level, index] = KILLER
        else:
            stack.order[level, index] = stack.history[kind, move & (HISTORY - 1)]


@compiled
def descend(setup: Setup, stack: Stack) -> bool:
    """Play the next move of a node into the level below; False when none needs a look."""
    level = stack.progress[LEVEL]
    frame = stack.frames[level]
    window = stack.windows[level]
    index = frame[INDEX]
    below = stack.windows[level + 1]
    if frame[KIND] == AVERAGES:
        if is_averaged(stack, level):
            return False
        index = frame[INDEX]
        set_outcome_window(stack, level)
    else:
        if index == frame[COUNT] or window[ALPHA] >= window[BETA]:
            return False
        bring_best_forward(stack, level, index)
        below[ALPHA] = window[ALPHA]
        below[BETA] = window[BETA]
    rules.copy(stack.states[level], stack.states[level + 1])
    rules.play(setup, stack.states[level + 1], int(np.int64(stack.moves[level, index])))
    stack.progress[LEVEL] = level + 1
    return True


@compiled
def bring_best_forward(stack: Stack, level: int, index: int) -> None:
    """Swap the greatest in ``order`` of the moves from ``index`` on to ``index``."""
    best = index
    for other in range(index + 1, stack.frames[level, COUNT]):
        if stack.order[level, other] > stack.order[level, best]:
            best = other
    move = stack.moves[level, best]
    stack.moves[level, best] = stack.moves[level, index]
    stack.moves[level, index] = move
    stack.order[level, best] = stack.order[level, index]


@compiled
def fold(stack: Stack) -> None:
    """Go up a level and take in the value that the level below returned."""
    stack.progress[LEVEL] -= 1
    level = stack.progress[LEVEL]
    frame = stack.frames[level]
    window = stack.windows[level]
    index = frame[INDEX]
    value = stack.result[0]
    cut = stack.progress[RESULT_CUT]
    frame[INDEX] = index + 1
    if frame[KIND] == AVERAGES:
        frame[CUT] |= cut
        fold_outcome(stack, level, value)
        return
    if frame[KIND] == MAXIMIZES:
        if value > window[BEST]:
            window[BEST] = value
            frame[CHOSEN] = stack.moves[level, index]
        window[ALPHA] = max(window[ALPHA], value)
    else:
        if value < window[BEST]:
            window[BEST] = value
            frame[CHOSEN] = stack.moves[level, index]
        window[BETA] = min(window[BETA], value)
    # A cutoff rests on this move alone, whatever is left open about those before it.
    if window[ALPHA] >= window[BETA]:
        frame[CUT] = cut
    else:
        frame[CUT] |= cut


@compiled
def finish(stack: Stack, table: Table) -> None:
    """Return the value of a node whose moves have been searched, and remember it."""
    progress = stack.progress
    level = progress[LEVEL]
    left = progress[LIMIT] - level
    frame = stack.frames[level]
    window = stack.windows[level]
    best = window[BEST]
    stack.result[0] = best
    progress[RESULT_CUT] = frame[CUT]
    bound = EXACT
    if frame[KIND] == AVERAGES:
        if frame[STAGE] == CUT_OFF:
            bound = UPPER if frame[SIDE] == MINIMIZES else LOWER
    elif frame[STAGE] == PROBING:
        bound = UPPER if frame[KIND] == MINIMIZES else LOWER
    else:
        if best <= window[FIRST_ALPHA]:
            bound = UPPER
        elif best >= window[FIRST_BETA]:
            bound = LOWER
        if window[ALPHA] >= window[BETA]:
            move = frame[CHOSEN]
            stack.killers[level] = move
            stack.history[frame[KIND], move & (HISTORY - 1)] += left * left
    depth = left if frame[CUT] else CLOSED
    store(table, stack.keys[level], best, bound, depth, frame[CHOSEN])


@compiled
def advance(setup: Setup, stack: Stack, table: Table, budget: int) -> None:
    """Search on for at most so many nodes; ``progress[MODE]`` is ``DONE`` at the end."""
    progress = stack.progress
    last = progress[NODES] + budget
    while progress[MODE] != DONE:
        if progress[MODE] == ENTERING:
            if progress[NODES] == last:
                return
            progress[MODE] = RETURNING if enter(setup, stack, table) else EXPANDING
        elif progress[MODE] == EXPANDING:
            if descend(setup, stack):
                progress[MODE] = ENTERING
            else:
                finish(stack, table)
                progress[MODE] = RETURNING
        elif progress[LEVEL] == 0:
            progress[MODE] = DONE
        else:
            fold(stack)
            progress[MODE] = EXPANDING
