"""What a game knows, as a test has made it."""

from typing import Any

from ludograph.search.mcts import GameKnowledge, LeafEvaluation, MonteCarlo
from ludograph.search.mcts.tree import clear


def known(
    *,
    workspace: Any = None,
    moves: Any = None,
    solver: Any = None,
    leaf_evaluation: LeafEvaluation | None = None,
) -> GameKnowledge:
    """Return knowledge with the same memory for every thread; None: there is none of the kind."""
    return GameKnowledge(
        lambda: workspace, lambda: moves, solver=lambda: solver, leaf_evaluation=leaf_evaluation
    )


def set_prices(search: MonteCarlo, least: float, greatest: float) -> None:
    """Let looks cost this number of simulations."""
    for tree in (*search.memory.trees, *(search.memory.spare or ())):
        tree.settings.least_probe_cost, tree.settings.greatest_probe_cost = least, greatest
        clear(tree)
