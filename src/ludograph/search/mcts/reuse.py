"""The useful part of the tree of the last search: its node, and the copy of what is below it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Setup, State
from ludograph.rules.answers import play_at
from ludograph.search.mcts.proofs import NEVER
from ludograph.search.mcts.tree import (
    EXCLUDED,
    ROOT,
    Tree,
    begin,
)

Nodes: TypeAlias = npt.NDArray[np.int64]
"""``int64[k]``: the indices of some nodes."""

MOST_TRIED = 4000
"""The most moves tried to find the moves played: the search for them must cost less than it
saves."""


def node_of(setup: Setup, tree: Tree, before: State, move: int, now: State) -> int | None:
    """Return the node of a state in a tree that was searched from another state; None: it has none.

    Nodes without children are not found. The lines from the root are at most a move of each seat
    longer than the first move; all lines of one length are tried before longer ones.

    Parameters
    ----------
    before, move
        The state of the root, and the move there.
    now
        A later state of the same game.
    """
    wanted = now.tobytes()
    level, left = [(ROOT, before)], MOST_TRIED
    for ply in range(2 + rules.info(setup).seats):
        children = []
        for index, state in level:
            if state.tobytes() == wanted:
                return index
            node = tree.nodes[index]
            first, last = int(node.first_child), int(node.first_child + node.expanded)
            for child in (first + np.flatnonzero(tree.nodes["children"][first:last])).tolist():
                if ply > 0 or tree.move[child] == move:
                    if left == 0:
                        return None
                    left -= 1
                    after = state.copy()
                    play_at(setup, after, int(tree.move[child]))
                    children.append((child, after))
        level = children
    return None


def transplant(source: Tree, index: int, target: Tree) -> None:
    """Replace another tree by the tree below a node, without removed moves; O(nodes copied)."""
    target.used.nodes = 1
    target.used.proofs = EXCLUDED + target.scores.size
    for name in ("least", "greatest", "probe_cost"):
        setattr(target.progress, name, getattr(source.progress, name))
    begin(target)
    old, new = np.array([index]), np.array([ROOT])
    while old.size:  # one level of the tree after the other
        copy_nodes(source, old, target, new)
        nodes = target.nodes[new]
        stay = nodes["children"] > 0
        nodes, parents = nodes[stay], new[stay]
        counts = nodes["children"]
        owner = np.repeat(np.arange(counts.size), counts)
        place = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
        children = nodes["first_child"][owner] + place
        considered = place < nodes["expanded"][owner]
        row = source.nodes["proof"][children]
        kept = ~(considered & (row > 0) & (row < EXCLUDED + source.scores.size))
        owner, children, considered = owner[kept], children[kept], considered[kept]
        first = int(target.used.nodes)
        places = np.arange(first, first + children.size)
        counts = np.bincount(owner, minlength=counts.size)
        target.nodes["first_child"][parents] = first + np.cumsum(counts) - counts
        target.nodes["children"][parents] = counts
        target.nodes["expanded"][parents] = np.bincount(owner[considered], minlength=counts.size)
        target.move[places] = source.move[children]
        target.bias[places] = source.bias[children]
        target.used.nodes = first + children.size
        old, new = children[considered], places[considered]
    node = target.nodes[ROOT]
    widths = target.width[node.first_child : node.first_child + node.expanded]
    widths[widths == 0.0] = NEVER  # the root's closed children need no simulations


def copy_nodes(source: Tree, old: Nodes, target: Tree, new: Nodes) -> None:
    """Copy some nodes and their proven bounds, but not their moves."""
    for each in ("nodes", "visits", "mean", "width", "evaluations"):
        getattr(target, each)[new] = getattr(source, each)[old]
    rows = source.nodes["proof"][old]
    is_own = rows >= EXCLUDED + source.scores.size
    first = int(target.used.proofs)
    own = np.arange(first, first + int(is_own.sum()))
    target.proofs[own] = source.proofs[rows[is_own]]
    target.nodes["proof"][new] = 0
    target.nodes["proof"][new[is_own]] = own
    target.used.proofs = first + own.size
