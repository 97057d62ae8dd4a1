"""Keeping the part of a search tree that is still of use after moves have been played."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import OVER, TURN, Setup, State, compiled
from ludograph.search.tree import GREATEST, LEAST, ROOT, USED, Tree, add_node

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
    node = ROOT
    for move in line:
        first = int(tree.first[node])
        moves = tree.move[first : first + tree.tried[node]].tolist()
        if move not in moves:
            return None
        node = first + moves.index(move)
    return node


@compiled
def transplant(source: Tree, node: int, target: Tree) -> None:
    """Copy the tree below a node into another, as its whole; O(nodes copied)."""
    target.numbers[LEAST] = source.numbers[LEAST]
    target.numbers[GREATEST] = source.numbers[GREATEST]
    copy_node(source, node, target, ROOT)
    used = 1
    at = 0
    # Breadth first: until its turn comes, a copied node still points to its old children.
    while at < used:
        count = target.children[at]
        if count > 0:
            old = target.first[at]
            for index in range(target.tried[at]):
                copy_node(source, old + index, target, used + index)
            for index in range(target.tried[at], count):
                add_node(target, used + index, source.move[old + index])
            target.first[at] = used
            used += count
        at += 1
    target.counters[USED] = used


@compiled
def copy_node(source: Tree, node: int, target: Tree, place: int) -> None:
    """Copy a node as it is."""
    target.first[place] = source.first[node]
    target.children[place] = source.children[node]
    target.tried[place] = source.tried[node]
    target.turn[place] = source.turn[node]
    target.move[place] = source.move[node]
    target.visits[place] = source.visits[node]
    target.mean[place] = source.mean[node]
    target.width[place] = source.width[node]
    target.passed[place] = source.passed[node]
    target.outlook[place] = source.outlook[node]
    target.chance[place] = source.chance[node]
