"""The trees of many games in one set of arrays, and the running simulation of each game.

The nodes are those of :class:`~ludograph.search.mcts.tree.Tree`: node ``i`` is the root of game
``i``. Their fields mean here:

- ``bias`` is the logarithm of a move's probability by the evaluator;
- all children are ``expanded``, in the order of the legal moves; a child without visits has only
  its move and its ``bias``;
- ``value`` and ``child_visits`` count the node's own evaluation with the simulations that went on
  from it; ``evaluations`` has that evaluation alone.

Not used are proofs, locks and deferred updates: an evaluator's values are estimates, and one thread
searches all games of a forest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.rules import Rng, Setup, compiled
from ludograph.rules.batch import AllScores, States
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.mcts.tree import Tree, add_node, make_tree

FIRST_EXPANSIONS = 8
"""The first capacity of a game's tree, in expanded positions with the most moves."""

MOST_NODES = 1 << 31
"""The greatest capacity: indices of children have 32 bits."""


class Simulations(NamedTuple):
    """The present simulation of each game, and the data of a game's search beside its nodes.

    ``depth`` and ``is_terminal`` belong to the last descent.
    """

    roots: States
    """``int32[games, state_size]``"""
    states: States
    """``int32[games, state_size]``: the leaves for the evaluator. A game whose simulation ended at
    the end of the game has its root here: every row is a position to evaluate."""
    paths: npt.NDArray[np.int32]
    """``int32[games, plies]``: the nodes from root to leaf."""
    depth: npt.NDArray[np.int32]
    """``int32[games]``"""
    is_terminal: npt.NDArray[np.int8]
    """``int8[games]``"""
    rewards: AllScores
    """``float64[games, seats]``: the rewards of the simulation."""
    least: npt.NDArray[np.float64]
    greatest: npt.NDArray[np.float64]
    """``float64[games]``: the range of all rewards; a lone seat's is learned."""
    rngs: Rng
    """``uint64[games]``: a generator for each game."""


def make_forest(setup: Setup, games: int) -> Tree:
    """Return a forest for the trees of some games."""
    capacity = int(rules.info(setup).move_capacity)
    return make_tree(setup, SearchOptions(nodes=games * (1 + capacity * FIRST_EXPANSIONS)))


@compiled
def clear_forest(tree: Tree, games: int) -> None:
    """Reduce each game's tree to a root without visits."""
    tree.used.nodes = games
    for game in range(games):
        add_node(tree, game)


def grown(setup: Setup, tree: Tree) -> Tree:
    """Return a forest of the same trees with twice the capacity."""
    nodes = 2 * tree.move.size
    if nodes >= MOST_NODES:
        raise InvalidInput(
            f"the trees of a search have room for {MOST_NODES} moves: "
            "use fewer games or fewer simulations"
        )
    larger = make_tree(setup, SearchOptions(nodes=nodes))
    used = int(tree.used.nodes)
    for name in ("nodes", "move", "visits", "mean", "width", "bias", "evaluations"):
        getattr(larger, name)[:used] = getattr(tree, name)[:used]
    larger.used.nodes = used
    return larger


def make_simulations(setup: Setup, games: int) -> Simulations:
    """Return arrays for the simulations of some games, with the range of rewards of their seats."""
    info = rules.info(setup)
    seats, size = int(info.seats), int(info.state_size)
    return Simulations(
        roots=np.zeros((games, size), np.int32),
        states=np.zeros((games, size), np.int32),
        paths=np.zeros((games, int(info.ply_bound) + 2), np.int32),
        depth=np.zeros(games, np.int32),
        is_terminal=np.zeros(games, np.int8),
        rewards=np.zeros((games, seats), np.float64),
        least=np.full(games, np.inf if seats == 1 else -1.0),
        greatest=np.full(games, -np.inf if seats == 1 else 1.0),
        rngs=np.zeros(games, np.uint64),
    )
