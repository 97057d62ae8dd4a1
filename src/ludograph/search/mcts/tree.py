"""The tree of a Monte Carlo tree search in flat arrays; several threads may search it.

The threads share all nodes and never wait for each other (after Enzenberger, Müller: "A lock-free
multithreaded Monte-Carlo tree search algorithm", ACG 2009). Threads read and write statistics
without a lock: the loss of an occasional update does no harm. These rules must hold:

- A thread that adds, considers or removes children of a node holds the node's ``lock``. If another
  thread holds the lock, the simulation ends there or goes to an existing child.
- A node that a simulation can reach never becomes another position's while threads search.
- A thread that reads ``children`` or ``expanded`` sees all that was written before this count.
- Proofs are never withdrawn (:mod:`ludograph.search.mcts.proofs`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Moves, Scores, Setup, State, compiled
from ludograph.search.mcts.hints import LeafEvaluation
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.records import (
    COUNT,
    INTEGER,
    REAL,
    Record,
    Records,
    kept_apart,
    make_record,
    make_records,
    make_zeros,
)
from ludograph.search.values import INFINITY

ROOT = 0

SETTLED = 2

EXCLUDED = 1
"""The rows of ``Tree.proofs`` from here on, one a seat, are for moves that are removed from nodes
where this seat is to move: the node's bounds do not depend on theirs."""

FIRST_PROBE_COST = 30.0
"""The simulations for the first probe below the root."""

NODE = [
    ("value", REAL),  # the mean reward, for the seat to move, of simulations that went on from here
    ("child_visits", COUNT),  # how many went on
    ("seat", COUNT),  # to move: a seat, or CHANCE
    ("first_child", COUNT),  # the children are contiguous
    ("children", COUNT),  # their number; 0: not expanded yet
    ("expanded", COUNT),  # those considered, which come first; the others have only a move
    ("proof", COUNT),  # the row of the proven bounds, 0 if there are none
    ("closed", COUNT),  # 1 if the bounds are every seat's exact reward
    ("lock", COUNT),  # 1 while a thread changes which children there are
    ("chance", REAL),  # the probability of an outcome
    ("probed", COUNT),  # 1 if the node was probed, SETTLED if that has closed it
    ("was_leaf", COUNT),  # 1 if a simulation has ended here: the game is known not to be over
    ("evaluated", COUNT),  # see ``leaf_evaluation``
]

BOUNDS = [("low", REAL), ("high", REAL)]
"""The proven lower and upper bound of a seat's reward."""

SETTINGS = [
    ("exploration", REAL),
    ("margin_weight", REAL),
    ("margin_cap", REAL),
    ("expand_threshold", INTEGER),
    ("prior_weight", REAL),
    ("minimax", INTEGER),  # 1: see ``back_up_values``
    ("evaluation_threshold", INTEGER),  # of ``LeafEvaluation``; 0: none is evaluated
    ("evaluation_share", REAL),
    ("evaluation_weight", REAL),
    ("shared", INTEGER),  # 1 while several threads search
]
"""The options that kernels read, see :class:`ludograph.search.mcts.SearchOptions`."""

USED = [
    ("nodes", INTEGER),  # how many are in use
    ("proofs", INTEGER),  # how many rows of proofs are
]

PROGRESS = [
    ("simulations", INTEGER),  # the number of all simulations so far
    ("virtual_loss", REAL),  # the reward that nodes on the path got in advance
    ("least", REAL),  # the range of all rewards; a lone seat's is learned
    ("greatest", REAL),
    ("probes", INTEGER),  # since the tree was new or was transplanted
    ("probe_budget", REAL),  # simulations since then that no probe has used up
    ("probe_cost", REAL),  # simulations that the next one takes
    ("is_lost", INTEGER),  # 1 if the root is known to be lost: no more probes
    ("deferred_depth", INTEGER),  # see ``threads``
    ("next_spare", INTEGER),  # the nodes that one of several threads has taken beforehand:
    ("last_spare", INTEGER),  # from the next one up to this, which is not among them
    ("evaluated_node", INTEGER),  # the deepest one on the path with an evaluation; -1: none
    ("newly_closed", INTEGER),  # 1 if the simulation under way has closed a node
]


BEGUN = (
    *("probes", "probe_budget", "is_lost", "newly_closed"),
    *("next_spare", "last_spare"),
)
"""The progress that every tree begins without."""


class Tree(NamedTuple):
    """Nodes as parallel arrays: a node's own statistics, and those that its parent selects by."""

    nodes: Records
    """``NODE[nodes]``"""
    move: Moves
    """``int32[nodes]``: the move or the outcome that leads here."""
    visits: npt.NDArray[np.int32]
    """``int32[nodes]``: simulations that came here."""
    mean: npt.NDArray[np.float64]
    """``float64[nodes]``: the mean of their rewards for the seat that chose the node."""
    width: npt.NDArray[np.float64]
    """``float64[nodes]``: the factor of the exploration bonus: one over the root of the visits, 1
    without visits; 0 if the mean is proven, ``NEVER`` if no simulation should come here."""
    bias: npt.NDArray[np.float32]
    """``float32[nodes]``: the bonus by the game's knowledge above the node's mean, while it has at
    most one visit; with minimax the evaluation of the node. Only searches with knowledge read
    it."""
    proofs: Records
    """``BOUNDS[nodes + 1 + seats, seats]``: see :mod:`ludograph.search.mcts.proofs`."""
    evaluations: npt.NDArray[np.float32]
    """``float32[nodes, seats]``: every seat's reward by the evaluation."""
    settings: Record
    used: Record
    """The nodes and rows in use. The threads share all fields up to here; each has its own later
    ones."""
    path: npt.NDArray[np.int64]
    """``int64[plies]``: the nodes of the present simulation."""
    state: State
    codes: Moves
    bounds: Scores
    """Scratch: ``int32[state_size]``, ``int32[capacity]``, ``float64[capacity]``."""
    scores: Scores
    rewards: Scores
    """Scratch: ``float64[seats]`` each."""
    progress: Record


def make_tree(
    setup: Setup, options: SearchOptions, leaf_evaluation: LeafEvaluation | None = None
) -> Tree:
    """Return an empty tree; its memory is used only when nodes are added."""
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
        progress=make_record(PROGRESS),
    )
    tree = seen_by_another(tree)
    lone = seats == 1
    tree.proofs["low"][0] = -np.inf if lone else 0.0  # row 0: the bounds of every node
    tree.proofs["high"][0] = np.inf if lone else 1.0
    others = INFINITY if seats == 2 else -INFINITY
    for seat in range(seats):  # no choice depends on these, see ``EXCLUDED``
        is_own = np.arange(seats) == seat
        tree.proofs["low"][EXCLUDED + seat] = np.where(is_own, -INFINITY, INFINITY)
        tree.proofs["high"][EXCLUDED + seat] = np.where(is_own, -INFINITY, others)
    clear(tree)
    return tree


def make_settings(
    setup: Setup, options: SearchOptions, leaf_evaluation: LeafEvaluation | None
) -> Record:
    """Return the options that kernels read, and the visits at which nodes are evaluated."""
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
    settings.prior_weight = options.prior_weight
    settings.minimax = int(options.minimax)
    if leaf_evaluation is not None:
        settings.evaluation_threshold = leaf_evaluation.threshold
        settings.evaluation_share = leaf_evaluation.share
        settings.evaluation_weight = leaf_evaluation.weight
    return settings


def seen_by_another(tree: Tree) -> Tree:
    """Return a tree for another thread: the same nodes, with scratch arrays of its own."""
    own = ("path", "state", "codes", "bounds", "scores", "rewards")
    scratch = {name: kept_apart(np.zeros_like(getattr(tree, name))) for name in own}
    return tree._replace(**scratch, progress=kept_apart(make_records(1, PROGRESS))[0])


def seen_by_all(tree: Tree, threads: int) -> list[Tree]:
    """Return a tree for each of some threads."""
    return [tree, *(seen_by_another(tree) for _ in range(threads - 1))]


def clear(tree: Tree) -> None:
    """Reduce a tree to a root without visits."""
    tree.used.nodes = 1
    tree.used.proofs = EXCLUDED + tree.scores.size
    lone = tree.scores.size == 1  # its rewards are its scores
    tree.progress.probe_cost = FIRST_PROBE_COST
    tree.progress.least = np.inf if lone else 0.0
    tree.progress.greatest = -np.inf if lone else 1.0
    begin(tree)
    tree.nodes[ROOT] = 0
    tree.visits[ROOT] = 0


def take_up(tree: Tree, other: Tree) -> None:
    """Copy another thread's progress over all simulations."""
    begin(tree)
    for name in ("least", "greatest", "probe_cost", "is_lost"):
        setattr(tree.progress, name, getattr(other.progress, name))


def begin(tree: Tree) -> None:
    """Count from 0."""
    for name in BEGUN:
        setattr(tree.progress, name, 0)


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
    """Count a simulation that comes to a node, with the reward of the seat that chose it."""
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
