"""The tree of a Monte-Carlo tree search in flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import (
    CHANCE,
    TURN,
    Moves,
    Scores,
    Setup,
    State,
    compiled,
)

ROOT = 0

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
    setup: Setup,
    nodes: int,
    exploration: float,
    share: float,
    rave: float = 0.0,
    spread: float | None = None,
    patience: int | None = None,
) -> Tree:
    """Return an empty tree with room for ``nodes`` nodes, of which memory is used as they come.

    The other parameters are those of :class:`ludograph.search.mcts.MonteCarlo`.
    """
    capacity = int(rules.move_capacity(setup))
    seats = int(rules.seat_count(setup))
    nodes = max(nodes, capacity + 1)
    numbers = np.array([0.0, 0.0, exploration, share, 0.0, 1.0, rave])
    rules.score_bounds(setup, numbers)
    if spread is not None:
        numbers[LOW], numbers[HIGH] = 0.0, spread
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
        counters=np.array([0, 1 + capacity // 40 if patience is None else patience], np.int64),
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
        rules.weights(setup, state, tree.codes[:count], tree.weights)
        for index in range(count):
            tree.chance[used + index] = tree.weights[index]
    return True
