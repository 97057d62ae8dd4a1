"""The children of a node, and those that it considers; one thread at a time changes them.

If a search weighs moves (:func:`~ludograph.search.mcts.hints.weigh`), a node considers only its
likeliest ones, and more of them with its visits (progressive widening: Coulom, "Computing Elo
ratings of move patterns in the game of Go", 2007); a bonus for the prior is added to a move's mean
and fades with the move's visits (progressive bias: Chaslot et al., "Progressive strategies for
Monte-Carlo tree search", 2008).
"""

from __future__ import annotations

import math

from ludograph import rules
from ludograph.rules import CHANCE, TURN, Setup, State, compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.hints import candidates
from ludograph.search.mcts.hints import LIKELIHOODS, VALUES, MoveKnowledge, weigh
from ludograph.search.mcts.threads import Pending, take_spare
from ludograph.search.mcts.tree import Tree, add_node
from ludograph.search.network.board import GraphNetwork
from ludograph.search.network.forward import predict

FIRST_WIDTH, WIDENING = 6.0, 1.0
"""With priors, the number of moves considered at first, and the further ones per root of the
visits."""


@compiled
def add_children(
    setup: Setup,
    state: State,
    tree: Tree,
    pending: Pending | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    index: int,
) -> bool:
    """Give a node its children; False if there is no room, or if another thread holds its lock.

    Usually a child is made when it is first visited: most children never are.
    """
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return False
    if load(node, "children") == 0:
        make_children(setup, state, tree, pending, knowledge, network, index)
    store(node, "lock", 0)
    return load(node, "children") > 0


@compiled
def make_children(
    setup: Setup,
    state: State,
    tree: Tree,
    pending: Pending | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    index: int,
) -> None:
    """Give a node that this thread has locked its children, if there is room."""
    count = candidates(setup, state, tree.codes)
    first = take_nodes(tree, pending, count)
    if first < 0:
        return
    node = tree.nodes[index]
    node.first_child = first
    node.seat = state[TURN]
    rules.copy(tree.codes[:count], tree.move[first : first + count])
    if node.seat == CHANCE:
        rules.weights(setup, state, tree.codes[:count], tree.bounds)
        for place in range(count):
            add_node(tree, first + place)
            tree.nodes[first + place].chance = tree.bounds[place]
        node.expanded = count
    elif network is not None:
        moves, likelihoods = tree.move[first : first + count], tree.bounds[:count]
        predict(setup, network, state, moves, likelihoods, tree.rewards)
        for place in range(count):
            tree.bias[first + place] = likelihoods[place]
        for seat in range(tree.rewards.size):
            tree.evaluations[index, seat] = tree.rewards[seat]
    elif knowledge is not None:
        set_biases(setup, state, tree, knowledge, first, count)
    store(node, "children", count)  # from now on other threads may go there


@compiled(inlined=True)
def set_biases(
    setup: Setup, state: State, tree: Tree, knowledge: MoveKnowledge, first: int, count: int
) -> None:
    """Write the game's values of the moves of a node (minimax), or else their priors."""
    moves, known = tree.move[first : first + count], tree.bounds[:count]
    wanted, weight = LIKELIHOODS, tree.settings.prior_weight
    if tree.settings.minimax:
        wanted, weight = VALUES, 1.0
    weigh(setup, knowledge, state, moves, wanted, known, tree.rewards)
    for place in range(count):
        tree.bias[first + place] = weight * known[place]


@compiled
def take_nodes(tree: Tree, pending: Pending | None, count: int) -> int:
    """Return the first of a run of unused nodes; -1 if there may be too few."""
    if pending is not None and tree.settings.shared:
        return take_spare(tree, count)
    first = tree.used.nodes
    if first + tree.codes.size > tree.move.size:
        return -1
    tree.used.nodes = first + count
    return first


@compiled(inlined=True)
def widen_with_visits(tree: Tree, index: int) -> None:
    """Let a node consider as many moves as its visits allow."""
    node = tree.nodes[index]
    wanted = min(node.children, int(FIRST_WIDTH + WIDENING * math.sqrt(node.child_visits)))
    while load(node, "expanded") < wanted:
        if not widen(tree, index):
            return


@compiled
def widen(tree: Tree, index: int) -> bool:
    """Let a node consider one move more, the likeliest of the others; O(children).

    False if no move is left, or if another thread holds the lock.
    """
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return False
    is_left = load(node, "expanded") < load(node, "children")
    if is_left:
        consider_likeliest(tree, index)
    store(node, "lock", 0)
    return is_left


@compiled
def consider_likeliest(tree: Tree, index: int) -> None:
    """Consider one move more at a node that this thread has locked and that has moves left."""
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
    if tree.settings.minimax:
        tree.mean[fresh] = bias
    store(node, "expanded", node.expanded + 1)  # from now on other threads may go there
