"""Players of every game: random moves and the searches of :mod:`ludograph.search`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludograph import rules
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import from_alphabeta, from_monte_carlo, value_of
from ludograph.games.position import Position
from ludograph.games.strategy import RESIGN
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import Setup, State, random_below, random_state
from ludograph.search.alphabeta import LARGE, AlphaBeta, AlphaBetaResult
from ludograph.search.mcts import EXPLORATION, MonteCarlo, MonteCarloResult, SearchOptions
from ludograph.search.mcts.hints import GameKnowledge

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


class MctsPlayer:
    """Plays the most visited move of Monte Carlo tree search.

    Parameters
    ----------
    tuned
        The game's other parameters of the search; seed, threads and ``c`` come from the arguments.
    knowledge
        Called with a position and the Setup of its search; returns the game's knowledge.
    """

    def __init__(
        self,
        seed: int,
        time: float | None = None,
        sims: int | None = None,
        threads: int = 1,
        c: float = EXPLORATION,
        resign: float = 0.0,
        tuned: SearchOptions | None = None,
        knowledge: Callable[[Position, Setup], GameKnowledge] | None = None,
    ) -> None:
        tuned = tuned or SearchOptions()
        self.knowledge = knowledge
        self.options = replace(tuned, seed=seed, threads=threads, c=c, reuse=True)
        self.resign = resign
        self.time = DEFAULT_TIME if time is None and sims is None else time
        self.sims = sims
        self.search: MonteCarlo | None = None
        self.setup: Setup | None = None
        self.found: MonteCarloResult | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move, a forced one at once; or resign a lost game if the options allow it."""
        self.found = None
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search = self.prepare(position)
        seconds = time_left.budget(self.time)
        self.found = search.search(position.state, time=seconds, sims=self.sims)
        return RESIGN if self.gives_up(position) else self.found.move

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
        if self.found is None or self.search is None:
            return None
        return from_monte_carlo(self.found, self.search.line(), rules.info(self.search.setup).seats)

    def prepare(self, position: Position) -> MonteCarlo:
        """Get memory and machine code for a game: best done before any clock runs."""
        if self.search is None or self.setup is not position.setup:
            setup = position.game.search_setup(position.setup)
            known = None if self.knowledge is None else self.knowledge(position, setup)
            self.search = MonteCarlo(setup, self.options, known)
            self.setup = position.setup
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
        self.setup: Setup | None = None
        self.found: AlphaBetaResult | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; a forced one at once."""
        self.found = None
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search = self.prepare(position)
        seconds = time_left.budget(self.time)
        self.found = search.search(self.state_of(position), time=seconds, depth=self.depth)
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
            setup = self.setup_of(position)
            self.search = AlphaBeta(setup, threads=self.threads, win_bonus=self.win_bonus)
        return self.search

    def setup_of(self, position: Position) -> Setup:
        """Return the Setup that the search plays on."""
        return position.game.search_setup(position.setup)

    def state_of(self, position: Position) -> State:
        """Return a position's state for that Setup."""
        return position.state
