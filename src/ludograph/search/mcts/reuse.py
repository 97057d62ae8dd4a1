"""Keeping the part of a search tree that is still of use after moves have been played."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import OVER, TURN, Setup, State, compiled
from ludograph.search.mcts.nodes import add_node, copy_statistics
from ludograph.search.mcts.proofs import is_own, obey, proof_row
from ludograph.search.mcts.tree import OUT, ROOT, Tree, begin

MOST_CANDIDATES = 1000
"""Positions tried at most to recognize what was played: it must cost less than it saves."""


def played_since(setup: Setup, before: State, move: int, now: State) -> tuple[int, ...] | None:
    """Return the moves that lead from one state to another, or None where that is not seen.

    Parameters
    ----------
    before, now
        States of one game.
    move
        The move taken to be the first.
    """
    codes = np.empty(rules.move_capacity(setup), np.int32)
    lines: list[tuple[tuple[int, ...], State]] = [((), before)]
    for ply in range(1 + int(rules.seat_count(setup))):
        longer: list[tuple[tuple[int, ...], State]] = []
        for line, state in lines:
            if np.array_equal(state, now):
                return line
            if state[TURN] == OVER:
                continue
            moves = [move] if ply == 0 else codes[: rules.legal_moves(setup, state, codes)].tolist()
            if len(longer) + len(moves) > MOST_CANDIDATES:
                return None
            for code in moves:
                after = state.copy()
                rules.play(setup, after, code)
                longer.append(((*line, code), after))
        lines = longer
    return next((line for line, state in lines if np.array_equal(state, now)), None)


def follow(tree: Tree, line: tuple[int, ...]) -> int | None:
    """Return the node that a line leads to from the root, or None where the tree ends before."""
    index = ROOT
    for move in line:
        node = tree.nodes[index]
        first = int(node.first_child)
        moves = tree.move[first : first + node.expanded].tolist()
        if move not in moves:
            return None
        index = first + moves.index(move)
    return index


@compiled
def transplant(source: Tree, index: int, target: Tree) -> None:
    """Copy the tree below a node into another, as its whole; O(nodes copied).

    Moves taken out are left behind.
    """
    target.used.nodes = 1
    target.used.proofs = OUT + target.scores.size
    target.progress.least = source.progress.least
    target.progress.greatest = source.progress.greatest
    target.progress.price = source.progress.price
    begin(target)
    copy_node(source, index, target, ROOT)
    at = 0
    # Breadth first: until its turn comes, a copied node still points to its old children.
    while at < target.used.nodes:
        node = target.nodes[at]
        if node.children > 0:
            old = node.first_child
            new = target.used.nodes
            last = new
            for child in range(old, old + node.expanded):
                if not is_taken_out(source, child):
                    copy_node(source, child, target, last)
                    last += 1
            expanded = last - new
            for child in range(old + node.expanded, old + node.children):
                add_node(target, last)
                target.move[last] = source.move[child]
                target.bias[last] = source.bias[child]
                last += 1
            node.first_child = new
            node.expanded = expanded
            node.children = last - new
            target.used.nodes = last
        at += 1
    obey(target, ROOT)


@compiled
def copy_node(source: Tree, index: int, target: Tree, place: int) -> None:
    """Copy a node and what is proven of it."""
    add_node(target, place)
    target.move[place] = source.move[index]
    target.bias[place] = source.bias[index]
    copy_statistics(source, index, target, place)
    old = source.nodes[index]
    if is_own(source, old.proof):
        row = proof_row(target, place)
        for seat in range(source.scores.size):
            target.proofs[row, seat].low = source.proofs[old.proof, seat].low
            target.proofs[row, seat].high = source.proofs[old.proof, seat].high


@compiled
def is_taken_out(tree: Tree, index: int) -> bool:
    """Tell whether a node's parent does without it, see ``OUT``."""
    row = tree.nodes[index].proof
    return row > 0 and not is_own(tree, row)
