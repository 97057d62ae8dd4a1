"""The parameters of a Monte Carlo tree search, as one value."""

from __future__ import annotations

from dataclasses import dataclass

EXPLORATION = 0.6
MARGIN_WEIGHT = 0.2
NODES = 1 << 22

PRIOR_WEIGHT = 1.0
"""The factor of a move's likelihood in the bonus on its mean, see ``Tree.bias``."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The parameters of a search, in any game.

    Attributes
    ----------
    seed
        With a fixed number of simulations and one thread, the same seed gives the same result.
    threads
        Threads that grow one tree, see :mod:`ludograph.search.mcts.tree`, each with a random stream
        of its own. With more than one, the result depends on the order of the threads: no seed
        reproduces it.
    c
        The weight of exploration, in units of the rewards' range.
    margin_weight
        The share of the margin in a reward, see
        :func:`ludograph.search.mcts.leaf_evaluation.to_rewards`.
    margin_cap
        The margin that counts in full, wider ones the same; by default the greatest that the bounds
        of the scores allow, in some games far more than ever happens.
    nodes
        The capacity of the tree in nodes. The fuller the tree is, the more visits a node needs
        before it gets children.
    reuse
        Whether a search starts from the useful part of the last tree; its state must then be a
        later one of the same game. Needs the memory twice.
    expand_threshold
        The visits before a node gets children; by default more in games of many moves.
    prior_weight
        The weight of the game's priors (:func:`ludograph.search.mcts.hints.weigh`): the likelihood
        that a move is the best one, times this, is added to its mean, and fades as exploration
        does.
    minimax
        Whether a node has the value of its best child instead of the mean of its simulations, see
        :mod:`ludograph.search.mcts.search`: for games of two seats without chance with
        values of moves (:func:`ludograph.search.mcts.hints.weigh`).
    """

    seed: int = 0
    threads: int = 1
    c: float = EXPLORATION
    margin_weight: float = MARGIN_WEIGHT
    margin_cap: float | None = None
    nodes: int = NODES
    reuse: bool = False
    expand_threshold: int | None = None
    prior_weight: float = PRIOR_WEIGHT
    minimax: bool = False
