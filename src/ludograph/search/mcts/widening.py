"""Moves that look good at first sight are considered first, others as the visits grow.

Where a game tells :func:`~ludograph.search.mcts.hints.priors`, a node considers its likeliest moves
only, and ever more of them (progressive widening: Coulom, "Computing Elo ratings of move patterns
in the game of Go", 2007); what a prior promises is added to a move's mean and fades with its visits
(progressive bias: Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008).
"""

from __future__ import annotations

import math

from ludograph.rules import compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.mcts.nodes import add_node
from ludograph.search.mcts.tree import Rave, Tree


@compiled(inlined=True)
def widen_with_visits(tree: Tree, rave: Rave | None, index: int) -> None:
    """Let a node consider as many moves as its visits are worth."""
    node, settings = tree.nodes[index], tree.settings
    wanted = int(settings.first_width + settings.widening * math.sqrt(node.child_visits))
    wanted = min(node.children, wanted)
    while load(node, "expanded") < wanted:
        if not widen(tree, rave, index):
            return


@compiled
def widen(tree: Tree, rave: Rave | None, index: int) -> bool:
    """Let a node consider one move more, of those that are left the likeliest; O(children).

    False if none is left, or another thread is about it.
    """
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return False
    is_left = load(node, "expanded") < load(node, "children")
    if is_left:
        consider_likeliest(tree, rave, index)
    store(node, "lock", 0)
    return is_left


@compiled
def consider_likeliest(tree: Tree, rave: Rave | None, index: int) -> None:
    """Do so at a node that this thread has locked, and that has moves left."""
    node = tree.nodes[index]
    fresh = node.first_child + node.expanded
    best = fresh
    for child in range(fresh + 1, node.first_child + node.children):
        if tree.bias[child] > tree.bias[best]:
            best = child
    move, bias = tree.move[best], tree.bias[best]
    tree.move[best], tree.bias[best] = tree.move[fresh], tree.bias[fresh]
    tree.move[fresh], tree.bias[fresh] = move, bias
    add_node(tree, fresh)
    if rave is not None:
        rave.visits[fresh] = 0
        rave.total[fresh] = 0.0
    store(node, "expanded", node.expanded + 1)  # from now on others go there
