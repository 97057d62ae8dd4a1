"""Probes: exact knowledge of a game about a few nodes, which gives the winner or removes moves.

A probe is expensive (:func:`ludograph.search.mcts.hints.settle`). So only the root gets one at
once; other nodes get one after many simulations, and the total number of probes is limited by the
number of simulations. A proof by a probe is backed up as the ends of games are; moves that cannot
be best are removed from the tree.
"""

from __future__ import annotations

from ludograph.rules import Moves, Setup, compiled
from ludograph.rules.atomic import store, swap_if
from ludograph.search.mcts.hints import Workspace, settle
from ludograph.search.mcts.leaf_evaluation import to_rewards
from ludograph.search.mcts.proofs import NEVER, close, conclude
from ludograph.search.mcts.tree import (
    EXCLUDED,
    FIRST_PROBE_COST,
    ROOT,
    SETTLED,
    Tree,
    add_node,
)

LEAST_PROBE_COST, GREATEST_PROBE_COST = 3.0, 200.0
"""The simulations for a probe if probes settle much, and if they settle nothing."""

COST_OF_VISIT = 3.0
"""A node is probed only when its visits, times this, reach the cost of a probe."""

CHEAPER, DEARER = 0.8, 1.04
"""A probe multiplies the cost of the next one by the first factor if it settles the node or leaves
at most half of the moves (then never below the first probe's cost), else by the second factor.
Probes stay cheap if a sixth of them settle."""


@compiled(inlined=True)
def is_due(tree: Tree, index: int) -> bool:
    """Tell whether to probe a node now; the node has children."""
    node = tree.nodes[index]
    if node.probed or node.seat < 0:
        return False
    if index == ROOT:
        return True
    progress = tree.progress
    return (
        tree.visits[index] * COST_OF_VISIT >= progress.probe_cost
        and progress.probe_budget >= progress.probe_cost
        and progress.is_lost == 0
    )


@compiled
def probe_node(setup: Setup, workspace: Workspace, tree: Tree, index: int) -> None:
    """Close a node that is settled, or leave it only the moves that can be best.

    The root itself is not closed, because the search needs a move. A won root keeps one winning
    move, which is closed; a lost root is searched further without this proof.
    """
    node = tree.nodes[index]
    if not swap_if(node, "probed", 0, 1):
        return  # another thread probes it
    progress, settings = tree.progress, tree.settings
    if index != ROOT:
        progress.probe_budget -= progress.probe_cost
        progress.probes += 1
    settled, count = settle(setup, workspace, tree.state, tree.scores, tree.codes)
    if settled:
        to_rewards(tree.scores, settings.margin_cap, settings.margin_weight, tree.rewards)
        if index != ROOT:
            progress.probe_cost = max(progress.probe_cost * CHEAPER, LEAST_PROBE_COST)
            close(tree, index)
            store(node, "probed", SETTLED)
            return
        if tree.rewards[node.seat] > tree.proofs[0, node.seat].low:
            keep_only(tree, tree.codes[0])
            return
        progress.is_lost = 1
    elif index != ROOT:
        if 0 < 2 * count <= node.children:
            least = min(progress.probe_cost, FIRST_PROBE_COST)
            progress.probe_cost = max(progress.probe_cost * CHEAPER, least)
        else:
            progress.probe_cost = min(progress.probe_cost * DEARER, GREATEST_PROBE_COST)
    if count > 0:
        restrict_to(tree, index, count)


@compiled
def keep_only(tree: Tree, move: int) -> None:
    """Leave the root only one move, which is proven to bring the rewards in ``tree.rewards``."""
    node = tree.nodes[ROOT]
    child = node.first_child
    node.children = 1
    node.expanded = 1
    add_node(tree, child)
    tree.move[child] = move
    close(tree, child)
    tree.visits[child] = 1
    tree.mean[child] = tree.rewards[node.seat]
    conclude(tree, ROOT)


@compiled
def is_among(moves: Moves, wanted: int) -> bool:
    """Tell whether a move is one of some."""
    found = False
    for move in moves:
        if move == wanted:
            found = True
    return found


@compiled
def restrict_to(tree: Tree, index: int, count: int) -> None:
    """Remove a node's children whose moves are not in ``tree.codes[:count]``.

    Children that are considered already stay in their places, since other threads may be below
    them, with bounds that no proof depends on and that keep simulations away. If another thread
    holds the node's lock, all children are left.
    """
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return
    first = node.first_child
    fresh, last = first + node.expanded, first + node.children
    kept = False
    for child in range(first, last):
        kept = kept or is_among(tree.codes[:count], tree.move[child])
    if kept:
        for child in range(first, fresh):
            if not (tree.nodes[child].closed or is_among(tree.codes[:count], tree.move[child])):
                store(tree.nodes[child], "proof", EXCLUDED + node.seat)
                tree.width[child] = NEVER
        for child in range(fresh, last):
            if is_among(tree.codes[:count], tree.move[child]):
                tree.move[fresh] = tree.move[child]
                tree.bias[fresh] = tree.bias[child]
                fresh += 1
        store(node, "children", fresh - first)
    store(node, "lock", 0)
