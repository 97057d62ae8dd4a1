"""The children of a node, and those that it considers; the selection of one of them.

One thread at a time changes the children.

If a search weighs moves (:func:`~ludograph.search.mcts.hints.weigh`), a node considers only its
likeliest ones, and more of them with its visits (progressive widening: Coulom, "Computing Elo
ratings of move patterns in the game of Go", 2007); a bonus for the prior is added to a move's mean
and fades with the move's visits (progressive bias: Chaslot et al., "Progressive strategies for
Monte-Carlo tree search", 2008).

A child is selected by upper confidence bounds, priors, values, PUCT, or by chance. UCT (Kocsis,
Szepesvári: "Bandit based Monte-Carlo planning", ECML 2006; survey: Browne et al. 2012) for any
number of seats: a node's value is from the viewpoint of the seat that chose it.
"""

from __future__ import annotations

import math

from ludograph import rules
from ludograph.rules import CHANCE, TURN, Rng, Setup, State, compiled, random_below, random_unit
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.hints import candidates
from ludograph.search.mcts.hints import LIKELIHOODS, VALUES, MoveKnowledge, weigh
from ludograph.search.mcts.threads import Pending, take_spare
from ludograph.search.mcts.tree import Tree, add_node
from ludograph.search.network.forward import GraphNetwork, predict
from ludograph.search.records import Record

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


UNVISITED = -1e300

UNVISITED_LOSS = 0.1
"""With a network, a move without visits counts as worse than its parent by this amount."""


@compiled(inlined=True)
def select(
    tree: Tree,
    knowledge: MoveKnowledge | None,
    network: GraphNetwork | None,
    index: int,
    rng: Rng,
) -> int:
    """Return the child that a simulation goes to; -1 if another thread holds the node's lock."""
    if tree.nodes[index].seat == CHANCE:
        return draw_outcome(tree, index, rng)
    if network is not None or knowledge is not None:
        return select_known(tree, network, index)
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
def select_known(tree: Tree, network: GraphNetwork | None, index: int) -> int:
    """Return the child with the greatest bound of those considered, knowledge added.

    A node considers only its likeliest moves, and more of them with its visits. If the best child
    is closed, it considers another one.
    """
    widen_with_visits(tree, index)
    while True:
        if load(tree.nodes[index], "expanded") == 0:
            return -1
        if network is not None or tree.settings.minimax:
            best = select_puct(tree, network, index)
        else:
            best = select_biased(tree, index)
        if tree.width[best] > 0.0 or not widen(tree, index):
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
def select_puct(tree: Tree, network: GraphNetwork | None, index: int) -> int:
    """Return the child with the greatest bound, as AlphaZero does; O(children considered).

    The bound is ``Q + c * P * sqrt(N) / (1 + n)``: ``Q`` is the mean reward, ``P`` the move's
    likelihood by the network, ``N`` the simulations that went on from the node, ``n`` those that
    came to the child (Silver et al., Science 362, 2018). A child without visits counts as a little
    worse than its parent.

    Values by minimax have all moves equally likely, and a value for each child from the start; such
    a bound fits, because their error does not fall with the root of the visits.
    """
    node = tree.nodes[index]
    granted = tree.settings.exploration * math.sqrt(node.child_visits + 1.0)
    best = node.first_child
    bound = UNVISITED
    for child in range(node.first_child, node.first_child + load(node, "expanded")):
        visits, width = tree.visits[child], tree.width[child]
        mean, likelihood = tree.mean[child], 1.0
        if network is not None:
            likelihood = float(tree.bias[child])
            mean = mean if visits > 0 else node.value - UNVISITED_LOSS
        bonus = granted * likelihood / (1.0 + visits)
        upper = mean + (bonus if width > 0.0 else width)
        if upper > bound:
            bound = upper
            best = child
    return best
