"""What a solver has found out about a node, as the tree takes it in."""

from __future__ import annotations

from ludograph.rules import compiled
from ludograph.rules.atomic import store
from ludograph.search.mcts.looks import leave_only
from ludograph.search.mcts.proofs import back_up_proof, close
from ludograph.search.mcts.rewards import to_rewards
from ludograph.search.mcts.tree import SETTLED, Rave, Tree


@compiled
def take_in(tree: Tree, rave: Rave | None, depth: int, settled: bool, count: int) -> None:
    """Close a node on the path, or leave it only so many moves; draw the conclusions.

    The scores that it is settled by, or the moves, are in the scratch of the tree.
    """
    index = tree.path[depth]
    if settled:
        settings = tree.settings
        to_rewards(tree.scores, settings.margin_cap, settings.margin_weight, tree.rewards)
        close(tree, index)
        tree.progress.fresh = 0
        store(tree.nodes[index], "looked", SETTLED)
        back_up_proof(tree, depth)
    elif count > 0:
        leave_only(tree, rave, index, count)
        back_up_proof(tree, depth + 1)


def reward_of(tree: Tree, seat: int) -> float:
    """Return what the scores in the scratch of the tree are worth to a seat."""
    settings = tree.settings
    to_rewards(tree.scores, settings.margin_cap, settings.margin_weight, tree.rewards)
    return float(tree.rewards[seat])


def busiest(tree: Tree, index: int) -> int:
    """Return the child of a node that is visited most and not known yet, or -1."""
    node = tree.nodes[index]
    first = int(node.first_child)
    children = slice(first, first + int(node.expanded))
    visits = tree.visits[children] * (tree.width[children] > 0.0)
    return first + int(visits.argmax()) if visits.any() else -1


def visits_of(tree: Tree, index: int) -> dict[int, int]:
    """Return how often each move of a node was tried that is considered."""
    node = tree.nodes[index]
    children = slice(int(node.first_child), int(node.first_child) + int(node.expanded))
    return dict(zip(tree.move[children].tolist(), tree.visits[children].tolist(), strict=True))
