"""The strategies of Amazons: the generic searches; ``mcts`` plays a move as a slide and a shot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from ludograph import rules
from ludograph.games.amazons.evaluation import AfterMoves, make_after_moves
from ludograph.games.amazons.half_moves import (
    AmazonsHalfMoves,
    before_slide,
    make_half_moves,
    whole_moves,
)
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import from_monte_carlo
from ludograph.games.position import Position
from ludograph.games.search_players import MctsPlayer
from ludograph.games.searching import GENERIC, mcts_options
from ludograph.games.strategy import RESIGN
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import State
from ludograph.search.mcts import MonteCarlo, MonteCarloResult, SearchOptions
from ludograph.search.mcts.hints import GameKnowledge
from ludograph.search.mcts.result import principal_variation

SUMMARY = "Monte Carlo tree search with an evaluation of territory"
EXPLORATION = 0.03

SLIDE_SHARE = 0.7
"""The share of the time or of the simulations for the choice of the slide."""

SHOWN_SLIDES = 5
"""The number of other slides in analysis info, each with its best shot."""


class AmazonsKnowledge(GameKnowledge):
    """The knowledge of Amazons for a search by half moves."""

    def __init__(self, setup: AmazonsHalfMoves) -> None:
        self.setup = setup

    def of_moves(self) -> AfterMoves:
        """Return the workspace for the positions after moves."""
        return make_after_moves(self.setup)


class AmazonsMcts(MctsPlayer):
    """Searches for a slide, then for the shot after it, in one tree.

    Attributes
    ----------
    found
        The result of the search for the shot.
    slides
        The result of the search for the slide.
    others
        The best moves with other slides.
    """

    def __init__(self, seed: int, c: float = EXPLORATION, **others: Any) -> None:
        # Leaves have chances to win instead of results.
        tuned = SearchOptions(margin_weight=1.0, expand_threshold=1, minimax=True)
        super().__init__(seed, c=c, tuned=tuned, **others)
        self.slides: MonteCarloResult | None = None
        self.others: list[Considered] = []

    def prepare(self, position: Position) -> MonteCarlo:
        """Allocate memory and load machine code for a game: call it before any clock runs."""
        assert isinstance(position, AmazonsPosition)
        if self.search is None or self.setup is not position.setup:
            self.setup = position.setup
            setup = make_half_moves(position.setup)
            self.search = MonteCarlo(setup, self.options, AmazonsKnowledge(setup))
        return self.search

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move, a forced one at once, or ``RESIGN`` if that is allowed and justified."""
        self.found = None
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search = self.prepare(position)
        n = position.board.n
        seconds = time_left.budget(self.time)
        state = before_slide(position.state)
        slides = {move // n for move in moves}
        share = SLIDE_SHARE if len(slides) > 1 else 0.0
        found = self._search(state, seconds, share)
        self.slides = found
        self.others = other_slides(search, found, n)
        rules.play(search.setup, state, found.move)
        shots = sum(move // n == found.move for move in moves)
        self.found = self._search(state, seconds, 1.0 - share if shots > 1 else 0.0)
        if self.gives_up(position):
            return RESIGN
        return found.move * n + self.found.move

    def thoughts(self) -> AnalysisInfo | None:
        """Return the analysis of the last search; None if there was none."""
        if self.found is None or self.slides is None or self.search is None:
            return None
        n = self.search.setup.base.offsets.size - 1
        info = from_monte_carlo(self.found, (), 2)
        shots = [
            structs.replace(each, move=self.slides.move * n + int(each.move)) for each in info.moves
        ]
        rest = sorted((*shots[1:], *self.others), key=lambda each: -(each.visits or 0))
        return structs.replace(
            info,
            simulations=self.slides.simulations + self.found.simulations,
            moves=(shots[0], *rest),
            line=whole_moves((self.slides.move, *self.search.line()), n),
        )

    def _search(self, state: State, seconds: float | None, share: float) -> MonteCarloResult:
        """Search for a half move in a share of a move's time; a share of 0 is one simulation."""
        assert self.search is not None
        if share == 0.0:
            return self.search.search(state, sims=1)
        sims = None if self.sims is None else max(1, round(share * self.sims))
        return self.search.search(
            state, time=None if seconds is None else share * seconds, sims=sims
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
    "mcts": replace(
        GENERIC["mcts"], make=AmazonsMcts, summary=SUMMARY, options=mcts_options(EXPLORATION)
    ),
}
"""The strategies by name."""
