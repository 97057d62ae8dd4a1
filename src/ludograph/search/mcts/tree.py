"""The tree of a Monte Carlo tree search in flat arrays, in which threads may search together.

The threads share all nodes and wait for each other nowhere (after Enzenberger, Müller: "A lock-free
multithreaded Monte-Carlo tree search algorithm", ACG 2009). Statistics are read and written as if
nobody else were there: an update that is lost at times does no harm. What must hold is this:

- Who gives a node children, considers another of them or takes some out holds its ``lock``. Who
  finds it held goes without: the simulation ends there, or goes to a child that is there already.
- A node that a simulation can reach never becomes another position's while threads search.
- What is written before ``children`` or ``expanded`` counts a node, others see who read that count.
- What is proven only grows (:mod:`ludograph.search.mcts.proofs`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Moves, Scores, Setup, State, compiled
from ludograph.search.arrays import kept_apart, make_zeros
from ludograph.search.mcts.hints import LeafEvaluation
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.records import (
    COUNT,
    INTEGER,
    REAL,
    Record,
    Records,
    make_record,
    make_records,
)
from ludograph.search.values import INFINITY

ROOT = 0

SETTLED = 2

EXCLUDED = 1
"""The rows of ``Tree.proofs`` from here on, one a seat, are for moves that are taken out of nodes
where this seat is to move: whatever bounds they have, the node's do not depend on them."""

FIRST_WIDTH, WIDENING = 6.0, 1.0
"""How many moves are considered at first where there are priors, and how many more by the root of
the visits."""

FIRST_PROBE_COST = 30.0
"""Simulations that there must be for the first probe below the root."""

NODE = [
    ("value", REAL),  # the mean reward, for the seat to move, of simulations that went on from here
    ("child_visits", COUNT),  # how many went on
    ("seat", COUNT),  # to move: a seat, or CHANCE
    ("first_child", COUNT),  # the children are contiguous
    ("children", COUNT),  # how many; 0: not looked into yet
    ("expanded", COUNT),  # those considered: they come first, of the others the move is known
    ("proof", COUNT),  # the row of what is proven, 0 if nothing is
    ("closed", COUNT),  # 1 if that is every seat's exact reward
    ("lock", COUNT),  # 1 while a thread changes which children there are
    ("chance", REAL),  # the probability of an outcome
    ("probed", COUNT),  # 1 if the node was probed, SETTLED if that has closed it
    ("was_leaf", COUNT),  # 1 if a simulation has ended here: the game is known not to be over
    ("evaluated", COUNT),  # see ``leaf_evaluation``
]

BOUNDS = [("low", REAL), ("high", REAL)]
"""What a seat is proven to reach, and not to exceed."""

PENDING = [
    ("reward", REAL),  # the sum of the rewards of the seat that chose the node
    ("value", REAL),  # that of the rewards of the seat to move
    ("index", COUNT),  # the node
    ("visits", COUNT),  # simulations that came to it,
    ("rewarded", COUNT),  # those that a seat chose it in,
    ("choices", COUNT),  # and those that went on from it
]
"""What a thread has not written to the tree yet, see :mod:`ludograph.search.mcts.threads`."""

PENDING_SLOTS = 1024
"""Nodes whose results a thread can keep back. Two nodes may need the same slot; with this many
slots they seldom do."""

SETTINGS = [
    ("exploration", REAL),
    ("margin_weight", REAL),
    ("margin_cap", REAL),
    ("expand_threshold", INTEGER),
    ("least_probe_cost", REAL),  # in simulations
    ("greatest_probe_cost", REAL),
    ("prior_weight", REAL),
    ("minimax", INTEGER),  # 1: see ``best_first``
    ("evaluation_threshold", INTEGER),  # of ``LeafEvaluation``; 0: none is evaluated
    ("evaluation_share", REAL),
    ("evaluation_weight", REAL),
    ("first_width", REAL),
    ("widening", REAL),
    ("shared", INTEGER),  # 1 while several threads search
    (
        "stops_when_full",
        INTEGER,
    ),  # 1 while simulations end when the tree is full
]
"""What kernels read of the options, see :class:`ludograph.search.mcts.SearchOptions`."""

USED = [
    ("nodes", INTEGER),  # how many are in use
    ("proofs", INTEGER),  # how many rows of proofs are
]

PROGRESS = [
    ("simulations", INTEGER),  # how many were made, ever
    ("virtual_loss", REAL),  # the reward that nodes on the path have got in advance
    ("least", REAL),  # the range of all rewards; a lone seat's is learned
    ("greatest", REAL),
    ("probes", INTEGER),  # taken since the tree was new or was transplanted
    ("probe_budget", REAL),  # simulations since then that no probe has cost
    ("probe_cost", REAL),  # simulations that the next one takes
    ("is_lost", INTEGER),  # 1 if the root is known to be: it is played on without probes
    ("deferred_depth", INTEGER),  # see ``threads``
    ("next_spare", INTEGER),  # the nodes that one of several threads has taken beforehand:
    ("last_spare", INTEGER),  # from the next one up to this, which is not among them
    ("evaluated_node", INTEGER),  # the deepest one on the path with an evaluation; -1: none
    ("newly_closed", INTEGER),  # 1 if the simulation under way has closed a node
    ("out_of_nodes", INTEGER),  # 1 if simulations have ended because the tree is full
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
    bias: npt.NDArray[np.float32]
    """``float32[nodes]``: what knowledge of the game grants the node above its mean while it has no
    more than one visit, by minimax its value as evaluated; only read by searches with knowledge."""
    proofs: Records
    """``BOUNDS[nodes + 1 + seats, seats]``: see :mod:`ludograph.search.mcts.proofs`."""
    evaluations: npt.NDArray[np.float32]
    """``float32[nodes, seats]``: every seat's reward as evaluated."""
    settings: Record
    used: Record
    """Which nodes and rows are there. Up to here all threads have the same, from here on each its
    own."""
    path: npt.NDArray[np.int64]
    """``int64[plies]``: the nodes of the simulation under way."""
    state: State
    codes: Moves
    bounds: Scores
    """Scratch: ``int32[state_size]``, ``int32[capacity]``, ``float64[capacity]``."""
    scores: Scores
    rewards: Scores
    """Scratch: ``float64[seats]`` each."""
    pending: Records
    """``PENDING[PENDING_SLOTS]``"""
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
    """Return room for the statistics of some nodes."""
    return Rave(make_zeros(nodes, np.int32), make_zeros(nodes, np.float64), equivalence)


def make_tree(
    setup: Setup, options: SearchOptions, leaf_evaluation: LeafEvaluation | None = None
) -> Tree:
    """Return an empty tree, of which memory is used as nodes come."""
    info = rules.info(setup)
    capacity, seats = info.move_capacity, info.seats
    nodes = max(options.nodes, capacity + 1)
    tree = Tree(
        nodes=make_records(nodes, NODE),
        move=make_zeros(nodes, np.int32),
        visits=make_zeros(nodes, np.int32),
        mean=make_zeros(nodes, np.float64),
        width=make_zeros(nodes, np.float64),
        bias=make_zeros(nodes, np.float32),
        proofs=make_records((nodes + 1 + seats, seats), BOUNDS),
        evaluations=make_zeros((nodes, seats), np.float32),
        settings=make_settings(setup, options, leaf_evaluation),
        used=kept_apart(make_records(1, USED))[0],
        path=np.empty(info.ply_bound + 2, np.int64),
        state=np.zeros(info.state_size, np.int32),
        codes=np.zeros(capacity, np.int32),
        bounds=np.zeros(capacity, np.float64),
        scores=np.zeros(seats, np.float64),
        rewards=np.zeros(seats, np.float64),
        pending=make_records(PENDING_SLOTS, PENDING),
        progress=make_record(PROGRESS),
    )
    tree = seen_by_another(tree)
    lone = seats == 1
    tree.proofs["low"][0] = -np.inf if lone else 0.0  # row 0 is what is known of every node
    tree.proofs["high"][0] = np.inf if lone else 1.0
    others = INFINITY if seats == 2 else -INFINITY
    for seat in range(seats):  # no choice goes by these, see ``EXCLUDED``
        is_own = np.arange(seats) == seat
        tree.proofs["low"][EXCLUDED + seat] = np.where(is_own, -INFINITY, INFINITY)
        tree.proofs["high"][EXCLUDED + seat] = np.where(is_own, -INFINITY, others)
    clear(tree)
    return tree


def make_settings(
    setup: Setup, options: SearchOptions, leaf_evaluation: LeafEvaluation | None
) -> Record:
    """Return what kernels read of the options, and of when nodes are evaluated."""
    info = rules.info(setup)
    settings = kept_apart(make_records(1, SETTINGS))[0]
    settings.exploration = options.c
    settings.margin_weight = options.margin_weight
    cap = options.margin_cap
    settings.margin_cap = info.highest_score - info.lowest_score if cap is None else cap
    threshold = options.expand_threshold
    settings.expand_threshold = (
        1 + info.move_capacity // 40 if threshold is None else max(1, threshold)
    )
    settings.least_probe_cost = options.least_probe_cost
    settings.greatest_probe_cost = options.greatest_probe_cost
    settings.prior_weight = options.prior_weight
    settings.minimax = int(options.minimax)
    settings.first_width = FIRST_WIDTH
    settings.widening = WIDENING
    if leaf_evaluation is not None:
        settings.evaluation_threshold = leaf_evaluation.threshold
        settings.evaluation_share = leaf_evaluation.share
        settings.evaluation_weight = leaf_evaluation.weight
    return settings


def seen_by_another(tree: Tree) -> Tree:
    """Return a tree as another thread sees it: the same nodes, beside scratch of its own."""
    own = ("path", "state", "codes", "bounds", "scores", "rewards", "pending")
    scratch = {name: kept_apart(np.zeros_like(getattr(tree, name))) for name in own}
    return tree._replace(**scratch, progress=kept_apart(make_records(1, PROGRESS))[0])


def seen_by_all(tree: Tree, threads: int) -> list[Tree]:
    """Return a tree as each of some threads sees it."""
    return [tree, *(seen_by_another(tree) for _ in range(threads - 1))]


def clear(tree: Tree) -> None:
    """Make a tree of a root without visits."""
    tree.used.nodes = 1
    tree.used.proofs = EXCLUDED + tree.scores.size
    lone = tree.scores.size == 1  # its rewards are its scores
    cost = min(FIRST_PROBE_COST, tree.settings.greatest_probe_cost)
    tree.progress.probe_cost = max(cost, tree.settings.least_probe_cost)
    tree.progress.least = np.inf if lone else 0.0
    tree.progress.greatest = -np.inf if lone else 1.0
    begin(tree)
    tree.nodes[ROOT] = 0
    tree.visits[ROOT] = 0


def take_up(tree: Tree, other: Tree) -> None:
    """Go on with what another thread has come to know of all simulations."""
    begin(tree)
    for name in ("least", "greatest", "probe_cost", "is_lost"):
        setattr(tree.progress, name, getattr(other.progress, name))


@compiled
def begin(tree: Tree) -> None:
    """Count from 0."""
    progress = tree.progress
    progress.probes = 0
    progress.probe_budget = 0.0
    progress.is_lost = 0
    progress.newly_closed = 0
    progress.out_of_nodes = 0
    progress.next_spare = 0
    progress.last_spare = 0


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
    node.lock = 0
    node.probed = 0
    node.was_leaf = 0
    node.evaluated = 0
    tree.visits[index] = 0
    tree.mean[index] = 0.0
    tree.width[index] = 1.0


@compiled(inlined=True)
def count_visit(tree: Tree, index: int, chosen_by: int, reward: float) -> None:
    """Count a simulation that comes to a node; a seat, if one has chosen it, has this reward."""
    visits = tree.visits[index] + 1
    tree.visits[index] = visits
    if chosen_by >= 0:
        tree.mean[index] += (reward - tree.mean[index]) / visits
        tree.width[index] = min(tree.width[index], 1.0 / math.sqrt(visits))


@compiled(inlined=True)
def count_choice(tree: Tree, index: int, reward: float) -> None:
    """Count a simulation that went on from a node, with the reward of the seat to move."""
    node = tree.nodes[index]
    node.child_visits += 1
    node.value += (reward - node.value) / node.child_visits


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
    new.probed = old.probed
    new.was_leaf = old.was_leaf
    new.evaluated = old.evaluated
    if old.evaluated:
        for seat in range(source.scores.size):
            target.evaluations[place, seat] = source.evaluations[index, seat]
    target.visits[place] = source.visits[index]
    target.mean[place] = source.mean[index]
    target.width[place] = source.width[index]
