"""Monte Carlo tree search: each simulation selects, expands, evaluates and backs up.

A simulation descends from the root to a leaf: each seat in turn selects its most promising child,
and chance draws an outcome. The simulation may expand the leaf. It evaluates one position there by
a random game, and backs the rewards up to all nodes on its path. Proven rewards are stored and not
simulated again (:mod:`ludograph.search.mcts.proofs`). :mod:`ludograph.search.mcts.threads` is the
support for several threads.

By minimax a node has the value of its best child. Random games need a mean over simulations. If a
game evaluates positions itself (:func:`~ludograph.search.mcts.hints.weigh`), each child has a value
as soon as it is created, and later the value of its own best child: minimax, in a tree that grows
along good moves (Korf, Chickering: "Best-first minimax search", Artificial Intelligence 84, 1996).
The exploration bonus ensures that no single line takes all of the time.

Two seats share a reward of 1. The search compares values of different depths, so the values of
positions before and after a good move must be the same on average.
"""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import CHANCE, OVER, TURN, Rng, Setup, State, compiled
from ludograph.rules.atomic import load
from ludograph.search.hints import proven_scores
from ludograph.search.mcts.expansion import add_children, select
from ludograph.search.mcts.hints import MoveKnowledge, Workspace, leaf_value
from ludograph.search.mcts.leaf_evaluation import blend, evaluate_when_due, to_rewards
from ludograph.search.mcts.probes import is_due, probe_node
from ludograph.search.mcts.proofs import back_up_proof, close, is_decided, is_own
from ludograph.search.mcts.threads import Pending, add_virtual_loss, back_up_shared, begin_descent
from ludograph.search.mcts.tree import ROOT, Tree, count_choice, count_visit
from ludograph.search.network.forward import GraphNetwork, predict
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


@compiled
def simulate(  # noqa: PLR0913  # what a search may be compiled with, by its names
    setup: Setup,
    root: State,
    tree: Tree,
    pending: Pending | None,
    workspace: Workspace | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    rng: Rng,
    simulations: int,
) -> bool:
    """Run simulations until their number is reached or the root is decided; return whether it is.

    Parameters
    ----------
    root
        The state of the tree's root; it is not changed.
    pending, workspace, knowledge, network
        None: no other threads, probes, priors or network, and no compiled code for them.
    """
    for _ in range(simulations):
        if is_decided(tree, ROOT):
            break
        rules.copy(root, tree.state)
        depth = descend(setup, tree, pending, workspace, knowledge, network, rng)
        evaluate(setup, tree, pending, knowledge, network, tree.path[depth], rng)
        back_up(tree, pending, knowledge, depth)
        if tree.progress.newly_closed:
            tree.progress.newly_closed = 0
            back_up_proof(tree, depth)
    return is_decided(tree, ROOT)


@compiled(inlined=True)
def descend(
    setup: Setup,
    tree: Tree,
    pending: Pending | None,
    workspace: Workspace | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    rng: Rng,
) -> int:
    """Play from the root to a leaf, ``path[0 : depth + 1]``; return its depth."""
    if pending is not None:
        begin_descent(tree)
    depth = 0
    index = ROOT
    tree.path[0] = ROOT
    tree.progress.evaluated_node = -1
    while expand(setup, tree, pending, workspace, knowledge, network, index):
        if knowledge is not None:
            evaluate_when_due(setup, tree, knowledge, depth)
        child = select(tree, knowledge, network, index, rng)
        if child < 0:
            break
        if pending is not None and tree.settings.shared:
            add_virtual_loss(tree, depth, child)
        index = child
        rules.play(setup, tree.state, tree.move[index])
        depth += 1
        tree.path[depth] = index
    return depth


@compiled(inlined=True)
def expand(
    setup: Setup,
    tree: Tree,
    pending: Pending | None,
    workspace: Workspace | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    index: int,
) -> bool:
    """Expand a node with enough visits; return whether a simulation can go on from it."""
    node = tree.nodes[index]
    if node.closed:
        return False
    if load(node, "children") == 0:
        if index != ROOT and (node.was_leaf == 0 or not has_enough_visits(tree, index)):
            return False
        if not add_children(setup, tree.state, tree, pending, knowledge, network, index):
            return False
    if workspace is not None and is_due(tree, index):
        probe_node(setup, workspace, tree, index)
        return not node.closed
    return True


@compiled(inlined=True)
def has_enough_visits(tree: Tree, index: int) -> bool:
    """Tell whether a node gets children: the fuller the tree is, the more visits it needs.

    The number needed is the threshold divided by the part of the tree that is free, rounded down.
    So the tree of a long search goes on growing where most simulations go.
    """
    before = tree.visits[index] - tree.settings.shared  # without the present simulation
    size = tree.move.size
    return bool((before + 1) * (size - tree.used.nodes) > tree.settings.expand_threshold * size)


@compiled(inlined=True)
def evaluate(
    setup: Setup,
    tree: Tree,
    pending: Pending | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    index: int,
    rng: Rng,
) -> None:
    """Write every seat's reward at a leaf: proven, from a network, or from a random game."""
    node = tree.nodes[index]
    row = load(node, "proof") if load(node, "closed") else 0
    if is_own(tree, row):
        for seat in range(tree.rewards.size):
            tree.rewards[seat] = tree.proofs[row, seat].low
        return
    proven = node.was_leaf == 0 and index != ROOT and is_settled(setup, tree)
    if not proven:
        node.was_leaf = 1
        if is_best_first(tree, knowledge):
            return  # it was evaluated with its siblings
        if network is not None and ask_network(
            setup, tree, pending, knowledge, network, index, rng
        ):
            return
        leaf_value(setup, tree.state, rng, tree.scores)
    to_rewards(tree.scores, tree.settings.margin_cap, tree.settings.margin_weight, tree.rewards)
    if proven:
        close(tree, index)
    elif knowledge is not None:
        blend(tree)


@compiled
def ask_network(  # as in simulate
    setup: Setup,
    tree: Tree,
    pending: Pending | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork,
    index: int,
    rng: Rng,
) -> bool:
    """Write a network's rewards of a leaf, and expand it if there is room for its children.

    At a chance node the network evaluates the position after one outcome, drawn by probability;
    False if no seat is to move then.
    """
    if tree.state[TURN] == CHANCE:
        rules.play(setup, tree.state, rules.sample_move(setup, tree.state, rng))
        if tree.state[TURN] < 0:
            return False
    elif add_children(setup, tree.state, tree, pending, knowledge, network, index):
        for seat in range(tree.rewards.size):
            tree.rewards[seat] = tree.evaluations[index, seat]
        return True
    predict(setup, network, tree.state, tree.codes[:0], tree.bounds[:0], tree.rewards)
    return True


@compiled(inlined=True)
def is_settled(setup: Setup, tree: Tree) -> bool:
    """Tell whether the game is over or its best result is proven; then write the scores."""
    if tree.state[TURN] == OVER:
        rules.scores(setup, tree.state, tree.scores)
        return True
    return tree.state[TURN] >= 0 and proven_scores(setup, tree.state, tree.scores)


@compiled(inlined=True)
def back_up(
    tree: Tree, pending: Pending | None, knowledge: MoveKnowledge | None, depth: int
) -> None:
    """Add the rewards of the simulation to the nodes on the path to its leaf."""
    progress = tree.progress
    if tree.rewards.size == 1:
        progress.least = min(progress.least, tree.rewards[0])
        progress.greatest = max(progress.greatest, tree.rewards[0])
    progress.simulations += 1
    progress.probe_budget += 1.0
    if is_best_first(tree, knowledge):
        back_up_values(tree, depth)
        return
    if pending is not None and tree.settings.shared:
        back_up_shared(tree, pending, depth)
        return
    for step in range(depth, 0, -1):
        above = tree.path[step - 1]
        seat = tree.nodes[above].seat
        count_visit(tree, tree.path[step], seat, tree.rewards[max(seat, 0)])
        if seat >= 0:
            count_choice(tree, above, tree.rewards[seat])
    tree.visits[ROOT] += 1
