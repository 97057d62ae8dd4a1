"""The strategies of Amazons: the generic searches; ``mcts`` plays a move as a slide and a shot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from msgspec import structs

from ludograph.games.amazons.evaluation import make_after_moves
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.rules import before_slide, make_half_moves, whole_moves
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import from_monte_carlo
from ludograph.games.search_view import SearchView
from ludograph.games.searching import GENERIC, mcts_options
from ludograph.rules import State
from ludograph.rules.answers import play_at
from ludograph.search.mcts import MonteCarlo, MonteCarloResult, SearchOptions
from ludograph.search.mcts.hints import GameKnowledge
from ludograph.search.mcts.result import principal_variation

SUMMARY = "Monte Carlo tree search with an evaluation of territory"
EXPLORATION = 0.03

SLIDE_SHARE = 0.7
"""The share of the time or of the simulations for the choice of the slide."""

TUNED = SearchOptions(c=EXPLORATION, margin_weight=1.0, expand_threshold=1, minimax=True)
"""Leaves have chances to win instead of results."""

SHOWN_SLIDES = 5
"""The number of other slides in analysis info, each with its best shot."""


class HalfMovesView(SearchView):
    """Amazons for a search of a slide, then of the shot after it, in one tree.

    Attributes
    ----------
    slides
        The result of the search for the slide.
    shots
        The result of the search for the shot.
    others
        The best moves with other slides.
    """

    has_whole_moves = False

    def __init__(self, position: AmazonsPosition) -> None:
        setup = make_half_moves(position.setup)
        super().__init__(setup, GameKnowledge(of_moves=partial(make_after_moves, setup)), TUNED)
        self.n = position.board.n
        self.slides: MonteCarloResult | None = None
        self.shots: MonteCarloResult | None = None
        self.others: list[Considered] = []

    def state(self, position: AmazonsPosition) -> State:
        """Return a position's state before a slide."""
        return before_slide(position.state)

    def choose(
        self,
        position: AmazonsPosition,
        look: Callable[[State, float], MonteCarloResult],
        search: MonteCarlo,
    ) -> int:
        """Return the move of the slide and the shot that two runs find."""
        moves, state = position.legal_moves(), self.state(position)
        slides = {move // self.n for move in moves}
        share = SLIDE_SHARE if len(slides) > 1 else 0.0
        self.slides = slide = look(state, share)
        self.others = other_slides(search, slide, self.n)
        play_at(self.setup, state, slide.move)
        shots = sum(move // self.n == slide.move for move in moves)
        self.shots = look(state, 1.0 - share if shots > 1 else 0.0)
        return slide.move * self.n + self.shots.move

    def thoughts(self, search: MonteCarlo) -> AnalysisInfo:
        """Return the analysis of both runs, by whole moves."""
        assert self.slides is not None
        assert self.shots is not None
        slide, n = self.slides.move, self.n
        info = from_monte_carlo(self.shots, (), 2)
        shots = [structs.replace(each, move=slide * n + int(each.move)) for each in info.moves]
        rest = sorted((*shots[1:], *self.others), key=lambda each: -(each.visits or 0))
        return structs.replace(
            info,
            simulations=self.slides.simulations + self.shots.simulations,
            moves=(shots[0], *rest),
            line=whole_moves((slide, *search.line()), n),
        )


def other_slides(search: MonteCarlo, found: MonteCarloResult, n: int) -> list[Considered]:
    """Return the best moves whose slides differ from the slide found."""
    others = []
    for each in from_monte_carlo(found, (), 2).moves[1 : 1 + SHOWN_SLIDES]:
        slide, *after = principal_variation(search.trees[0], int(each.move))
        if after:
            others.append(structs.replace(each, move=slide * n + after[0]))
    return others


STRATEGIES = {
    **GENERIC,
    "mcts": replace(GENERIC["mcts"], summary=SUMMARY, options=mcts_options(EXPLORATION)),
}
"""The strategies by name."""
