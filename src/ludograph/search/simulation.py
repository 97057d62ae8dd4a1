"""The kernel of Monte-Carlo tree search: simulations that grow a tree.

UCT (Kocsis, Szepesvári: "Bandit based Monte-Carlo planning", ECML 2006; survey: Browne et al.
2012) for any number of seats: a node's value is from the viewpoint of the seat that chose it.
Chance nodes have a child per outcome and draw it by its probability.

Where it matters little when a move is played, statistics can be shared: RAVE (Gelly, Silver:
"Monte-Carlo tree search and rapid action value estimation in computer Go", Artificial Intelligence
175, 2011) also credits a move with the games in which its seat played it later.
"""

from __future__ import annotations

import math

import numpy as np

from ludograph import rules
from ludograph.rules import (
    CHANCE,
    OVER,
    TURN,
    Rng,
    Setup,
    State,
    compiled,
    random_below,
    random_unit,
)
from ludograph.search.tree import (
    EXPLORATION,
    GREATEST,
    LEAST,
    PATIENCE,
    RAVE,
    ROOT,
    SHARE,
    Tree,
    add_node,
    expand,
)
from ludograph.search.values import to_rewards

UNVISITED = -1e300


@compiled
def draw_outcome(tree: Tree, node: int, rng: Rng) -> int:
    """Return a child of a chance node, by its probability."""
    first = tree.first[node]
    last = first + tree.children[node] - 1
    rest = random_unit(rng)
    for child in range(first, last):
        rest -= tree.chance[child]
        if rest < 0.0:
            return child
    return last


@compiled
def exploration(tree: Tree, node: int) -> float:
    """Return what a child with one visit is granted above its mean."""
    width = max(tree.numbers[GREATEST] - tree.numbers[LEAST], 1e-9)
    return tree.numbers[EXPLORATION] * width * math.sqrt(math.log(tree.passed[node] + 1.0))


@compiled
def choose_child(tree: Tree, node: int, rng: Rng) -> int:
    """Return the child with the greatest upper confidence bound; O(children tried).

    A child without visits counts as visited once with the mean value of its siblings, so that
    among many moves a good one is followed before all have been tried (a form of first-play
    urgency: Gelly, Wang, "Exploration exploitation in Go", 2006).
    """
    first = tree.first[node]
    tried = tree.tried[node]
    best = -1
    bound = UNVISITED
    spread = exploration(tree, node)
    if tried < tree.children[node]:
        bound = tree.outlook[node] + spread
    if tried > 0:
        for child in range(first, first + tried):
            here = tree.mean[child] + spread * tree.width[child]
            if here > bound:
                bound = here
                best = child
    if best < 0:
        # Any of the others, so that no move is favored for its place.
        best = first + tried
        other = best + random_below(rng, tree.children[node] - tried)
        move = tree.move[other]
        tree.move[other] = tree.move[best]
        add_node(tree, best, move)
        tree.tried[node] = tried + 1
    return best


@compiled
def choose_shared(tree: Tree, node: int) -> int:
    """Return the child with the greatest bound, its own and its shared mean weighted; O(children).

    The weight of the shared one is that of Gelly and Silver, section 4.3: nothing without shared
    visits, one half after as many visits of its own as ``numbers[RAVE]`` says, if both abound.
    """
    first = tree.first[node]
    last = first + tree.children[node]
    spread = exploration(tree, node)
    outlook = tree.outlook[node]
    rave = tree.numbers[RAVE]
    bounds = tree.weights
    means, widths = tree.mean[first:last], tree.width[first:last]
    visits, all_shared = tree.visits[first:last], tree.shared_visits[first:last]
    values = tree.shared_value[first:last]
    # Two loops without branches, which the compiler turns into several children a step.
    for index in range(last - first):
        own = float(visits[index])
        shared = float(all_shared[index])
        mean = means[index] if own > 0.0 else outlook
        some = max(shared, 1.0)
        weight = shared / (some + own + some * own / rave)
        bounds[index] = mean + weight * (values[index] / some - mean) + spread * widths[index]
    best = 0
    for index in range(1, last - first):
        if bounds[index] > bounds[best]:
            best = index
    return first + best


@compiled
def share_rewards(setup: Setup, state: State, tree: Tree, depth: int) -> None:
    """Credit all children of the nodes on the path with a game in which their seat played them."""
    for step in range(depth + 1):
        node = tree.path[step]
        seat = tree.turn[node]
        count = tree.children[node]
        if count > 0 and seat >= 0:
            first = tree.first[node]
            players = tree.codes[:count]
            rules.players_of(setup, state, tree.move[first : first + count], players)
            visits = tree.shared_visits[first : first + count]
            values = tree.shared_value[first : first + count]
            reward = tree.rewards[seat]
            for index in range(count):
                played = players[index] == seat
                visits[index] += 1 if played else 0
                values[index] += reward if played else 0.0


@compiled
def simulate(setup: Setup, root: State, tree: Tree, rng: Rng, simulations: int) -> None:
    """Walk down the tree, grow it by a node, play at random to the end, walk back up; so often.

    Parameters
    ----------
    root
        The state that the tree's root stands for; it stays as it is.
    """
    state = tree.state
    for _ in range(simulations):
        rules.copy(root, state)
        depth = 0
        settled = False
        tree.path[0] = ROOT
        while True:
            node = tree.path[depth]
            if tree.children[node] == 0:
                young = tree.visits[node] < tree.counters[PATIENCE] and depth > 0
                if state[TURN] >= 0 and depth > 0:
                    settled = rules.settle(setup, state, tree.scores)
                if state[TURN] == OVER or settled or young or not expand(setup, state, tree, node):
                    break
            if tree.turn[node] == CHANCE:
                node = draw_outcome(tree, node, rng)
            elif tree.shared_visits.size > 0:
                node = choose_shared(tree, node)
            else:
                node = choose_child(tree, node, rng)
            # All callers of a rule pass one type of integer: each type would be compiled apart.
            rules.play(setup, state, int(np.int64(tree.move[node])))
            depth += 1
            tree.path[depth] = node
        if settled:
            pass
        elif state[TURN] == OVER:
            rules.scores(setup, state, tree.scores)
        elif tree.shared_visits.size > 0:
            rules.full_playout(setup, state, rng, tree.scores)
        else:
            rules.assess(setup, state, rng, tree.scores)
        back_up(tree, depth)
        if tree.shared_visits.size > 0:
            share_rewards(setup, state, tree, depth)


@compiled
def back_up(tree: Tree, depth: int) -> None:
    """Add the rewards of the game just played to the nodes on the path to its leaf."""
    to_rewards(tree.scores, tree.numbers, tree.numbers[SHARE], tree.rewards)
    if tree.scores.size == 1:
        tree.numbers[LEAST] = min(tree.numbers[LEAST], tree.rewards[0])
        tree.numbers[GREATEST] = max(tree.numbers[GREATEST], tree.rewards[0])
    tree.visits[ROOT] += 1
    for step in range(depth, 0, -1):
        node = tree.path[step]
        parent = tree.path[step - 1]
        tree.visits[node] += 1
        seat = tree.turn[parent]
        if seat >= 0:
            reward = tree.rewards[seat]
            tree.mean[node] += (reward - tree.mean[node]) / tree.visits[node]
            tree.width[node] = 1.0 / math.sqrt(tree.visits[node])
            tree.passed[parent] += 1
            tree.outlook[parent] += (reward - tree.outlook[parent]) / tree.passed[parent]
