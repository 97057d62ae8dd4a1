"""Rewards of a leaf for each seat: from scores, mixed with the evaluation of the game.

A game may know more of a position than is worth asking at every leaf
(:func:`ludograph.search.mcts.hints.judge`). A node is evaluated once, when it has been visited so
often. From then on its moves have the likelihoods of the evaluation, and the reward of a simulation
that ends below, unless it is proven, is a mean of what the random game brought and what the deepest
node evaluated on its way is worth. Silver et al. ("Mastering the game of Go with deep neural
networks and tree search", Nature 529, 2016) mix the two so at each leaf.
"""

from __future__ import annotations

from ludograph.rules import Scores, Setup, compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.mcts.hints import MoveKnowledge, judge
from ludograph.search.mcts.tree import ROOT, Rave, Tree
from ludograph.search.values import margin

NOT_ASKED, UNKNOWN, KNOWN = range(3)
"""What ``evaluated`` says of a node."""


@compiled
def to_rewards(scores: Scores, margin_cap: float, margin_weight: float, out: Scores) -> None:
    """Write each seat's reward in [0, 1]; a lone seat's is its score as it is.

    A reward is the share of opponents that a seat is ahead of, a tie counting half, blended with
    a little of its margin: so a search plays on sensibly where all is won or lost.

    Parameters
    ----------
    scores, out
        ``float64[seats]``.
    margin_cap
        A margin as wide as this counts in full, a wider one no more.
    margin_weight
        The part of a reward that the margin makes.
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
def evaluate_when_due(
    setup: Setup, tree: Tree, rave: Rave | None, knowledge: MoveKnowledge, depth: int
) -> None:
    """Evaluate the node that a simulation has come to if it is time; note what is known.

    It has children, and is the one at this depth of the path.
    """
    index = tree.path[depth]
    node = tree.nodes[index]
    threshold = tree.settings.evaluation_threshold
    is_time = index == ROOT or tree.visits[index] >= threshold
    if is_time and node.evaluated == NOT_ASKED and threshold > 0 and node.seat >= 0:
        evaluate_node(setup, tree, rave, knowledge, depth)
    if node.evaluated == KNOWN:
        tree.progress.evaluated_node = index


@compiled
def evaluate_node(
    setup: Setup, tree: Tree, rave: Rave | None, knowledge: MoveKnowledge, depth: int
) -> None:
    """Ask the game about a node, unless another thread is about its children."""
    index = tree.path[depth]
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return
    if node.evaluated == NOT_ASKED:
        first, count = node.first_child, load(node, "children")
        moves, likelihoods = tree.move[first : first + count], tree.bounds[:count]
        answer = UNKNOWN
        if judge(setup, knowledge, tree.state, moves, likelihoods, tree.rewards):
            answer = KNOWN
            for place in range(count):
                tree.bias[first + place] = tree.settings.evaluation_weight * likelihoods[place]
            for seat in range(tree.rewards.size):
                tree.evaluations[index, seat] = tree.rewards[seat]
            if tree.progress.evaluated_node >= 0:
                revise(tree, rave, depth)
        store(node, "evaluated", answer)
    store(node, "lock", 0)


@compiled
def revise(tree: Tree, rave: Rave | None, depth: int) -> None:
    """Let what came out below a node so far count as if it had been evaluated from the start.

    Until now the evaluation of a node above it counted, but not in what was proven: so a mean may
    not leave the range of rewards, where a child that is not proven would look worse than a loss.
    """
    index, above = tree.path[depth], tree.progress.evaluated_node
    node, share = tree.nodes[index], tree.settings.evaluation_share
    chosen_by = tree.nodes[tree.path[depth - 1]].seat
    if chosen_by >= 0:
        worth, before = tree.evaluations[index, chosen_by], tree.evaluations[above, chosen_by]
        tree.mean[index] = shifted(tree, tree.mean[index], share * (worth - before))
    change = share * (tree.evaluations[index, node.seat] - tree.evaluations[above, node.seat])
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
    """Mix the rewards of a random game with what the deepest node evaluated on its way is worth."""
    index = tree.progress.evaluated_node
    if index >= 0:
        share = tree.settings.evaluation_share
        for seat in range(tree.rewards.size):
            tree.rewards[seat] += share * (tree.evaluations[index, seat] - tree.rewards[seat])
