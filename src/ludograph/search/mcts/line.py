"""The moves that a tree expects: its principal variation."""

from __future__ import annotations

from ludograph.rules import CHANCE
from ludograph.search.mcts.reuse import is_taken_out
from ludograph.search.mcts.tree import ROOT, Tree

LEAST = 2
"""Visits of a move that says something."""


def principal_variation(tree: Tree, first: int) -> tuple[int, ...]:
    """Return a move at the root and, behind it, the moves visited most, one after the other.

    It ends where chance moves, or where no move has been tried more than once.
    """
    line = [first]
    node = _child(tree, ROOT, first)
    while node is not None and len(line) < tree.path.size:
        record = tree.nodes[node]
        children = [
            child
            for child in range(record.first_child, record.first_child + record.expanded)
            if not is_taken_out(tree, child)
        ]
        if record.seat == CHANCE or not children:
            break
        node = max(children, key=lambda child: int(tree.visits[child]))
        if tree.visits[node] < LEAST:
            break
        line.append(int(tree.move[node]))
    return tuple(line)


def _child(tree: Tree, node: int, move: int) -> int | None:
    record = tree.nodes[node]
    children = range(record.first_child, record.first_child + record.expanded)
    return next((child for child in children if tree.move[child] == move), None)
