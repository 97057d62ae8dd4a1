"""The strategies of Flood, in addition to the generic searches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.flood.compact import CompactSetup, to_compact
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.solo import SOLO_STRATEGIES
from ludograph.games.flood.solving import ExactSolver
from ludograph.games.search_view import SearchView
from ludograph.games.searching import GENERIC, mcts_options
from ludograph.games.strategy import Strategy
from ludograph.rules import State, random_below, random_state
from ludograph.search.mcts import EXPLORATION, GameKnowledge, SearchOptions

MIXED = SearchOptions(margin_weight=0.6, margin_cap=40.0)
"""The options for games whose leaves are evaluated by random games."""

MARGIN_WEIGHT, EXPLORATION_FOR_TWO = 0.9, 0.06
"""The options for leaves evaluated by territory. Such values are estimates, so the margin says more
than the winner. The reward grows with the margin up to half of the board; so one vertex is a small
part of a reward, and the weight of exploration is small."""


class CompactView(SearchView):
    """Compact states, with leaves evaluated by territory and the exact solver beside the search."""

    setup: CompactSetup

    def __init__(self, setup: CompactSetup) -> None:
        cap = setup.base.region_of.size / 2
        options = SearchOptions(c=EXPLORATION_FOR_TWO, margin_weight=MARGIN_WEIGHT, margin_cap=cap)
        super().__init__(setup, GameKnowledge(solver=partial(ExactSolver, setup)), options)

    def state(self, position: FloodPosition) -> State:
        """Return the compact state of a position."""
        return to_compact(self.setup, position.state)


class Greedy:
    """The strategy that plays the color with the most gain, the lowest of equal ones.

    It passes only if no color is legal.
    """

    def __init__(self) -> None:
        self.gains: list[int] = []
        self.moves: list[int] = []

    def prepare(self, position: FloodPosition) -> None:
        """Load the kernels of :meth:`choose`, so that the first move does not wait for them."""
        position.gains(0)

    def choose(self, position: FloodPosition) -> int:
        """Return the move of the seat to move; O(colors)."""
        self.gains = gains = position.gains(position.turn or 0).tolist()
        self.moves = moves = position.legal_moves()
        return max(moves, key=lambda move: (gains[move] if move < len(gains) else -1, -move))

    def thoughts(self) -> AnalysisInfo:
        """Return the gain of each legal color at the last move, the greatest first."""
        gains = [(move, self.gains[move]) for move in self.moves if move < len(self.gains)]
        gains.sort(key=lambda each: (-each[1], each[0]))
        return AnalysisInfo(
            value=gains[0][1] if gains else 0.0,
            measure="cells gained",
            moves=tuple(Considered(move, gain) for move, gain in gains),
        )


class Valid:
    """The strategy that plays a random legal color; all are equally likely.

    It passes only if no color is legal.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)

    def prepare(self, position: FloodPosition) -> None:  # noqa: ARG002
        """Load the kernel of :meth:`choose`, so that the first move does not wait for it."""
        random_below(self.rng.copy(), 2)

    def choose(self, position: FloodPosition) -> int:
        """Return the move of the seat to move; O(colors)."""
        moves = position.legal_moves()
        colors = [move for move in moves if move < position.setup.color_count]
        return colors[random_below(self.rng, len(colors))] if colors else moves[0]


def _greedy(seed: int) -> Greedy:  # noqa: ARG001
    return Greedy()


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    **SOLO_STRATEGIES,
    "mcts": replace(
        GENERIC["mcts"],
        summary="Monte Carlo tree search with an evaluation of territory",
        options=mcts_options(f"{EXPLORATION_FOR_TWO} for two, otherwise {EXPLORATION}"),
    ),
    "valid": Strategy("valid", "any legal color; passes only when none is legal", Valid),
    "greedy": Strategy("greedy", "the color that gains most vertices", _greedy),
}
