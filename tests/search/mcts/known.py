"""What a game knows, as a test has made it."""

from typing import Any

from ludograph.search.mcts import GameKnowledge, LeafEvaluation


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
