"""Depth-first proof-number search: a best-first proof kept on a depth-first stack.

Df-pn (Nagai: "Df-pn algorithm for searching AND/OR trees and its applications", PhD thesis,
University of Tokyo, 2002). A node has two numbers that say how far it seems to be from being
decided: *phi* from a win of the seat to move, *delta* from its loss. One winning move is enough, so
its phi is the least delta of its children. A loss needs all moves to lose: its delta is that of the
hardest move plus one for every other (weak proof numbers: Ueda, Hashimoto, Hashimoto, Iida: "Weak
proof-number search", CG 2008): in a sum the same positions, reached by other orders of moves, would
count many times. The search goes on at the child that needs least, and returns when another child
needs less; a child may exceed its rival by a quarter before the search turns to the rival
(Pawlewicz, Lew: "Improving depth-first PN-search: 1 + epsilon trick", CG 2006).

A game can replace the list of a node's moves, their first numbers, and the storage of results:
:mod:`ludograph.search.proof.game`.
"""

from __future__ import annotations

from ludograph.rules import Setup, compiled
from ludograph.search.proof.game import Workspace, descend, expand, learn, remember
from ludograph.search.proof.stack import (
    DONE,
    ENDLESS,
    EXPANDING,
    RETURNING,
    SELECTING,
    ProofStack,
)

SLACK = 4
"""The search turns from a child to its rival when the child is worse by 1 / this."""


@compiled
def prove(setup: Setup, workspace: Workspace, stack: ProofStack, budget: int) -> None:
    """Search on, expanding at most ``nodes`` nodes; ``progress[0].mode`` is DONE at the end."""
    progress = stack.progress[0]
    last = progress.nodes + budget
    while progress.mode != DONE:
        level = progress.level
        if progress.mode == EXPANDING:
            if progress.nodes == last:
                return
            progress.nodes += 1
            stack.frames[level].entered = progress.nodes
            stack.frames[level].count = 0
            decided = expand(setup, workspace, stack, level)
            progress.mode = RETURNING if decided else SELECTING
        elif progress.mode == SELECTING:
            if select_child(stack, level):
                descend(setup, workspace, stack, level)
                turn_limits(stack, level)
                progress.level = level + 1
                progress.mode = EXPANDING
            else:
                progress.mode = RETURNING
        else:
            remember(setup, workspace, stack, level)
            if level == 0:
                progress.mode = DONE
            else:
                progress.level = level - 1
                back_up(setup, workspace, stack, level - 1)


@compiled
def select_child(stack: ProofStack, level: int) -> bool:
    """Choose the most promising child and how far to search it.

    False if the node itself exceeds its limits, as a node without moves left always does: the
    search then returns its numbers.
    """
    frame = stack.frames[level]
    phis, deltas = stack.phis[level], stack.deltas[level]
    best = -1
    least = second = ENDLESS
    hardest = 0
    for index in range(frame.count):
        hardest = max(hardest, phis[index])
        if deltas[index] < least:
            second = least
            least = deltas[index]
            best = index
        elif deltas[index] < second:
            second = deltas[index]
    others = max(0, frame.count - 1)
    delta = min(hardest + others, ENDLESS - 1)
    if least >= frame.phi_limit or delta >= frame.delta_limit:
        stack.progress[0].phi = least
        stack.progress[0].delta = delta
        return False
    frame.chosen = best
    frame.move = stack.moves[level, best]
    child = stack.frames[level + 1]
    child.phi_limit = frame.delta_limit - others
    child.delta_limit = min(frame.phi_limit, second + second // SLACK + 1)
    return True


@compiled
def turn_limits(stack: ProofStack, level: int) -> None:
    """Exchange the limits of a child where the same seat moves again."""
    child = stack.frames[level + 1]
    if child.seat == stack.frames[level].seat:
        phi_limit = child.phi_limit
        child.phi_limit = child.delta_limit
        child.delta_limit = phi_limit


@compiled
def back_up(setup: Setup, workspace: Workspace, stack: ProofStack, level: int) -> None:
    """Use the numbers that the search below a node's child returned."""
    progress = stack.progress[0]
    frame = stack.frames[level]
    phi, delta = progress.phi, progress.delta
    if stack.frames[level + 1].seat == frame.seat:
        phi, delta = delta, phi
    if delta == 0:
        progress.phi = 0
        progress.delta = ENDLESS
        learn(setup, workspace, stack, level, True)
        return  # the node is won too
    if phi == 0:
        learn(setup, workspace, stack, level, False)
    else:
        stack.phis[level, frame.chosen] = phi
        stack.deltas[level, frame.chosen] = delta
    progress.mode = SELECTING
