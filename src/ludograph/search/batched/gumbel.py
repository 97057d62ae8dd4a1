"""Gumbel AlphaZero: at the root, sequential halving among moves drawn without replacement.

Danihelka, Guez, Schrittwieser, Silver: "Policy improvement by planning with Gumbel", ICLR 2022. The
evaluator's logit of each move plus a random number of the Gumbel distribution selects the moves
considered at the root; the worse half of them drops out after each phase. Below the root
simulations follow the improved policy: a softmax of the logits plus a term by the values found so
far. With few simulations this policy is a better target than the visits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.rules import Moves, Rng, compiled, random_unit
from ludograph.rules.arrays import softmax
from ludograph.rules.batch import States
from ludograph.search.batched.forest import Simulations
from ludograph.search.mcts.tree import Tree
from ludograph.search.searched import checked_number

Table = npt.NDArray[np.float32]

LEAST_GAP = 1e-300
"""Keeps a logarithm finite."""


class GumbelMemory(NamedTuple):
    """The arrays that the selection in the games of a block reads."""

    noise: npt.NDArray[np.float64]
    """``float64[games, capacity]``: the Gumbel numbers of the moves at the roots."""
    schedule: States
    """``int32[considered + 1, simulations]``: see :func:`visits_schedule`."""
    c_visit: float
    c_scale: float


@dataclass(frozen=True, slots=True)
class Gumbel:
    """The selection of Gumbel AlphaZero.

    Attributes
    ----------
    considered
        The greatest number of moves considered at the root.
    c_visit, c_scale
        The weight of values beside logits: ``(c_visit + N) * c_scale`` times a value from 0, lost,
        to 1, won, where ``N`` are the visits of the child with most visits; equation 8 of the
        paper.
    noise
        The factor of the Gumbel numbers; 0: no noise, for the best play.
    """

    considered: int = 16
    c_visit: float = 50.0
    c_scale: float = 1.0
    noise: float = 1.0

    def __post_init__(self) -> None:
        """Raise InvalidInput if a number is out of its range."""
        if not is_whole(self.considered) or self.considered < 1:
            raise InvalidInput(
                f"considered must be a whole number from 1 on, got {described(self.considered)}"
            )
        checked_number("c_visit", self.c_visit, 0.0, 1e6)
        checked_number("c_scale", self.c_scale, 0.0, 1e6)
        checked_number("noise", self.noise, 0.0, 1e6)

    def allocate(self, games: int, capacity: int, simulations: int) -> GumbelMemory:
        """Return the arrays for some games; ``capacity`` bounds their legal moves."""
        most = min(self.considered, capacity)
        schedule = np.zeros((most + 1, simulations), np.int32)
        for considered in range(1, most + 1):
            schedule[considered] = visits_schedule(considered, simulations)
        noise = np.zeros((games, capacity))
        return GumbelMemory(noise, schedule, float(self.c_visit), float(self.c_scale))


def visits_schedule(considered: int, simulations: int) -> list[int]:
    """Return, for each simulation at the root, the number of visits of the move that it goes to.

    Of the moves with this number of visits, the best one gets the simulation. So all considered
    moves get equally many simulations in the first phase, the better half of them in the next,
    until two are left; the phases have equally many simulations, as far as possible (figure 1 of
    the paper).

    Examples
    --------
    >>> visits_schedule(4, 8)
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    phases = max(1, math.ceil(math.log2(considered)))
    wanted: list[int] = []
    visits, left = 0, considered
    while len(wanted) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            wanted += [visits] * left
            visits += 1
        left = max(min(2, considered), left // 2)
    return wanted[:simulations]


@compiled
def draw_gumbel(tree: Tree, rngs: Rng, scale: float, noise: npt.NDArray[np.float64]) -> None:
    """Write a number of the Gumbel distribution for each child of each root."""
    for game in range(rngs.size):
        for place in range(tree.nodes[game].children):
            gap = -math.log(max(random_unit(rngs[game : game + 1]), LEAST_GAP))
            noise[game, place] = -scale * math.log(max(gap, LEAST_GAP))


@compiled
def select_gumbel(
    tree: Tree, simulations: Simulations, memory: GumbelMemory, game: int, index: int
) -> int:
    """Return the child of a node that a simulation goes to, of equal ones the first; O(children).

    At the root it is the best child with the scheduled number of visits. Below, it is the child
    whose share of the visits is farthest below the improved policy (equation 14 of the paper).
    """
    complete(tree, simulations, memory, game, index)
    node = tree.nodes[index]
    if index == game:
        considered = min(memory.schedule.shape[0] - 1, node.children)
        wanted = memory.schedule[considered, tree.visits[game] - 1]
        return node.first_child + best_with(tree, memory, game, wanted)
    softmax(tree.bounds[: node.children])
    best = 0
    lack = -math.inf
    for place in range(node.children):
        value = tree.bounds[place] - tree.visits[node.first_child + place] / node.child_visits
        if value > lack:
            lack = value
            best = place
    return node.first_child + best


@compiled
def complete(
    tree: Tree, simulations: Simulations, memory: GumbelMemory, game: int, index: int
) -> None:
    """Write into ``tree.bounds`` the logit of each move plus the term by its value.

    The value of a child without visits is estimated from the evaluation of the node and the values
    of the children with visits, weighted by their probabilities (appendix D of the paper).
    """
    node = tree.nodes[index]
    first = node.first_child
    most = 0
    mass = 0.0
    weighted = 0.0
    for child in range(first, first + node.children):
        if tree.visits[child] > 0:
            most = max(most, tree.visits[child])
            probability = math.exp(tree.bias[child])
            mass += probability
            weighted += probability * tree.mean[child]
    mixed = float(tree.evaluations[index, node.seat])
    visits = node.child_visits - 1
    if mass > 0.0:
        mixed = (mixed + visits * weighted / mass) / (1.0 + visits)
    reach = simulations.greatest[game] - simulations.least[game]
    scale = (memory.c_visit + most) * memory.c_scale / reach if reach > 0.0 else 0.0
    for place in range(node.children):
        child = first + place
        value = tree.mean[child] if tree.visits[child] > 0 else mixed
        tree.bounds[place] = tree.bias[child] + scale * (value - simulations.least[game])


@compiled
def best_with(tree: Tree, memory: GumbelMemory, game: int, visits: int) -> int:
    """Return the place of the best child with these visits of a root, after :func:`complete`."""
    node = tree.nodes[game]
    best = 0
    bound = -math.inf
    for place in range(node.children):
        value = memory.noise[game, place] + tree.bounds[place]
        if tree.visits[node.first_child + place] == visits and value > bound:
            bound = value
            best = place
    return best


@compiled
def choose_by_gumbel(
    tree: Tree,
    simulations: Simulations,
    memory: GumbelMemory,
    by_code: bool,
    policy: Table,
    places: Moves,
) -> None:
    """Choose the best of the children with most visits; write the improved policies."""
    for game in range(simulations.roots.shape[0]):
        node = tree.nodes[game]
        complete(tree, simulations, memory, game, game)
        most = 0
        for child in range(node.first_child, node.first_child + node.children):
            most = max(most, tree.visits[child])
        places[game] = best_with(tree, memory, game, most)
        softmax(tree.bounds[: node.children])
        for place in range(node.children):
            action = tree.move[node.first_child + place] if by_code else place
            policy[game, action] = tree.bounds[place]
