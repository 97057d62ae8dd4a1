"""The tree of a Monte-Carlo tree search in flat arrays, in which threads may search together.

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

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Moves, Scores, Setup, State, compiled
from ludograph.search.arrays import kept_apart, make_zeros
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

OUT = 1
"""The rows of ``Tree.proofs`` from here on, one a seat, are for moves that are taken out of nodes
where this seat is to move: whatever bounds they have, the node's do not depend on them."""

PRIOR_WEIGHT = 1.0
"""What the likelihood of a move is multiplied by to be added to its mean, see ``Tree.bias``."""

FIRST_WIDTH, WIDENING = 6.0, 1.0
"""How many moves are considered at first where there are priors, and how many more by the root of
the visits."""

LEAST_PRICE, FIRST_PRICE, GREATEST_PRICE = 10.0, 150.0, 1000.0
"""Simulations that there must be for each close look: where looks settle much, at first, and where
they say nothing."""

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
    ("looked", COUNT),  # 1 if a close look was taken, SETTLED if that has closed it
    ("judged", COUNT),  # 1 if a simulation has ended here: the game is known not to be over
    ("weighed", COUNT),  # whether the game was asked what it is worth, and knew: see ``judging``
]

BOUNDS = [("low", REAL), ("high", REAL)]
"""What a seat is proven to reach, and not to exceed."""

KEPT = [
    ("reward", REAL),  # the sum of the rewards of the seat that chose the node
    ("value", REAL),  # that of the rewards of the seat to move
    ("index", COUNT),  # the node
    ("visits", COUNT),  # simulations that came to it,
    ("rewarded", COUNT),  # those that a seat chose it in,
    ("choices", COUNT),  # and those that went on from it
]
"""What a thread has not passed on yet, see :mod:`ludograph.search.mcts.sharing`."""

SLOTS = 128
"""Nodes of which a thread keeps that."""

SETTINGS = [
    ("exploration", REAL),
    ("margin_weight", REAL),
    ("margin_cap", REAL),
    ("expand_threshold", INTEGER),
    ("least_price", REAL),  # of a close look, in simulations
    ("greatest_price", REAL),
    ("prior_weight", REAL),
    ("judge_threshold", INTEGER),  # of ``Judging``; 0: no node is judged
    ("judge_share", REAL),
    ("judge_weight", REAL),
    ("first_width", REAL),
    ("widening", REAL),
    ("together", INTEGER),  # 1 while several threads search
    ("makes_room", INTEGER),  # 1 while simulations end when the tree is full, for it to be pruned
]
"""The parameters of :class:`ludograph.search.mcts.MonteCarlo`."""

USED = [
    ("nodes", INTEGER),  # how many are in use
    ("proofs", INTEGER),  # how many rows of proofs are
]

PROGRESS = [
    ("simulations", INTEGER),  # how many were made, ever
    ("stake", REAL),  # what the nodes on the path were told in advance, see ``descend``
    ("least", REAL),  # the range of all rewards; a lone seat's is learned
    ("greatest", REAL),
    ("looks", INTEGER),  # close looks taken since the tree was new or was transplanted
    ("credit", REAL),  # simulations since then that no look has been taken for
    ("price", REAL),  # simulations that the next one takes
    ("is_lost", INTEGER),  # 1 if the root is known to be: it is played on without close looks
    ("busy", INTEGER),  # the depth down to which the path's nodes are, see ``sharing``
    ("adviser", INTEGER),  # the deepest node on the path that is judged; -1: none
    ("fresh", INTEGER),  # 1 if the simulation under way has closed a node
    ("lacks_room", INTEGER),  # 1 if simulations have ended because the tree is full
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
    more than one visit; only read by searches with knowledge."""
    proofs: Records
    """``BOUNDS[nodes + 1 + seats, seats]``: see :mod:`ludograph.search.mcts.proofs`."""
    worth: npt.NDArray[np.float32]
    """``float32[nodes, seats]``: every seat's reward as judged."""
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
    kept: Records
    """``KEPT[SLOTS]``"""
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
    info = rules.info(setup)
    capacity, seats = info.move_capacity, info.seats
    nodes = max(nodes, capacity + 1)
    settings = kept_apart(make_records(1, SETTINGS))[0]
    settings.exploration = exploration
    settings.margin_weight = margin_weight
    if margin_cap is None:
        margin_cap = info.highest_score - info.lowest_score
    settings.margin_cap = margin_cap
    if expand_threshold is None:
        expand_threshold = 1 + capacity // 40
    settings.expand_threshold = max(1, expand_threshold)
    settings.least_price = least_price
    settings.greatest_price = greatest_price
    settings.prior_weight = PRIOR_WEIGHT
    settings.first_width = FIRST_WIDTH
    settings.widening = WIDENING
    tree = Tree(
        nodes=make_records(nodes, NODE),
        move=make_zeros(nodes, np.int32),
        visits=make_zeros(nodes, np.int32),
        mean=make_zeros(nodes, np.float64),
        width=make_zeros(nodes, np.float64),
        bias=make_zeros(nodes, np.float32),
        proofs=make_records((nodes + 1 + seats, seats), BOUNDS),
        worth=make_zeros((nodes, seats), np.float32),
        settings=settings,
        used=kept_apart(make_records(1, USED))[0],
        path=np.empty(info.ply_bound + 2, np.int64),
        state=np.zeros(info.state_size, np.int32),
        codes=np.zeros(capacity, np.int32),
        bounds=np.zeros(capacity, np.float64),
        scores=np.zeros(seats, np.float64),
        rewards=np.zeros(seats, np.float64),
        kept=make_records(SLOTS, KEPT),
        progress=make_record(PROGRESS),
    )
    tree = seen_by_another(tree)
    lone = seats == 1
    tree.proofs["low"][0] = -np.inf if lone else 0.0  # row 0 is what is known of every node
    tree.proofs["high"][0] = np.inf if lone else 1.0
    for seat in range(seats):  # no choice goes by these, see ``OUT``
        tree.proofs["low"][OUT + seat] = np.where(np.arange(seats) == seat, -INFINITY, INFINITY)
        others = INFINITY if seats == 2 else -INFINITY
        tree.proofs["high"][OUT + seat] = np.where(np.arange(seats) == seat, -INFINITY, others)
    clear(tree)
    return tree


def seen_by_another(tree: Tree) -> Tree:
    """Return a tree as another thread sees it: the same nodes, beside scratch of its own."""
    own = ("path", "state", "codes", "bounds", "scores", "rewards", "kept")
    scratch = {name: kept_apart(np.zeros_like(getattr(tree, name))) for name in own}
    return tree._replace(**scratch, progress=kept_apart(make_records(1, PROGRESS))[0])


def seen_by_all(tree: Tree, threads: int) -> list[Tree]:
    """Return a tree as each of some threads sees it."""
    return [tree, *(seen_by_another(tree) for _ in range(threads - 1))]


def clear(tree: Tree) -> None:
    """Make a tree of a root without visits."""
    tree.used.nodes = 1
    tree.used.proofs = OUT + tree.scores.size
    lone = tree.scores.size == 1  # its rewards are its scores
    tree.progress.price = min(FIRST_PRICE, tree.settings.greatest_price)
    tree.progress.least = np.inf if lone else 0.0
    tree.progress.greatest = -np.inf if lone else 1.0
    begin(tree)
    tree.nodes[ROOT] = 0
    tree.visits[ROOT] = 0


def take_up(tree: Tree, other: Tree) -> None:
    """Go on with what another thread has come to know of all simulations."""
    begin(tree)
    for name in ("least", "greatest", "price", "is_lost"):
        setattr(tree.progress, name, getattr(other.progress, name))


@compiled
def begin(tree: Tree) -> None:
    """Count from 0."""
    progress = tree.progress
    progress.looks = 0
    progress.credit = 0.0
    progress.is_lost = 0
    progress.fresh = 0
    progress.lacks_room = 0
