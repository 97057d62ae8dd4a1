"""Rewards of a leaf for each seat: from scores, mixed with the evaluation of the game.

A game's judgement (:func:`ludograph.search.mcts.hints.weigh`) may be too slow for every leaf. A
node is evaluated once, after a fixed number of visits. From then on its moves have the likelihoods
of the evaluation. A simulation that ends below has a mean of two rewards, unless its reward is
proven: that of the random game and that of the deepest evaluated node on its path. Silver et al.
("Mastering the game of Go with deep neural networks and tree search", Nature 529, 2016) mix the two
in this way at each leaf.
"""

from __future__ import annotations

from ludograph.rules import Scores, Setup, compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.mcts.hints import JUDGEMENT, MoveKnowledge, weigh
from ludograph.search.mcts.tree import ROOT, Tree
from ludograph.search.values import margin

NOT_ASKED, UNKNOWN, KNOWN = range(3)
"""The values of a node's ``evaluated``."""


@compiled
def to_rewards(scores: Scores, margin_cap: float, margin_weight: float, out: Scores) -> None:
    """Write each seat's reward in [0, 1]; the reward of a lone seat is its score.

    A reward is the share of opponents that a seat is ahead of, a tie counting half, blended with a
    small part of its margin: so a search still prefers good moves in won and lost positions.

    Parameters
    ----------
    scores, out
        ``float64[seats]``.
    margin_cap
        The margin that counts in full; a wider one counts the same.
    margin_weight
        The share of the margin in a reward.
    """
    seats = scores.size
    if seats == 1:
        out[0] = scores[0]
        return
    for seat in range(seats):
        ahead = 0.0
        for other in range(seats):
            if other != seat:
                if scores[other] < scores[seat]:
                    ahead += 1.0
                elif scores[other] == scores[seat]:
                    ahead += 0.5
        rank = ahead / (seats - 1)
        lead = 0.5 + 0.5 * max(-1.0, min(1.0, margin(scores, seat) / max(margin_cap, 1e-9)))
        out[seat] = rank + margin_weight * (lead - rank)


def sure_win(seats: int, margin_weight: float) -> float:
    """Return the least reward of a seat that is ahead of all others; inf for a lone seat."""
    return float("inf") if seats == 1 else 1.0 - 0.5 * margin_weight


@compiled(inlined=True)
def evaluate_when_due(setup: Setup, tree: Tree, knowledge: MoveKnowledge, depth: int) -> None:
    """Evaluate the node at this depth of the path if its visits suffice, and note the evaluation.

    The node has children.
    """
    index = tree.path[depth]
    node = tree.nodes[index]
    threshold = tree.settings.evaluation_threshold
    is_time = index == ROOT or tree.visits[index] >= threshold
    if is_time and node.evaluated == NOT_ASKED and threshold > 0 and node.seat >= 0:
        evaluate_node(setup, tree, knowledge, depth)
    if load(node, "evaluated") == KNOWN:  # then its evaluation is visible, too
        tree.progress.evaluated_node = index


@compiled
def evaluate_node(setup: Setup, tree: Tree, knowledge: MoveKnowledge, depth: int) -> None:
    """Evaluate a node, unless another thread holds its lock."""
    index = tree.path[depth]
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return
    if node.evaluated == NOT_ASKED:
        first, count = node.first_child, load(node, "children")
        moves, likelihoods = tree.move[first : first + count], tree.bounds[:count]
        answer = UNKNOWN
        if weigh(setup, knowledge, tree.state, moves, JUDGEMENT, likelihoods, tree.rewards):
            answer = KNOWN
            for place in range(count):
                tree.bias[first + place] = tree.settings.evaluation_weight * likelihoods[place]
            for seat in range(tree.rewards.size):
                tree.evaluations[index, seat] = tree.rewards[seat]
            if tree.progress.evaluated_node >= 0:
                revise(tree, depth)
        store(node, "evaluated", answer)
    store(node, "lock", 0)


@compiled
def revise(tree: Tree, depth: int) -> None:
    """Change the means below a node to those of a node evaluated at its first visit.

    Until now the evaluation of a node above it counted, but not in proven rewards. A mean must not
    leave the range of rewards: an unproven child would then seem worse than a loss.
    """
    index, above = tree.path[depth], tree.progress.evaluated_node
    node, share = tree.nodes[index], tree.settings.evaluation_share
    chosen_by = tree.nodes[tree.path[depth - 1]].seat
    if chosen_by >= 0:
        after, before = tree.evaluations[index, chosen_by], tree.evaluations[above, chosen_by]
        tree.mean[index] = shifted(tree, tree.mean[index], share * (after - before))
    change = share * (tree.evaluations[index, node.seat] - tree.evaluations[above, node.seat])
    node.value = shifted(tree, node.value, change)
    for child in range(node.first_child, node.first_child + node.expanded):
        if tree.width[child] > 0.0:  # a proven value stays
            tree.mean[child] = shifted(tree, tree.mean[child], change)


@compiled(inlined=True)
def shifted(tree: Tree, mean: float, change: float) -> float:
    """Return a mean of rewards after each reward has grown by ``change``."""
    return max(tree.progress.least, min(tree.progress.greatest, mean + change))


@compiled(inlined=True)
def blend(tree: Tree) -> None:
    """Mix the rewards of a random game with those of the deepest evaluated node on its path."""
    index = tree.progress.evaluated_node
    if index >= 0:
        share = tree.settings.evaluation_share
        for seat in range(tree.rewards.size):
            tree.rewards[seat] += share * (tree.evaluations[index, seat] - tree.rewards[seat])
