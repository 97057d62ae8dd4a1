"""What a game knows, as a test has made it."""

from typing import Any

import pytest

from ludograph.search.mcts import GameKnowledge, LeafEvaluation, probes, tree


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


def set_prices(monkeypatch: pytest.MonkeyPatch, least: float, greatest: float) -> None:
    """Let looks cost this number of simulations, in searches that are made and run from now on."""
    monkeypatch.setattr(probes, "LEAST_PROBE_COST", least)
    monkeypatch.setattr(probes, "GREATEST_PROBE_COST", greatest)
    for module in (tree, probes):
        monkeypatch.setattr(module, "FIRST_PROBE_COST", greatest)
