"""Selection of a child: by upper confidence bounds, RAVE, priors, values, PUCT, or by chance.

UCT (Kocsis, Szepesvári: "Bandit based Monte-Carlo planning", ECML 2006; survey: Browne et al.
2012) for any number of seats: a node's value is from the viewpoint of the seat that chose it.

If the time at which a move is played matters little, its statistics can be shared: RAVE (Gelly,
Silver: "Monte-Carlo tree search and rapid action value estimation in computer Go", Artificial
Intelligence 175, 2011) also credits a move with the games in which its seat played it later.
"""

from __future__ import annotations

import math

from ludograph.rules import CHANCE, Rng, Setup, compiled, random_below, random_unit
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.mcts.expansion import widen, widen_with_visits
from ludograph.search.mcts.hints import MoveKnowledge, amaf_owners
from ludograph.search.mcts.tree import Rave, Tree, add_node
from ludograph.search.network.board import GraphNetwork
from ludograph.search.records import Record

UNVISITED = -1e300

UNVISITED_LOSS = 0.1
"""With a network, a move without visits counts as worse than its parent by this amount."""


@compiled(inlined=True)
def select(
    tree: Tree,
    rave: Rave | None,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    index: int,
    rng: Rng,
) -> int:
    """Return the child that a simulation goes to; -1 if another thread holds the node's lock."""
    if tree.nodes[index].seat == CHANCE:
        return draw_outcome(tree, index, rng)
    if network is not None:
        return select_puct(tree, index)
    if knowledge is not None:
        return select_known(tree, rave, knowledge, index)
    if rave is not None:
        return select_rave(tree, rave, None, index)
    return select_uct(tree, index, rng)


@compiled
def draw_outcome(tree: Tree, index: int, rng: Rng) -> int:
    """Return a child of a chance node, by its probability."""
    first = tree.nodes[index].first_child
    last = first + tree.nodes[index].children - 1
    rest = random_unit(rng)
    for child in range(first, last):
        rest -= tree.nodes[child].chance
        if rest < 0.0:
            return child
    return last


@compiled(inlined=True)
def exploration(node: Record, settings: Record, progress: Record) -> float:
    """Return the exploration bonus of a child with one visit."""
    reach = max(progress.greatest - progress.least, 1e-9)
    return settings.exploration * reach * math.sqrt(math.log(node.child_visits + 1.0))


@compiled(inlined=True)
def select_uct(tree: Tree, index: int, rng: Rng) -> int:
    """Return the child with the greatest upper confidence bound; O(children expanded).

    A child without visits counts as visited once with the mean value of its siblings, so that
    among many moves a good one is followed before all have been tried (a form of first-play
    urgency: Gelly, Wang, "Exploration exploitation in Go", 2006).
    """
    node = tree.nodes[index]
    first = node.first_child
    expanded = load(node, "expanded")
    granted = exploration(node, tree.settings, tree.progress)
    best = -1
    bound = UNVISITED
    if expanded < load(node, "children"):
        bound = node.value + granted
    for child in range(first, first + expanded):
        upper = tree.mean[child] + granted * tree.width[child]
        if upper > bound:
            bound = upper
            best = child
    return best if best >= 0 else consider_any(tree, index, rng)


@compiled(inlined=True)
def consider_any(tree: Tree, index: int, rng: Rng) -> int:
    """Consider a random one of a node's other moves, independent of their order; return it.

    -1 if none is left, or if another thread holds the lock.
    """
    node = tree.nodes[index]
    if not swap_if(node, "lock", 0, 1):
        return -1
    expanded, children = load(node, "expanded"), load(node, "children")
    fresh = -1
    if expanded < children:
        fresh = node.first_child + expanded
        other = fresh + random_below(rng, children - expanded)
        move = tree.move[other]
        tree.move[other] = tree.move[fresh]
        add_node(tree, fresh)
        tree.move[fresh] = move
        store(node, "expanded", expanded + 1)  # from now on other threads may go there
    store(node, "lock", 0)
    return fresh


@compiled(inlined=True)
def select_known(tree: Tree, rave: Rave | None, knowledge: MoveKnowledge, index: int) -> int:
    """Return the child with the greatest bound of those considered, knowledge added.

    If that child is closed, the node considers another one.
    """
    node = tree.nodes[index]
    widen_with_visits(tree, rave, index)
    while True:
        if load(node, "expanded") == 0:
            return -1
        if tree.settings.minimax:
            best = select_by_value(tree, index)
        elif rave is not None:
            best = select_rave(tree, rave, knowledge, index)
        else:
            best = select_biased(tree, index)
        if tree.width[best] > 0.0 or not widen(tree, rave, index):
            return best


@compiled(inlined=True)
def select_biased(tree: Tree, index: int) -> int:
    """Return the child with the greatest bound, knowledge added; O(children expanded).

    A child without visits counts as in :func:`select_uct`.
    """
    node = tree.nodes[index]
    granted = exploration(node, tree.settings, tree.progress)
    best = node.first_child
    bound = UNVISITED
    for child in range(node.first_child, node.first_child + load(node, "expanded")):
        mean = tree.mean[child] if tree.visits[child] > 0 else node.value
        upper = mean + (granted + tree.bias[child]) * tree.width[child]
        if upper > bound:
            bound = upper
            best = child
    return best


@compiled(inlined=True)
def select_by_value(tree: Tree, index: int) -> int:
    """Return the child with the greatest bound; each child has a value from the start.

    The bound is ``V + c * sqrt(N) / (1 + n)``, as in :func:`select_puct` with equally likely moves:
    the error of minimax values does not fall with the root of the visits. O(children considered).
    """
    node = tree.nodes[index]
    granted = tree.settings.exploration * math.sqrt(node.child_visits + 1.0)
    best = node.first_child
    bound = UNVISITED
    for child in range(node.first_child, node.first_child + load(node, "expanded")):
        width = tree.width[child]
        bonus = granted / (1.0 + tree.visits[child])
        upper = tree.mean[child] + (bonus if width > 0.0 else width)
        if upper > bound:
            bound = upper
            best = child
    return best


@compiled(inlined=True)
def select_puct(tree: Tree, index: int) -> int:
    """Return the child with the greatest bound, as AlphaZero does; O(children considered).

    The bound is ``Q + c * P * sqrt(N) / (1 + n)``: ``Q`` is the mean reward, ``P`` the move's
    likelihood by the network, ``N`` the simulations that went on from the node, ``n`` those that
    came to the child (Silver et al., Science 362, 2018). A child without visits counts as a little
    worse than its parent. A node considers only its likeliest moves, and more of them with its
    visits.
    """
    node = tree.nodes[index]
    widen_with_visits(tree, None, index)
    while True:
        expanded = load(node, "expanded")
        if expanded == 0:
            return -1
        granted = tree.settings.exploration * math.sqrt(node.child_visits + 1.0)
        best = node.first_child
        bound = UNVISITED
        for child in range(node.first_child, node.first_child + expanded):
            visits, width = tree.visits[child], tree.width[child]
            mean = tree.mean[child] if visits > 0 else node.value - UNVISITED_LOSS
            bonus = granted * tree.bias[child] / (1.0 + visits)
            upper = mean + (bonus if width > 0.0 else width)
            if upper > bound:
                bound = upper
                best = child
        if tree.width[best] > 0.0 or not widen(tree, None, index):
            return best


@compiled(inlined=True)
def select_rave(tree: Tree, rave: Rave, knowledge: MoveKnowledge | None, index: int) -> int:
    """Return the child with the greatest bound, its own and its RAVE mean weighted.

    The weight of the RAVE mean is that of Gelly and Silver, section 4.3: zero without RAVE visits,
    and one half after ``rave.equivalence`` visits of the child, if it has many RAVE visits.
    O(children expanded).
    """
    node = tree.nodes[index]
    first = node.first_child
    last = first + load(node, "expanded")
    granted = exploration(node, tree.settings, tree.progress)
    value = node.value
    bounds = tree.bounds
    means, widths = tree.mean[first:last], tree.width[first:last]
    visits, rave_visits = tree.visits[first:last], rave.visits[first:last]
    totals = rave.total[first:last]
    # Two loops without branches: the compiler vectorizes them.
    for place in range(last - first):
        own = float(visits[place])
        others = float(rave_visits[place])
        mean = means[place] if own > 0.0 else value
        some = max(others, 1.0)
        weight = others / (some + own + some * own / rave.equivalence)
        weight = weight if widths[place] > 0.0 else 0.0  # a proven value needs no guess
        bounds[place] = mean + weight * (totals[place] / some - mean) + granted * widths[place]
    if knowledge is not None:
        biases = tree.bias[first:last]
        for place in range(last - first):
            bounds[place] += biases[place] * widths[place]
    best = 0
    for place in range(1, last - first):
        if bounds[place] > bounds[best]:
            best = place
    return first + best


@compiled
def share_rewards(setup: Setup, tree: Tree, rave: Rave, depth: int) -> None:
    """Credit all children of the nodes on the path with a game in which their seat played them."""
    for step in range(depth + 1):
        node = tree.nodes[tree.path[step]]
        count = load(node, "expanded")
        if count > 0 and node.seat >= 0:
            first = node.first_child
            players = tree.codes[:count]
            amaf_owners(setup, tree.state, tree.move[first : first + count], players)
            visits = rave.visits[first : first + count]
            totals = rave.total[first : first + count]
            seat = node.seat
            reward = tree.rewards[seat]
            for place in range(count):
                played = players[place] == seat
                visits[place] += 1 if played else 0
                totals[place] += reward if played else 0.0
