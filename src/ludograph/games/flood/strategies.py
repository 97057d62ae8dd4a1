"""The strategies of Flood, in addition to the generic searches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.solo import SOLO_STRATEGIES
from ludograph.games.searching import GENERIC, MctsPlayer, net_strategy
from ludograph.games.strategy import Strategy
from ludograph.rules import random_below, random_state
from ludograph.search.mcts import SearchOptions

TUNED = SearchOptions(margin_weight=0.6, margin_cap=40.0)
"""Leaves are estimates: how far ahead a seat is says more than that it is."""


class Greedy:
    """Take the color that gains most vertices; the lowest of several; pass when none is legal."""

    def __init__(self) -> None:
        self.gains: list[int] = []
        self.moves: list[int] = []

    def prepare(self, position: FloodPosition) -> None:
        """Load the kernel that the first move would wait for."""
        position.gains(0)

    def choose(self, position: FloodPosition) -> int:
        """Return the move; O(colors)."""
        self.gains = gains = position.gains(position.turn or 0).tolist()
        self.moves = moves = position.legal_moves()
        return max(moves, key=lambda move: (gains[move] if move < len(gains) else -1, -move))

    def thoughts(self) -> AnalysisInfo:
        """Return what each color gains, the most first."""
        gains = [(move, self.gains[move]) for move in self.moves if move < len(self.gains)]
        gains.sort(key=lambda each: (-each[1], each[0]))
        return AnalysisInfo(
            value=gains[0][1] if gains else 0.0,
            measure="vertices gained",
            moves=tuple(Considered(move, gain) for move, gain in gains),
        )


class Valid:
    """Take any legal color, all equally likely; pass only when none is legal."""

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)

    def prepare(self, position: FloodPosition) -> None:  # noqa: ARG002
        """Load the kernel that the first move would wait for."""
        random_below(self.rng.copy(), 2)

    def choose(self, position: FloodPosition) -> int:
        """Return the move; O(colors)."""
        moves = position.legal_moves()
        colors = [move for move in moves if move < position.setup.color_count]
        return colors[random_below(self.rng, len(colors))] if colors else moves[0]


def _greedy(seed: int) -> Greedy:  # noqa: ARG001
    return Greedy()


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    **SOLO_STRATEGIES,
    "net": net_strategy(Path(__file__).parent),
    "mcts": replace(
        GENERIC["mcts"],
        make=partial(MctsPlayer, tuned=TUNED),
        summary="Monte Carlo tree search with an evaluation of territory",
    ),
    "valid": Strategy("valid", "any legal color; passes only when none is legal", Valid),
    "greedy": Strategy("greedy", "the color that gains most vertices", _greedy),
}
