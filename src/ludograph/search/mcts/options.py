"""The parameters of a Monte Carlo tree search, as one value."""

from __future__ import annotations

from dataclasses import dataclass

EXPLORATION = 0.6
MARGIN_WEIGHT = 0.2
NODES = 1 << 22

PRIOR_WEIGHT = 1.0
"""What the likelihood of a move is multiplied by to be added to its mean, see ``Tree.bias``."""

LEAST_PROBE_COST, GREATEST_PROBE_COST = 3.0, 200.0
"""Simulations that there must be for each probe: where probes settle much, and where they settle
nothing."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search goes on, in any game.

    Attributes
    ----------
    seed
        With a fixed number of simulations and one thread, the same seed finds the same.
    threads
        Threads that grow one tree, see :mod:`ludograph.search.mcts.tree`, each with a random stream
        of its own. With more than one, what is found depends on who comes first: no seed brings it
        again.
    c
        The weight of exploration, in units of the rewards' range.
    margin_weight
        The part of the margin in a reward, see
        :func:`ludograph.search.mcts.leaf_evaluation.to_rewards`.
    margin_cap
        The margin that counts in full, wider ones no more; by default what the bounds of the
        scores allow, which is far more than ever happens in some games.
    nodes
        Room for nodes in the tree. When it is used up the tree stays as it is, and simulations
        go on from its leaves; with ``reuse``, what is seldom visited makes room for more.
    reuse
        Whether a search starts from what the one before found out about its state; it then must
        be a later one of the same game. Takes the memory twice.
    rave
        0, or the visits after which a move's own statistics count as much as those shared with
        other positions, see :func:`ludograph.search.mcts.selection.select_rave`; only of use in
        games that tell :func:`ludograph.search.mcts.hints.amaf_owners`. Each thread has its own.
    expand_threshold
        The visits before a node gets children; by default more in games of many moves.
    prior_weight
        What a move without visits gains by what the game knows of it
        (:func:`ludograph.search.mcts.hints.priors`): the likelihood that it is the best one, times
        this, is added to its mean, and fades as exploration does.
    minimax
        Whether a node is worth what its best child is instead of the mean of its simulations, see
        :mod:`ludograph.search.mcts.best_first`: for games of two seats without chance whose
        knowledge tells :func:`ludograph.search.mcts.hints.move_values`.
    least_probe_cost, greatest_probe_cost
        How many simulations there must be for each probe of a position
        (:mod:`ludograph.search.mcts.probes`): where probes settle much, where they settle nothing.
    """

    seed: int = 0
    threads: int = 1
    c: float = EXPLORATION
    margin_weight: float = MARGIN_WEIGHT
    margin_cap: float | None = None
    nodes: int = NODES
    reuse: bool = False
    rave: float = 0.0
    expand_threshold: int | None = None
    prior_weight: float = PRIOR_WEIGHT
    minimax: bool = False
    least_probe_cost: float = LEAST_PROBE_COST
    greatest_probe_cost: float = GREATEST_PROBE_COST
