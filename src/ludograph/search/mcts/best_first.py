"""Values by minimax: a node has the value of its best child.

Random games need a mean over simulations. If a game evaluates positions itself
(:func:`~ludograph.search.mcts.hints.weigh`), each child has a value as soon as it is created,
and later the value of its own best child: minimax, in a tree that grows along good moves (Korf,
Chickering: "Best-first minimax search", Artificial Intelligence 84, 1996). The exploration bonus
ensures that no single line takes all of the time.

Two seats share a reward of 1. The search compares values of different depths, so the values of
positions before and after a good move must be the same on average.
"""

from __future__ import annotations

from ludograph.rules import compiled
from ludograph.rules.atomic import load
from ludograph.search.mcts.hints import MoveKnowledge
from ludograph.search.mcts.tree import ROOT, Tree, count_visit
from ludograph.search.values import INFINITY


@compiled(inlined=True)
def is_best_first(tree: Tree, knowledge: MoveKnowledge | None) -> bool:
    """Tell whether a search uses values by minimax."""
    return knowledge is not None and bool(tree.settings.minimax == 1)


@compiled(inlined=True)
def back_up_values(tree: Tree, depth: int) -> None:
    """Count a simulation, and compute the values on its path from those of the children.

    O(children considered on the path). With several threads, its visits were counted on the way
    down.
    """
    for step in range(depth, -1, -1):
        index = tree.path[step]
        node = tree.nodes[index]
        if step < depth:
            node.child_visits += 1
        if load(node, "expanded") > 0:
            node.value = best_value(tree, index)
        if step > 0:
            seat = tree.nodes[tree.path[step - 1]].seat
            if load(node, "expanded") > 0 and tree.width[index] > 0.0:  # a proven value stays
                tree.mean[index] = node.value if node.seat == seat else 1.0 - node.value
            if not tree.settings.shared:
                count_visit(tree, index, seat, tree.mean[index])
    tree.visits[ROOT] += 1


@compiled(inlined=True)
def best_value(tree: Tree, index: int) -> float:
    """Return the greatest value of the children that a node considers, for the seat to move."""
    node = tree.nodes[index]
    best = -INFINITY
    for child in range(node.first_child, node.first_child + load(node, "expanded")):
        best = max(best, tree.mean[child])
    return best
