"""PUCT: the mean of a child, plus a bonus for likely moves with few simulations.

Silver et al.: "A general reinforcement learning algorithm that masters chess, shogi and Go through
self-play", Science 362, 2018 (AlphaZero).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.rules import Moves, Rng, Scores, compiled, random_unit
from ludograph.search.batched.forest import Simulations
from ludograph.search.batched.gumbel import GumbelMemory
from ludograph.search.mcts.tree import Tree
from ludograph.search.searched import checked_number

Table = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Puct:
    """The selection of AlphaZero.

    Attributes
    ----------
    c
        The weight of exploration, see :func:`select_puct`.
    noise, alpha
        The share of noise in the probabilities at the root, 0.25 in AlphaZero's games against
        itself, and the parameter of its Dirichlet distribution: about 10 divided by the number of
        moves.
    """

    c: float = 1.25
    noise: float = 0.0
    alpha: float = 0.3

    def __post_init__(self) -> None:
        """Raise InvalidInput if a number is out of its range."""
        checked_number("c", self.c, 0.0, 1e6)
        checked_number("noise", self.noise, 0.0, 1.0)
        checked_number("alpha", self.alpha, 1e-3, 1e3)

    @property
    def c_puct(self) -> float:
        """The weight of exploration."""
        return float(self.c)

    def allocate(self, games: int, capacity: int, simulations: int) -> None:
        """Return None: PUCT has no arrays for the games."""

    def begin(self, tree: Tree, simulations: Simulations, memory: GumbelMemory | None) -> None:  # noqa: ARG002
        """Add noise; all roots have been evaluated."""
        if self.noise > 0:
            add_noise_all(tree, simulations, float(self.noise), float(self.alpha))

    def choose(
        self,
        tree: Tree,
        simulations: Simulations,
        memory: GumbelMemory | None,  # noqa: ARG002
        temperature: npt.NDArray[np.float64],
        by_code: bool,
        policy: Table,
        places: Moves,
    ) -> None:
        """Write the shares of the visits at the roots, and the places of the chosen moves."""
        choose_by_visits(tree, simulations, temperature, by_code, policy, places)


@compiled
def select_puct(tree: Tree, simulations: Simulations, game: int, index: int, c_puct: float) -> int:
    """Return the child with the greatest upper bound, of equal ones the first; O(children).

    The bound is ``Q + c_puct * P * sqrt(N) / (1 + n)``: ``Q`` is the mean reward, of a child
    without visits that of its parent; ``P`` the probability of the move; ``N`` counts the
    evaluation of the node and the simulations that went on from it, ``n`` those that went to the
    child. A lone seat's rewards are scaled from their range so far to -1 to 1.
    """
    node = tree.nodes[index]
    scale = scale_of(simulations, game)
    reach = c_puct * math.sqrt(node.child_visits)
    best = node.first_child
    bound = -math.inf
    for child in range(node.first_child, node.first_child + node.children):
        visits = tree.visits[child]
        mean = tree.mean[child] if visits > 0 else node.value
        upper = scale * mean + reach * tree.bias[child] / (1.0 + visits)
        if upper > bound:
            bound = upper
            best = child
    return best


@compiled(inlined=True)
def scale_of(simulations: Simulations, game: int) -> float:
    """Return the factor that scales the range of a game's rewards to -1 to 1."""
    reach = simulations.greatest[game] - simulations.least[game]
    return 2.0 / reach if reach > 0.0 else 0.0


@compiled
def add_noise_all(tree: Tree, simulations: Simulations, share: float, alpha: float) -> None:
    """Mix the probabilities at each root with random ones of a Dirichlet distribution."""
    for game in range(simulations.roots.shape[0]):
        node = tree.nodes[game]
        rng = simulations.rngs[game : game + 1]
        total = 0.0
        for place in range(node.children):
            tree.bounds[place] = random_gamma(rng, alpha)
            total += tree.bounds[place]
        for place in range(node.children if total > 0.0 else 0):
            child = node.first_child + place
            tree.bias[child] += share * (tree.bounds[place] / total - tree.bias[child])


@compiled
def random_gamma(rng: Rng, alpha: float) -> float:
    """Return a number of the gamma distribution with a shape of 0 < alpha and the scale 1.

    Marsaglia, Tsang: "A simple method for generating gamma variables", 2000, sections 2 and 6.
    """
    factor = 1.0
    if alpha < 1.0:
        factor = (1.0 - random_unit(rng)) ** (1.0 / alpha)
        alpha += 1.0
    shift = alpha - 1.0 / 3.0
    spread = 1.0 / math.sqrt(9.0 * shift)
    while True:
        normal = random_normal(rng)
        cube = (1.0 + spread * normal) ** 3
        if cube <= 0.0:
            continue
        unit = 1.0 - random_unit(rng)
        if math.log(unit) < 0.5 * normal * normal + shift * (1.0 - cube + math.log(cube)):
            return factor * shift * cube


@compiled
def random_normal(rng: Rng) -> float:
    """Return a number of the standard normal distribution (Box, Muller 1958)."""
    length = math.sqrt(-2.0 * math.log(1.0 - random_unit(rng)))
    return length * math.cos(2.0 * math.pi * random_unit(rng))


@compiled
def choose_by_visits(
    tree: Tree,
    simulations: Simulations,
    temperature: Scores,
    by_code: bool,
    policy: Table,
    places: Moves,
) -> None:
    """Draw a move of each game by ``visits ** (1 / temperature)``; write the shares of the visits.

    With a temperature of 0 it is the move with most visits, of equal ones that with the best mean.
    """
    for game in range(simulations.roots.shape[0]):
        node = tree.nodes[game]
        first, count = node.first_child, node.children
        for place in range(count):
            action = tree.move[first + place] if by_code else place
            policy[game, action] = tree.visits[first + place] / (node.child_visits - 1.0)
        if temperature[game] <= 0.0:
            places[game] = most_visited(tree, game)
            continue
        most = float(tree.visits[first + most_visited(tree, game)])
        total = 0.0
        for place in range(count):
            tree.bounds[place] = (tree.visits[first + place] / most) ** (1.0 / temperature[game])
            total += tree.bounds[place]
        rest = random_unit(simulations.rngs[game : game + 1]) * total
        chosen = most_visited(tree, game)
        for place in range(count):
            rest -= tree.bounds[place]
            if rest < 0.0:
                chosen = place
                break
        places[game] = chosen


@compiled
def most_visited(tree: Tree, index: int) -> int:
    """Return the place of the child with most visits, of equal ones that with the best mean."""
    node = tree.nodes[index]
    first = node.first_child
    best = first
    for child in range(first + 1, first + node.children):
        more = tree.visits[child] - tree.visits[best]
        if more > 0 or (
            more == 0 and tree.visits[child] > 0 and tree.mean[child] > tree.mean[best]
        ):
            best = child
    return best - first
