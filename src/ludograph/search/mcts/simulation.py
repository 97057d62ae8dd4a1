"""Monte-Carlo tree search as a story: select, expand, evaluate, back up; so many times.

A simulation walks down the tree from the root, to the child that looks best to each seat in turn,
or by the dice. It looks into the node that it ends at, judges one position there by a random game,
and tells all nodes on its way what came out. What is known for certain is remembered as proven,
and not simulated again (:mod:`ludograph.search.mcts.proofs`).
"""

from __future__ import annotations

import math

from ludograph import rules
from ludograph.rules import OVER, TURN, Rng, Setup, State, compiled
from ludograph.rules.atomic import load
from ludograph.search.hints import proven_scores
from ludograph.search.mcts.hints import Knowledge, Room, amaf_playout, leaf_value
from ludograph.search.mcts.judging import blend, consult
from ludograph.search.mcts.looks import deserves_look, take_look
from ludograph.search.mcts.nodes import add_children, is_full
from ludograph.search.mcts.proofs import back_up_proof, close, is_decided, is_own
from ludograph.search.mcts.rewards import to_rewards
from ludograph.search.mcts.selection import select, share_rewards
from ludograph.search.mcts.sharing import is_busy, keep_choice, keep_visit, pass_on_all
from ludograph.search.mcts.tree import ROOT, Rave, Tree


@compiled
def simulate(
    setup: Setup,
    root: State,
    tree: Tree,
    rave: Rave | None,
    room: Room | None,
    knowledge: Knowledge | None,
    rng: Rng,
    simulations: int,
) -> bool:
    """Grow a tree by so many simulations, or until its root is decided; tell whether it is.

    They end before, too, if the tree is full and is to be pruned.

    Parameters
    ----------
    root
        The state that the tree's root stands for; it stays as it is.
    rave, room, knowledge
        None: without shared statistics, close looks, priors; it is then compiled without, too.
    """
    for _ in range(simulations):
        if is_decided(tree, ROOT):
            break
        if tree.settings.makes_room and is_full(tree):
            tree.progress.lacks_room = 1
            break
        rules.copy(root, tree.state)
        depth = descend(setup, tree, rave, room, knowledge, rng)
        leaf = tree.path[depth]
        evaluate(setup, tree, rave, knowledge, leaf, rng)
        back_up(tree, depth)
        if rave is not None:
            share_rewards(setup, tree, rave, depth)
        if tree.progress.fresh:
            tree.progress.fresh = 0
            back_up_proof(tree, depth)
    if tree.settings.together:
        pass_on_all(tree)
    return is_decided(tree, ROOT)


@compiled(inlined=True)
def descend(
    setup: Setup,
    tree: Tree,
    rave: Rave | None,
    room: Room | None,
    knowledge: Knowledge | None,
    rng: Rng,
) -> int:
    """Play from the root to a leaf, ``path[0 : depth + 1]``; return its depth.

    Where threads search together each node on the way counts at once as visited and lost (a virtual
    loss: Chaslot, Winands, van den Herik: "Parallel Monte-Carlo tree search", CG 2008), so that the
    others look elsewhere; the loss is made good when the simulation is backed up.
    """
    together = tree.settings.together == 1
    if together:
        tree.progress.stake = tree.progress.least
        tree.progress.busy = 0
    depth = 0
    index = ROOT
    tree.path[0] = ROOT
    tree.progress.adviser = -1
    while expand(setup, tree, rave, room, knowledge, index):
        if knowledge is not None:
            consult(setup, tree, rave, knowledge, depth)
        child = select(tree, rave, knowledge, index, rng)
        if child < 0:
            break
        if together:
            if tree.progress.busy == depth and is_busy(tree, child):
                tree.progress.busy = depth + 1
            else:
                count_visit(tree, child, tree.nodes[index].seat, tree.progress.stake)
        index = child
        rules.play(setup, tree.state, tree.move[index])
        depth += 1
        tree.path[depth] = index
    return depth


@compiled(inlined=True)
def count_visit(tree: Tree, index: int, chosen_by: int, reward: float) -> None:
    """Count a simulation that comes to a node; a seat, if one has chosen it, has this reward."""
    visits = tree.visits[index] + 1
    tree.visits[index] = visits
    if chosen_by >= 0:
        tree.mean[index] += (reward - tree.mean[index]) / visits
        tree.width[index] = min(tree.width[index], 1.0 / math.sqrt(visits))


@compiled(inlined=True)
def expand(
    setup: Setup,
    tree: Tree,
    rave: Rave | None,
    room: Room | None,
    knowledge: Knowledge | None,
    index: int,
) -> bool:
    """Give a node its children if it is old enough; tell whether a simulation can go on from it."""
    node = tree.nodes[index]
    if node.closed:
        return False
    if load(node, "children") == 0:
        before = tree.visits[index] - tree.settings.together  # this one is counted already
        if index != ROOT and (node.judged == 0 or before < tree.settings.expand_threshold):
            return False
        if not add_children(setup, tree.state, tree, rave, knowledge, index):
            return False
    if room is not None and deserves_look(tree, index):
        take_look(setup, room, tree, rave, index)
        return not node.closed
    return True


@compiled(inlined=True)
def evaluate(
    setup: Setup,
    tree: Tree,
    rave: Rave | None,
    knowledge: Knowledge | None,
    index: int,
    rng: Rng,
) -> None:
    """Write every seat's reward at a leaf: what is proven, or what a random game brings."""
    node = tree.nodes[index]
    row = load(node, "proof") if load(node, "closed") else 0
    if is_own(tree, row):
        for seat in range(tree.rewards.size):
            tree.rewards[seat] = tree.proofs[row, seat].low
        return
    proven = node.judged == 0 and index != ROOT and is_settled(setup, tree)
    if not proven:
        node.judged = 1
        if rave is not None:
            amaf_playout(setup, tree.state, rng, tree.scores)
        else:
            leaf_value(setup, tree.state, rng, tree.scores)
    to_rewards(tree.scores, tree.settings.margin_cap, tree.settings.margin_weight, tree.rewards)
    if proven:
        close(tree, index)
    elif knowledge is not None:
        blend(tree)


@compiled(inlined=True)
def is_settled(setup: Setup, tree: Tree) -> bool:
    """Tell whether the game is over, or says what best play leads to; write the scores then."""
    if tree.state[TURN] == OVER:
        rules.scores(setup, tree.state, tree.scores)
        return True
    return tree.state[TURN] >= 0 and proven_scores(setup, tree.state, tree.scores)


@compiled(inlined=True)
def back_up(tree: Tree, depth: int) -> None:
    """Add the rewards of the simulation to the nodes on the path to its leaf."""
    progress = tree.progress
    if tree.rewards.size == 1:
        progress.least = min(progress.least, tree.rewards[0])
        progress.greatest = max(progress.greatest, tree.rewards[0])
    progress.simulations += 1
    progress.credit += 1.0
    together = tree.settings.together == 1
    for step in range(depth, 0, -1):
        index = tree.path[step]
        above = tree.path[step - 1]
        seat = tree.nodes[above].seat
        if not together:
            count_visit(tree, index, seat, tree.rewards[max(seat, 0)])
        elif step <= progress.busy:
            keep_visit(tree, index, seat)
        elif seat >= 0:
            tree.mean[index] += (tree.rewards[seat] - progress.stake) / tree.visits[index]
        if seat >= 0:
            reward = tree.rewards[seat]
            if together and step - 1 <= progress.busy:
                keep_choice(tree, above, reward)
            else:
                parent = tree.nodes[above]
                parent.child_visits += 1
                parent.value += (reward - parent.value) / parent.child_visits
    if together:
        keep_visit(tree, ROOT, -1)
    else:
        tree.visits[ROOT] += 1
