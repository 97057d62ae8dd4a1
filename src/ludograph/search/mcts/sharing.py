"""Statistics of nodes that all threads come to, which each passes on a few simulations at a time.

A processor that writes to a cache line takes it away from the others. Where each simulation of each
thread writes to the nodes near the root, all wait for those lines most of the time. So what comes
out below a node that has many visits is kept by the thread until it makes a difference there: a
small part of the node's visits, and no longer than the simulations of one call. (Bourki et al.:
"Scalability and parallelization of Monte-Carlo tree search", CG 2010, share such nodes only, and at
intervals, between machines without common memory.)
"""

from __future__ import annotations

import math

from ludograph.rules import compiled
from ludograph.search.mcts.tree import SLOTS, Tree
from ludograph.search.records import Record

BUSY = 32
"""Visits from which on a thread keeps what it learns of a node for a while ..."""

LAG = 16
"""... until that is more than one in so many of them, or ..."""

MOST_KEPT = 32
"""... so many."""


@compiled(inlined=True)
def is_busy(tree: Tree, index: int) -> bool:
    """Tell whether many simulations came to a node."""
    return bool(tree.visits[index] >= BUSY)


@compiled(inlined=True)
def keep_for(tree: Tree, index: int) -> Record:
    """Return where a thread keeps what it learns of a node."""
    kept = tree.kept[index % SLOTS]
    if kept.index != index:
        pass_on(tree, kept)
        kept.index = index
    return kept


@compiled(inlined=True)
def keep_visit(tree: Tree, index: int, chosen_by: int) -> None:
    """Count a simulation that came to a node, which a seat, chance or, the root, nobody chose."""
    kept = keep_for(tree, index)
    kept.visits += 1
    if chosen_by >= 0:
        kept.rewarded += 1
        kept.reward += tree.rewards[chosen_by]
    if kept.visits >= MOST_KEPT or kept.visits * LAG >= tree.visits[index]:
        pass_on(tree, kept)


@compiled(inlined=True)
def keep_choice(tree: Tree, index: int, reward: float) -> None:
    """Count a simulation that went on from a node, with the reward of the seat to move."""
    kept = keep_for(tree, index)
    kept.choices += 1
    kept.value += reward


@compiled
def pass_on(tree: Tree, kept: Record) -> None:
    """Add what a thread has kept to the node's statistics, where all see it."""
    index = kept.index
    if kept.visits > 0:
        visits = tree.visits[index] + kept.visits
        tree.visits[index] = visits
        if kept.rewarded > 0 and tree.width[index] > 0.0:  # what is proven meanwhile stays
            tree.mean[index] += (kept.reward - kept.rewarded * tree.mean[index]) / visits
            tree.width[index] = min(tree.width[index], 1.0 / math.sqrt(visits))
    if kept.choices > 0:
        node = tree.nodes[index]
        node.child_visits += kept.choices
        node.value += (kept.value - kept.choices * node.value) / node.child_visits
    kept.visits = 0
    kept.rewarded = 0
    kept.choices = 0
    kept.reward = 0.0
    kept.value = 0.0


@compiled
def pass_on_all(tree: Tree) -> None:
    """Let others see all that a thread knows."""
    for slot in range(SLOTS):
        pass_on(tree, tree.kept[slot])
