"""A game as a search sees it: Setup, states and knowledge; what the search finds becomes a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from ludograph.games.analysis_info import AnalysisInfo
    from ludograph.rules import Setup, State
    from ludograph.search.mcts import (
        GameKnowledge,
        MonteCarlo,
        MonteCarloResult,
        SearchOptions,
    )


class SearchView:
    """What a game hands to one search; by default its own Setup and states.

    Parameters
    ----------
    setup
        The Setup of the search.
    knowledge, options
        The knowledge and the parameters of a tree search of the game; None: none, the defaults.
    """

    has_whole_moves: ClassVar[bool] = True
    """Whether a move of the search is a move of the game."""

    def __init__(
        self,
        setup: Setup,
        knowledge: GameKnowledge | None = None,
        options: SearchOptions | None = None,
    ) -> None:
        self.setup, self.knowledge, self.options = setup, knowledge, options

    def state(self, position: Any) -> State:
        """Return a position's state for the search."""
        state: State = position.state
        return state

    def choose(
        self,
        position: Any,
        look: Callable[[State, float], MonteCarloResult],
        search: MonteCarlo,  # noqa: ARG002
    ) -> int:
        """Return the move of the game that a tree search finds, by one run or by several.

        Parameters
        ----------
        look
            Runs the search from a state with a share of its limits; a share of 0 is one simulation.
        search
            The search, whose tree is that of the last run.
        """
        return look(self.state(position), 1.0).move

    def thoughts(self, search: MonteCarlo) -> AnalysisInfo:
        """Return the analysis of the last runs."""
        from ludograph import rules
        from ludograph.games.from_search import from_monte_carlo

        assert search.result is not None
        return from_monte_carlo(search.result, search.line(), rules.info(self.setup).seats)
