"""A simulation in every game: down to a leaf, and, after its evaluation, up again.

The evaluator is called between the two, so a descent stores its path and its leaf in
:class:`~ludograph.search.batched.forest.Simulations`. Outcomes of chance are drawn on the way, by
their probabilities: an evaluator only sees positions in which a seat is to move. Ends of games have
the rewards of the environments of :mod:`ludograph.rl` at once: 1 for the best seat, -1 for the
worst, and for a lone seat its score.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import CHANCE, OVER, TURN, Moves, Setup, State, compiled
from ludograph.rules.batch import AllScores, States
from ludograph.search.batched.forest import Simulations
from ludograph.search.batched.gumbel import GumbelMemory, select_gumbel
from ludograph.search.mcts.expansion import draw_outcome, take_nodes
from ludograph.search.mcts.tree import Tree, add_node, count_choice, count_visit
from ludograph.search.values import reward_ranks

Table = npt.NDArray[np.float32]

LEAST_LOGIT = -1e6
"""The logarithm for a move that the evaluator gives the probability 0."""


@compiled
def descend_all(
    setup: Setup,
    tree: Tree,
    simulations: Simulations,
    memory: GumbelMemory,
    first: int,
) -> int:
    """Go down from the root of each game, from the game ``first`` on.

    Returns
    -------
    int
        The number of games; or the first game for whose descent the forest has no room: enlarge the
        forest and go on from there.
    """
    for game in range(first, simulations.roots.shape[0]):
        if not descend(setup, tree, simulations, memory, game):
            return game
    return simulations.roots.shape[0]


@compiled
def descend(
    setup: Setup,
    tree: Tree,
    simulations: Simulations,
    memory: GumbelMemory,
    game: int,
) -> bool:
    """Go down to a leaf: a node without visits, or the end of the game.

    False, without any change, if there is no room for the outcomes of a chance node.
    """
    state, path = simulations.states[game], simulations.paths[game]
    rng = simulations.rngs[game : game + 1]
    before = rng[0]
    rules.copy(simulations.roots[game], state)
    index = game
    depth = 0
    path[0] = index
    while state[TURN] != OVER:
        if tree.nodes[index].children == 0:
            if state[TURN] != CHANCE:
                break
            if not add_outcomes(setup, tree, state, index):
                rng[0] = before
                return False
        if tree.nodes[index].seat == CHANCE:
            child = draw_outcome(tree, index, rng)
        else:
            child = select_gumbel(tree, simulations, memory, game, index)
        if tree.visits[child] == 0:
            add_node(tree, child)
        rules.play(setup, state, tree.move[child])
        index = child
        depth += 1
        path[depth] = index
    simulations.depth[game] = depth
    simulations.is_terminal[game] = np.int8(state[TURN] == OVER)
    if state[TURN] == OVER:
        rules.scores(setup, state, tree.scores)
        reward_ranks(tree.scores, simulations.rewards[game])
        rules.copy(simulations.roots[game], state)
    return True


@compiled
def add_outcomes(setup: Setup, tree: Tree, state: State, index: int) -> bool:
    """Give a chance node its outcomes as children; False if there is no room."""
    count = rules.legal_moves(setup, state, tree.codes)
    if not add_moves(tree, index, tree.codes, count, CHANCE):
        return False
    rules.weights(setup, state, tree.codes[:count], tree.bounds)
    first = tree.nodes[index].first_child
    for place in range(count):
        add_node(tree, first + place)
        tree.nodes[first + place].chance = tree.bounds[place]
    return True


@compiled
def add_moves(tree: Tree, index: int, moves: Moves, count: int, seat: int) -> bool:
    """Give a node its children; False if there is no room. A seat or chance is to move there."""
    first = take_nodes(tree, None, count)
    if first < 0:
        return False
    node = tree.nodes[index]
    node.first_child = first
    node.seat = seat
    node.children = count
    node.expanded = count
    for place in range(count):
        tree.move[first + place] = moves[place]
        tree.visits[first + place] = 0
    return True


@compiled
def back_up_all(  # noqa: PLR0913  # what was observed and what was answered, by their names
    tree: Tree,
    simulations: Simulations,
    moves: States,
    counts: Moves,
    by_code: bool,
    policy: Table,
    is_logits: bool,
    values: AllScores,
    first: int,
) -> int:
    """Add the evaluator's answers to the trees, from the game ``first`` on.

    Parameters
    ----------
    moves, counts, by_code
        The legal moves of the leaves, as in :class:`~ludograph.rules.observer.Observer`.
    policy, is_logits
        ``float32[games, actions]``, checked: logits or probabilities, not of sum 1 yet.
    values
        ``float64[games, seats]``: from the seat to move on.

    Returns
    -------
    int
        As in :func:`descend_all`.
    """
    for game in range(first, simulations.roots.shape[0]):
        if not simulations.is_terminal[game]:
            leaf = simulations.paths[game, simulations.depth[game]]
            seat = simulations.states[game, TURN]
            if not add_moves(tree, leaf, moves[game], counts[game], seat):
                return game
            set_priors(tree, leaf, policy[game], by_code, is_logits)
            judge_leaf(tree, simulations, game, leaf, seat, values[game])
        back_up(tree, simulations, game)
    return simulations.roots.shape[0]


@compiled
def set_priors(tree: Tree, index: int, policy: Table, by_code: bool, is_logits: bool) -> None:
    """Write the logarithm of the probability of each move of a node; O(children)."""
    node = tree.nodes[index]
    first, count = node.first_child, node.children
    greatest = -math.inf
    for place in range(count):
        logit = float(policy[tree.move[first + place] if by_code else place])
        if not is_logits:
            logit = math.log(logit) if logit > 0.0 else -math.inf
        tree.bounds[place] = logit
        greatest = max(greatest, logit)
    total = 0.0
    for place in range(count):
        total += math.exp(tree.bounds[place] - greatest)
    for place in range(count):
        logit = tree.bounds[place] - greatest
        tree.bias[first + place] = max(logit - math.log(total), LEAST_LOGIT)


@compiled
def judge_leaf(
    tree: Tree, simulations: Simulations, game: int, leaf: int, seat: int, values: rules.Scores
) -> None:
    """Write the evaluator's values of a leaf as the rewards of its simulation."""
    seats = values.size
    rewards = simulations.rewards[game]
    for turn in range(seats):
        rewards[(seat + turn) % seats] = values[turn]
    for each in range(seats):
        tree.evaluations[leaf, each] = rewards[each]
    count_choice(tree, leaf, rewards[seat])


@compiled
def back_up(tree: Tree, simulations: Simulations, game: int) -> None:
    """Add the rewards of a simulation to the nodes on its path."""
    rewards, path = simulations.rewards[game], simulations.paths[game]
    if rewards.size == 1:
        simulations.least[game] = min(simulations.least[game], rewards[0])
        simulations.greatest[game] = max(simulations.greatest[game], rewards[0])
    for step in range(simulations.depth[game], 0, -1):
        above = path[step - 1]
        seat = tree.nodes[above].seat
        count_visit(tree, path[step], seat, rewards[max(seat, 0)])
        if seat >= 0:
            count_choice(tree, above, rewards[seat])
    tree.visits[path[0]] += 1
