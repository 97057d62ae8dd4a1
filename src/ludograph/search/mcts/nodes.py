"""Nodes of a tree: made, copied, given their children, by one thread at a time."""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import CHANCE, TURN, Setup, State, compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.hints import candidates
from ludograph.search.mcts.hints import Knowledge, priors
from ludograph.search.mcts.tree import Rave, Tree


@compiled
def add_node(tree: Tree, index: int) -> None:
    """Make a node without visits or children."""
    node = tree.nodes[index]
    node.value = 0.0
    node.child_visits = 0
    node.seat = 0
    node.first_child = 0
    node.children = 0
    node.expanded = 0
    node.proof = 0
    node.closed = 0
    node.lock = 0
    node.looked = 0
    node.judged = 0
    node.weighed = 0
    tree.visits[index] = 0
    tree.mean[index] = 0.0
    tree.width[index] = 1.0


@compiled
def copy_statistics(source: Tree, index: int, target: Tree, place: int) -> None:
    """Copy what a node knows of itself and is to its parent; not its move, nor what is proven."""
    old = source.nodes[index]
    new = target.nodes[place]
    new.value = old.value
    new.child_visits = old.child_visits
    new.seat = old.seat
    new.first_child = old.first_child
    new.children = old.children
    new.expanded = old.expanded
    new.closed = old.closed
    new.chance = old.chance
    new.looked = old.looked
    new.judged = old.judged
    new.weighed = old.weighed
    if old.weighed:
        for seat in range(source.scores.size):
            target.worth[place, seat] = source.worth[index, seat]
    target.visits[place] = source.visits[index]
    target.mean[place] = source.mean[index]
    target.width[place] = source.width[index]


@compiled
def add_children(
    setup: Setup,
    state: State,
    tree: Tree,
    rave: Rave | None,
    knowledge: Knowledge | None,
    index: int,
) -> bool:
    """Give a node its children; False when there is no room, or another thread is about it.

    Usually they are made one by one as they are visited: most never are.
    """
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return False
    if load(node, "children") == 0:
        make_children(setup, state, tree, rave, knowledge, index)
    store(node, "lock", 0)
    return load(node, "children") > 0


@compiled
def make_children(
    setup: Setup,
    state: State,
    tree: Tree,
    rave: Rave | None,
    knowledge: Knowledge | None,
    index: int,
) -> None:
    """Give a node that this thread has locked its children, if there is room."""
    if load(tree.used, "nodes") + tree.codes.size > tree.move.size:
        return
    count = candidates(setup, state, tree.codes)
    first = take_nodes(tree, count)
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
    elif knowledge is not None:
        priors(setup, knowledge, state, tree.move[first : first + count], tree.bounds[:count])
        for place in range(count):
            tree.bias[first + place] = tree.settings.prior_weight * tree.bounds[place]
    elif rave is not None:
        for place in range(count):
            add_node(tree, first + place)
            rave.visits[first + place] = 0
            rave.total[first + place] = 0.0
        node.expanded = count
    store(node, "children", count)  # from now on others go there


@compiled(inlined=True)
def is_full(tree: Tree) -> bool:
    """Tell whether there may be too few nodes left for the moves of another position."""
    return bool(load(tree.used, "nodes") + tree.codes.size > tree.move.size)


@compiled
def take_nodes(tree: Tree, count: int) -> int:
    """Return the first of so many nodes that nobody uses yet; -1 if there may be too few."""
    while True:
        first = load(tree.used, "nodes")
        if first + tree.codes.size > tree.move.size:
            return -1
        if swap_if(tree.used, "nodes", first, first + count):
            return first
