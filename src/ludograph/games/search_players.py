"""Players of every game: random moves and the searches of :mod:`ludograph.search`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import from_alphabeta, value_of
from ludograph.games.position import Position
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import RESIGN
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import Setup, State, random_below, random_state
from ludograph.search.alphabeta import LARGE, AlphaBeta, AlphaBetaResult
from ludograph.search.mcts import MonteCarlo, MonteCarloResult, SearchOptions
from ludograph.search.searched import DEPTH, TREE

PUCT_EXPLORATION = 1.0
"""The weight of exploration in a search with a network, where rewards lie between 0 and 1."""

DEFAULT_TIME = 0.1
"""The default seconds per move."""


class RandomMoves:
    """Plays any legal move, all equally likely."""

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)

    def prepare(self, position: Position) -> None:  # noqa: ARG002
        """Load the kernel that the first move would wait for."""
        random_below(self.rng.copy(), 2)

    def choose(self, position: Position) -> int:
        """Return a move."""
        moves = position.legal_moves()
        return moves[random_below(self.rng, len(moves))]


def tree_view(position: Position) -> SearchView:
    """Return what a position's game hands to Monte Carlo tree search."""
    return position.game.search_view(position, TREE)


class MctsPlayer:
    """Plays the most visited move of Monte Carlo tree search.

    Parameters
    ----------
    c
        The weight of exploration; None: that of the game.
    view
        Called with a position; returns what its game hands to the search.

    Attributes
    ----------
    found
        The result of the last run of the search.
    """

    def __init__(
        self,
        seed: int,
        time: float | None = None,
        sims: int | None = None,
        threads: int = 1,
        c: float | None = None,
        resign: float = 0.0,
        view: Callable[[Position], SearchView] = tree_view,
    ) -> None:
        self.view_of = view
        self.seed, self.threads, self.c = seed, threads, c
        self.resign = resign
        self.time = DEFAULT_TIME if time is None and sims is None else time
        self.sims = sims
        self.search: MonteCarlo | None = None
        self.view: SearchView | None = None
        self.setup: Setup | None = None
        self.found: MonteCarloResult | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move, a forced one at once; or resign a lost game if the options allow it."""
        self.found = None
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search = self.prepare(position)
        assert self.view is not None
        seconds = time_left.budget(self.time)

        def look(state: State, share: float) -> MonteCarloResult:
            if share == 0.0:
                self.found = search.search(state, sims=1)
            else:
                time = None if seconds is None else share * seconds
                sims = None if self.sims is None else max(1, round(share * self.sims))
                self.found = search.search(state, time=time, sims=sims)
            return self.found

        move = self.view.choose(position, look, search)
        return RESIGN if self.gives_up(position) else move

    def gives_up(self, position: Position) -> bool:
        """Tell whether the value of the best move is too low to play on."""
        if not self.resign or self.found is None or position.seats < 2:
            return False
        if self.search is not None and self.search.is_lost:
            return True
        value = value_of(self.found, self.found.moves.tolist().index(self.found.move))
        return value is not None and value < self.resign

    def thoughts(self) -> AnalysisInfo | None:
        """Return the result of the last search; None if there was none."""
        if self.found is None or self.search is None or self.view is None:
            return None
        return self.view.thoughts(self.search)

    def prepare(self, position: Position) -> MonteCarlo:
        """Get memory and machine code for a game: best done before any clock runs."""
        if self.search is None or self.setup is not position.setup:
            self.setup = position.setup
            self.view = view = self.view_of(position)
            options = view.options or SearchOptions()
            options = replace(
                options,
                seed=self.seed,
                threads=self.threads,
                c=options.c if self.c is None else self.c,
                reuse=True,
            )
            self.search = MonteCarlo(view.setup, options, view.knowledge)
            view.state(position)  # its kernels are loaded now, before any clock runs
        return self.search


class MinimaxPlayer:
    """Plays the best move of iteratively deepened alpha-beta search."""

    def __init__(
        self,
        seed: int,  # noqa: ARG002  (it plays without dice)
        time: float | None = None,
        depth: int | None = None,
        threads: int = 1,
        win_bonus: float = LARGE,
    ) -> None:
        self.win_bonus = win_bonus
        self.time = DEFAULT_TIME if time is None and depth is None else time
        self.depth = depth
        self.threads = threads
        self.search: AlphaBeta | None = None
        self.view: SearchView | None = None
        self.setup: Setup | None = None
        self.found: AlphaBetaResult | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; a forced one at once."""
        self.found = None
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search = self.prepare(position)
        assert self.view is not None
        seconds = time_left.budget(self.time)
        self.found = search.search(self.view.state(position), time=seconds, depth=self.depth)
        return self.found.move

    def thoughts(self) -> AnalysisInfo | None:
        """Return the result of the last search; None if there was none."""
        if self.found is None or self.search is None:
            return None
        return from_alphabeta(self.found, self.win_bonus)

    def prepare(self, position: Position) -> AlphaBeta:
        """Get memory and machine code for a game: best done before any clock runs."""
        if self.search is None or self.setup is not position.setup:
            self.setup = position.setup
            self.view = view = position.game.search_view(position, DEPTH)
            self.search = AlphaBeta(view.setup, threads=self.threads, win_bonus=self.win_bonus)
            view.state(position)  # its kernels are loaded now, before any clock runs
        return self.search
