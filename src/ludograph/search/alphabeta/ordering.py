"""The order of moves in alpha-beta search: good moves first give more cutoffs.

The first move is that of the table. The others follow, far from the depth limit, by the estimate of
the position after the move, and near to it by the number of the move's cutoffs elsewhere: the
killer of its level, and the history heuristic (Schaeffer: "The history heuristic and alpha-beta
search enhancements in practice", 1989).
"""

from __future__ import annotations

from ludograph.rules import Setup, compiled
from ludograph.search.alphabeta.leaves import estimate
from ludograph.search.alphabeta.stack import HISTORY, MAXIMIZES, Stack, play_to

TABLE_MOVE, KILLER = 1e15, 1e12
"""The numbers of these two moves in ``order``."""

PREVIEW_DEPTH = 3
"""With this depth left or more, moves are ordered by the estimates of the positions after them."""


@compiled
def rank_moves(setup: Setup, stack: Stack, table_move: int) -> None:
    """Give each move of the present node its number in ``order``."""
    level = stack.progress.level
    preview = stack.progress.limit - level >= PREVIEW_DEPTH
    frame = stack.frames[level]
    order = stack.order[level]
    scratch = stack.states[stack.states.shape[0] - 1]
    for index in range(frame.count):
        move = stack.moves[level, index]
        if move == table_move:
            order[index] = TABLE_MOVE
        elif preview:
            play_to(setup, stack.states[level], move, scratch)
            value = estimate(setup, stack, scratch)
            order[index] = value if frame.kind == MAXIMIZES else -value
        elif move == frame.killer:
            order[index] = KILLER
        else:
            order[index] = stack.history[frame.kind, move & (HISTORY - 1)]


@compiled
def bring_best_forward(stack: Stack, level: int) -> None:
    """Swap the move with the greatest number in ``order`` of those left to the next place."""
    frame = stack.frames[level]
    order, moves = stack.order[level], stack.moves[level]
    best = frame.index
    for other in range(frame.index + 1, frame.count):
        if order[other] > order[best]:
            best = other
    move = moves[best]
    moves[best] = moves[frame.index]
    moves[frame.index] = move
    order[best] = order[frame.index]


@compiled
def reward_cutoff(stack: Stack, level: int) -> None:
    """Count a cutoff by the best move of a node."""
    frame = stack.frames[level]
    left = stack.progress.limit - level
    frame.killer = frame.best_move
    stack.history[frame.kind, frame.best_move & (HISTORY - 1)] += left * left
