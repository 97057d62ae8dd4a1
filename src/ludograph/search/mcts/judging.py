"""Judgements of positions that many simulations have come to: what they are worth, and which moves.

A game may know more of a position than is worth asking at every leaf
(:func:`ludograph.search.mcts.hints.judge`). A node is judged once, when it has been visited so
often. From then on its moves have the likelihoods of the judgement, and the reward of a simulation
that ends below, unless it is proven, is a mean of what the random game brought and what the deepest
node judged on its way is worth. Silver et al. ("Mastering the game of Go with deep neural networks
and tree search", Nature 529, 2016) mix the two so at each leaf.
"""

from __future__ import annotations

from typing import NamedTuple

from ludograph.rules import Setup, compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.mcts.hints import Knowledge, judge
from ludograph.search.mcts.tree import ROOT, Rave, Tree

NOT_ASKED, UNKNOWN, KNOWN = range(3)
"""What ``weighed`` says of a node."""


class Judging(NamedTuple):
    """When nodes are judged, and how much that counts."""

    threshold: int
    """The visits after which a node is judged, 1 or more; the root is at once."""
    share: float
    """The part of a reward that a judgement makes, in [0, 1]."""
    weight: float
    """What the likelihoods of moves are multiplied by to be added to their means, as
    ``prior_weight`` of :class:`ludograph.search.mcts.MonteCarlo` is before."""


def judge_by(tree: Tree, judging: Judging) -> None:
    """Let nodes of a tree be judged."""
    tree.settings.judge_threshold = judging.threshold
    tree.settings.judge_share = judging.share
    tree.settings.judge_weight = judging.weight


@compiled(inlined=True)
def consult(setup: Setup, tree: Tree, rave: Rave | None, knowledge: Knowledge, depth: int) -> None:
    """Have the node that a simulation has come to judged if it is time, and remember what is known.

    It has children, and is the one at this depth of the path.
    """
    index = tree.path[depth]
    node = tree.nodes[index]
    threshold = tree.settings.judge_threshold
    is_time = index == ROOT or tree.visits[index] >= threshold
    if is_time and node.weighed == NOT_ASKED and threshold > 0 and node.seat >= 0:
        take_judgement(setup, tree, rave, knowledge, depth)
    if node.weighed == KNOWN:
        tree.progress.adviser = index


@compiled
def take_judgement(
    setup: Setup, tree: Tree, rave: Rave | None, knowledge: Knowledge, depth: int
) -> None:
    """Ask the game about a node, unless another thread is about its children."""
    index = tree.path[depth]
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return
    if node.weighed == NOT_ASKED:
        first, count = node.first_child, load(node, "children")
        moves, likelihoods = tree.move[first : first + count], tree.bounds[:count]
        answer = UNKNOWN
        if judge(setup, knowledge, tree.state, moves, likelihoods, tree.rewards):
            answer = KNOWN
            for place in range(count):
                tree.bias[first + place] = tree.settings.judge_weight * likelihoods[place]
            for seat in range(tree.rewards.size):
                tree.worth[index, seat] = tree.rewards[seat]
            if tree.progress.adviser >= 0:
                revise(tree, rave, depth)
        store(node, "weighed", answer)
    store(node, "lock", 0)


@compiled
def revise(tree: Tree, rave: Rave | None, depth: int) -> None:
    """Let what came out below a node so far count as if it had been judged from the start.

    Until now the judgement of a node above it counted, but not in what was proven: so a mean may
    not leave the range of rewards, where a child that is not proven would look worse than a loss.
    """
    index, adviser = tree.path[depth], tree.progress.adviser
    node, share = tree.nodes[index], tree.settings.judge_share
    chosen_by = tree.nodes[tree.path[depth - 1]].seat
    if chosen_by >= 0:
        worth, before = tree.worth[index, chosen_by], tree.worth[adviser, chosen_by]
        tree.mean[index] = shifted(tree, tree.mean[index], share * (worth - before))
    change = share * (tree.worth[index, node.seat] - tree.worth[adviser, node.seat])
    node.value = shifted(tree, node.value, change)
    for child in range(node.first_child, node.first_child + node.expanded):
        if tree.width[child] > 0.0:  # what is proven stays
            tree.mean[child] = shifted(tree, tree.mean[child], change)
        if rave is not None and rave.visits[child] > 0:
            visits = rave.visits[child]
            rave.total[child] = visits * shifted(tree, rave.total[child] / visits, change)


@compiled(inlined=True)
def shifted(tree: Tree, mean: float, change: float) -> float:
    """Return a mean of rewards that are greater by some amount."""
    return max(tree.progress.least, min(tree.progress.greatest, mean + change))


@compiled(inlined=True)
def blend(tree: Tree) -> None:
    """Mix the rewards of a random game with what the deepest node judged on its way is worth."""
    adviser = tree.progress.adviser
    if adviser >= 0:
        share = tree.settings.judge_share
        for seat in range(tree.rewards.size):
            tree.rewards[seat] += share * (tree.worth[adviser, seat] - tree.rewards[seat])
