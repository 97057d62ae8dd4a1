"""The kernel of Monte-Carlo tree search: simulations that grow a tree in flat arrays.

UCT (Kocsis, Szepesvári: "Bandit based Monte-Carlo planning", ECML 2006; survey: Browne et al.
2012) for any number of seats: a node's value is from the viewpoint of the seat that chose it.
Chance nodes have a child per outcome and draw it by its probability.

Where it matters little when a move is played, statistics can be shared: RAVE (Gelly, Silver:
"Monte-Carlo tree search and rapid action value estimation in computer Go", Artificial Intelligence
175, 2011) also credits a move with the games in which its seat played it later.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import (
    CHANCE,
    OVER,
    TURN,
    Moves,
    Rng,
    Scores,
    Setup,
    State,
    compiled,
    random_below,
    random_unit,
)
from ludograph.search.values import to_rewards

ROOT = 0
UNVISITED = -1e300

USED, PATIENCE = 0, 1
"""Slots of ``counters``: nodes in use; visits after which a node gets its children."""

LOW, HIGH, EXPLORATION, SHARE, LEAST, GREATEST, RAVE = range(7)
"""Slots of ``numbers``: score bounds, the constants of the search, the rewards seen so far, and
the number of visits after which a node's own statistics count as much as the shared ones (0: none
are kept)."""


class Tree(NamedTuple):
    """Nodes as parallel arrays; the children of a node are contiguous and made together."""

    first: npt.NDArray[np.int32]
    """``int32[nodes]``: the first child, 0 without children."""
    children: npt.NDArray[np.int32]
    """``int32[nodes]``: the number of children."""
    tried: npt.NDArray[np.int32]
    """``int32[nodes]``: how many have been tried. They come first; of the others only the move is
    known, the rest is rubbish."""
    turn: npt.NDArray[np.int32]
    """``int32[nodes]``: whose children they are: a seat or ``CHANCE``."""
    move: npt.NDArray[np.int32]
    """``int32[nodes]``: the move or the outcome that leads here."""
    visits: npt.NDArray[np.int32]
    """``int32[nodes]``: simulations that came through."""
    mean: npt.NDArray[np.float64]
    """``float64[nodes]``: the mean of their rewards for the seat that chose the node."""
    width: npt.NDArray[np.float64]
    """``float64[nodes]``: one over the root of the visits, 1 without any."""
    passed: npt.NDArray[np.int32]
    """``int32[nodes]``: simulations that went on to a child."""
    outlook: npt.NDArray[np.float64]
    """``float64[nodes]``: the mean of their rewards for the seat that chooses the child."""
    chance: npt.NDArray[np.float64]
    """``float64[nodes]``: an outcome's probability."""
    path: npt.NDArray[np.int64]
    """``int64[plies]``: the nodes of the simulation under way."""
    state: State
    codes: Moves
    weights: Scores
    """Scratch: ``int32[state_size]``, ``int32[capacity]``, ``float64[capacity]``."""
    scores: Scores
    rewards: Scores
    """Scratch: ``float64[seats]`` each."""
    counters: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.float64]
    shared_visits: npt.NDArray[np.int32]
    shared_value: npt.NDArray[np.float64]
    """``[nodes]`` with RAVE, else empty: as above, for games in which the move came at any time."""


def make_tree(
    setup: Setup, nodes: int, exploration: float, share: float, rave: float = 0.0
) -> Tree:
    """Return an empty tree with room for ``nodes`` nodes, of which memory is used as they come."""
    capacity = int(rules.move_capacity(setup))
    seats = int(rules.seat_count(setup))
    nodes = max(nodes, capacity + 1)
    numbers = np.array([0.0, 0.0, exploration, share, 0.0, 1.0, rave])
    rules.score_bounds(setup, numbers)
    return Tree(
        first=np.empty(nodes, np.int32),
        children=np.empty(nodes, np.int32),
        tried=np.empty(nodes, np.int32),
        turn=np.empty(nodes, np.int32),
        move=np.empty(nodes, np.int32),
        visits=np.empty(nodes, np.int32),
        mean=np.empty(nodes, np.float64),
        width=np.empty(nodes, np.float64),
        passed=np.empty(nodes, np.int32),
        outlook=np.empty(nodes, np.float64),
        chance=np.empty(nodes, np.float64),
        path=np.empty(int(rules.ply_bound(setup)) + 2, np.int64),
        state=np.zeros(int(rules.state_size(setup)), np.int32),
        codes=np.zeros(capacity, np.int32),
        weights=np.zeros(capacity, np.float64),
        scores=np.zeros(seats, np.float64),
        rewards=np.zeros(seats, np.float64),
        counters=np.array([0, 1 + capacity // 40], np.int64),
        numbers=numbers,
        shared_visits=np.empty(nodes if rave else 0, np.int32),
        shared_value=np.empty(nodes if rave else 0, np.float64),
    )


def clear(tree: Tree) -> None:
    """Make a tree of a root without visits."""
    tree.counters[USED] = 1
    add_node(tree, ROOT, -1)
    if tree.scores.size == 1:  # a lone seat's rewards are its scores: their range is learned
        tree.numbers[LEAST] = np.inf
        tree.numbers[GREATEST] = -np.inf


@compiled
def add_node(tree: Tree, node: int, move: int) -> None:
    """Make a node without visits or children."""
    tree.first[node] = 0
    tree.children[node] = 0
    tree.tried[node] = 0
    tree.move[node] = move
    tree.visits[node] = 0
    tree.mean[node] = 0.0
    tree.width[node] = 1.0
    tree.passed[node] = 0
    tree.outlook[node] = 0.0
    if tree.shared_visits.size > 0:
        tree.shared_visits[node] = 0
        tree.shared_value[node] = 0.0


@compiled
def expand(setup: Setup, state: State, tree: Tree, node: int) -> bool:
    """Give a node its children; False when there is no room.

    Usually they are made one by one as they are tried: most never are.
    """
    used = tree.counters[USED]
    if used + tree.codes.size > tree.first.size:
        return False
    count = rules.candidates(setup, state, tree.codes)
    turn = state[TURN]
    tree.first[node] = used
    tree.children[node] = count
    tree.turn[node] = turn
    tree.counters[USED] = used + count
    if turn == CHANCE or tree.shared_visits.size > 0:
        for index in range(count):
            add_node(tree, used + index, tree.codes[index])
        tree.tried[node] = count
    else:
        for index in range(count):
            tree.move[used + index] = tree.codes[index]
    if turn == CHANCE:
        rules.weights(setup, state, tree.weights)
        for index in range(count):
            tree.chance[used + index] = tree.weights[index]
    return True


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
        rules.copy_state(root, state)
        depth = 0
        tree.path[0] = ROOT
        while True:
            node = tree.path[depth]
            if tree.children[node] == 0:
                young = tree.visits[node] < tree.counters[PATIENCE] and depth > 0
                if state[TURN] == OVER or young or not expand(setup, state, tree, node):
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
        if state[TURN] == OVER:
            rules.scores(setup, state, tree.scores)
        elif tree.shared_visits.size > 0:
            rules.full_playout(setup, state, rng, tree.scores)
        else:
            rules.playout(setup, state, rng, tree.scores)
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
