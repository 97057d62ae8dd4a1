"""The tree of a Monte-Carlo tree search in flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import CHANCE, TURN, Moves, Scores, Setup, State, compiled
from ludograph.search.hints import candidates
from ludograph.search.memory import make_zeros
from ludograph.search.records import (
    COUNT,
    INTEGER,
    REAL,
    Record,
    Records,
    make_record,
    make_records,
)

ROOT = 0

SETTLED = 2

LEAST_PRICE, FIRST_PRICE, GREATEST_PRICE = 10.0, 150.0, 1000.0
"""Simulations that there must be for each close look: where looks settle much, at first, and where
they say nothing."""

NODE = [
    ("value", REAL),  # the mean reward, for the seat to move, of simulations that went on from here
    ("child_visits", COUNT),  # how many went on
    ("seat", COUNT),  # to move: a seat, or CHANCE
    ("first_child", COUNT),  # the children are contiguous
    ("children", COUNT),  # how many; 0: not looked into yet
    ("expanded", COUNT),  # those visited: they come first, of the others only the move is known
    ("proof", COUNT),  # the row of what is proven, 0 if nothing is
    ("closed", COUNT),  # 1 if that is every seat's exact reward
    ("chance", REAL),  # the probability of an outcome
    ("looked", COUNT),  # 1 if a close look was taken, SETTLED if that has closed it
]

BOUNDS = [("low", REAL), ("high", REAL)]
"""What a seat is proven to reach, and not to exceed."""

SETTINGS = [
    ("exploration", REAL),
    ("margin_weight", REAL),
    ("margin_cap", REAL),
    ("expand_threshold", INTEGER),
    ("least_price", REAL),  # of a close look, in simulations
    ("greatest_price", REAL),
]
"""The parameters of :class:`ludograph.search.mcts.MonteCarlo`."""

PROGRESS = [
    ("nodes", INTEGER),  # how many are in use
    ("proofs", INTEGER),  # how many rows of proofs are
    ("least", REAL),  # the range of all rewards; a lone seat's is learned
    ("greatest", REAL),
    ("looks", INTEGER),  # close looks taken since the tree was new or was transplanted
    ("credit", REAL),  # simulations since then that no look has been taken for
    ("price", REAL),  # simulations that the next one takes
    ("is_lost", INTEGER),  # 1 if the root is known to be: it is played on without close looks
    ("fresh", INTEGER),  # 1 if the simulation under way has closed a node
]


class Tree(NamedTuple):
    """Nodes as parallel arrays: what a node knows of itself, and what it is to its parent."""

    nodes: Records
    """``NODE[nodes]``"""
    move: Moves
    """``int32[nodes]``: the move or the outcome that leads here."""
    visits: npt.NDArray[np.int32]
    """``int32[nodes]``: simulations that came here."""
    mean: npt.NDArray[np.float64]
    """``float64[nodes]``: the mean of their rewards for the seat that chose the node."""
    width: npt.NDArray[np.float64]
    """``float64[nodes]``: what exploration is multiplied by: one over the root of the visits, 1
    without any; 0 if the mean is proven, ``NEVER`` if no simulation need come here."""
    proofs: Records
    """``BOUNDS[nodes + 1, seats]``: see :mod:`ludograph.search.mcts.proofs`."""
    path: npt.NDArray[np.int64]
    """``int64[plies]``: the nodes of the simulation under way."""
    state: State
    codes: Moves
    bounds: Scores
    """Scratch: ``int32[state_size]``, ``int32[capacity]``, ``float64[capacity]``."""
    scores: Scores
    rewards: Scores
    """Scratch: ``float64[seats]`` each."""
    settings: Record
    progress: Record


class Rave(NamedTuple):
    """What moves are worth whenever they are played: statistics beside those of a tree."""

    visits: npt.NDArray[np.int32]
    total: npt.NDArray[np.float64]
    """``[nodes]``: the games in which the seat that chooses the node played its move at any later
    time, and the sum of their rewards."""
    equivalence: float
    """The visits after which a node's own statistics count as much."""


def make_rave(nodes: int, equivalence: float) -> Rave:
    """Return room for the statistics of so many nodes."""
    return Rave(make_zeros(nodes, np.int32), make_zeros(nodes, np.float64), equivalence)


def make_tree(
    setup: Setup,
    nodes: int,
    exploration: float,
    margin_weight: float,
    margin_cap: float | None = None,
    expand_threshold: int | None = None,
    least_price: float = LEAST_PRICE,
    greatest_price: float = GREATEST_PRICE,
) -> Tree:
    """Return an empty tree with room for ``nodes`` nodes, of which memory is used as they come.

    The other parameters are those of :class:`ludograph.search.mcts.MonteCarlo`.
    """
    capacity = int(rules.move_capacity(setup))
    seats = int(rules.seat_count(setup))
    nodes = max(nodes, capacity + 1)
    settings = make_record(SETTINGS)
    settings.exploration = exploration
    settings.margin_weight = margin_weight
    score_bounds = np.zeros(2)
    rules.score_bounds(setup, score_bounds)
    settings.margin_cap = np.ptp(score_bounds) if margin_cap is None else margin_cap
    if expand_threshold is None:
        expand_threshold = 1 + capacity // 40
    settings.expand_threshold = max(1, expand_threshold)
    settings.least_price = least_price
    settings.greatest_price = greatest_price
    tree = Tree(
        nodes=make_records(nodes, NODE),
        move=make_zeros(nodes, np.int32),
        visits=make_zeros(nodes, np.int32),
        mean=make_zeros(nodes, np.float64),
        width=make_zeros(nodes, np.float64),
        proofs=make_records((nodes + 1, seats), BOUNDS),
        path=np.empty(int(rules.ply_bound(setup)) + 2, np.int64),
        state=np.zeros(int(rules.state_size(setup)), np.int32),
        codes=np.zeros(capacity, np.int32),
        bounds=np.zeros(capacity, np.float64),
        scores=np.zeros(seats, np.float64),
        rewards=np.zeros(seats, np.float64),
        settings=settings,
        progress=make_record(PROGRESS),
    )
    lone = seats == 1
    tree.proofs["low"][0] = -np.inf if lone else 0.0  # row 0 is what is known of every node
    tree.proofs["high"][0] = np.inf if lone else 1.0
    clear(tree)
    return tree


def clear(tree: Tree) -> None:
    """Make a tree of a root without visits."""
    tree.progress.nodes = 1
    tree.progress.proofs = 1
    lone = tree.scores.size == 1  # its rewards are its scores
    tree.progress.price = min(FIRST_PRICE, tree.settings.greatest_price)
    tree.progress.least = np.inf if lone else 0.0
    tree.progress.greatest = -np.inf if lone else 1.0
    begin(tree)
    tree.nodes[ROOT] = 0
    tree.visits[ROOT] = 0


@compiled
def begin(tree: Tree) -> None:
    """Count from 0."""
    progress = tree.progress
    progress.looks = 0
    progress.credit = 0.0
    progress.is_lost = 0
    progress.fresh = 0


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
    node.looked = 0
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
    target.visits[place] = source.visits[index]
    target.mean[place] = source.mean[index]
    target.width[place] = source.width[index]


@compiled
def add_children(setup: Setup, state: State, tree: Tree, rave: Rave | None, index: int) -> bool:
    """Give a node its children; False when there is no room.

    Usually they are made one by one as they are visited: most never are.
    """
    first = tree.progress.nodes
    if first + tree.codes.size > tree.move.size:
        return False
    count = candidates(setup, state, tree.codes)
    node = tree.nodes[index]
    node.first_child = first
    node.children = count
    node.seat = state[TURN]
    tree.progress.nodes = first + count
    rules.copy(tree.codes[:count], tree.move[first : first + count])
    if node.seat == CHANCE:
        rules.weights(setup, state, tree.codes[:count], tree.bounds)
        for place in range(count):
            add_node(tree, first + place)
            tree.nodes[first + place].chance = tree.bounds[place]
        node.expanded = count
    elif rave is not None:
        for place in range(count):
            add_node(tree, first + place)
            rave.visits[first + place] = 0
            rave.total[first + place] = 0.0
        node.expanded = count
    return True
