"""Strategies that play every game: random moves and the searches of :mod:`ludograph.search`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import from_alphabeta, from_monte_carlo, value_of
from ludograph.games.options import DataFile, Number, Option, Seconds, Whole
from ludograph.games.position import Position
from ludograph.games.strategy import RESIGN, Chooser, Strategy, Threads
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import Setup, State, random_below, random_state
from ludograph.search.alphabeta import LARGE, AlphaBeta
from ludograph.search.alphabeta import Result as AlphaBetaResult
from ludograph.search.mcts import EXPLORATION, MonteCarlo, SearchOptions
from ludograph.search.mcts import Result as MonteCarloResult
from ludograph.search.mcts.hints import GameKnowledge

if TYPE_CHECKING:
    from ludograph.search.network import TrainedNetwork

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


SMALL = "small"
"""The name of a game's smaller network."""

SHIPPED = {"": "network.npz", SMALL: "network-small.npz"}
"""The networks that a game can ship, by name: files in the folder of its package."""

WEIGHTS = "file of a network (default: the one that the game ships)"

Networks = Mapping[str, Path]
"""The networks in a game's package, by name; the empty name is that of ``net`` without
``weights``."""


def network_player(
    seed: int, weights: str | None = None, networks: Networks = MappingProxyType({}), **options: Any
) -> Chooser:
    """Return a player with a network, from a file or from the game's package."""
    from ludograph.games.network_player import network_player

    return network_player(seed, network_file(weights, networks), **options)


def check_network(
    game: str,
    options: Mapping[str, Any],
    seats: int | None,
    networks: Networks = MappingProxyType({}),
) -> None:
    """Raise InvalidInput unless a file has a network for this game and number of seats."""
    trained = network_of(network_file(options["weights"], networks), game)
    if seats not in (None, trained.shape.seats):
        raise InvalidInput(
            f"net: the network is for games of {trained.shape.seats} players, this one has {seats}"
        )


def check_network_start(
    start: Position, options: Mapping[str, Any], networks: Networks = MappingProxyType({})
) -> None:
    """Raise InvalidInput unless the network is for games from such a start."""
    from ludograph.search.network import check_features

    trained = network_of(network_file(options["weights"], networks), start.game.name)
    try:
        check_features(trained.shape, start.setup)
    except InvalidInput as error:
        learned = trained.trained.get("options") or {}
        told = ", ".join(f"{name} {value}" for name, value in learned.items())
        raise InvalidInput(
            f"net: {error}" + (f"; it learned games with these options: {told}" if told else "")
        ) from None


def network_of(file: str, game: str) -> TrainedNetwork:
    """Return the network of a file; read the file again only after a change."""
    path = Path(file)
    return network_at(path, game, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def network_at(path: Path, game: str, changed: int) -> TrainedNetwork:  # noqa: ARG001  # a key
    """Return the network of a file that was last changed at a time."""
    from ludograph.search.network import read_network

    return read_network(path, game=game)


def network_file(weights: str | None, networks: Networks) -> str:
    """Return the file for a value of ``weights``."""
    return str(networks.get(weights or "", weights))


def net_strategy(folder: Path, seats: int = 2) -> Strategy:
    """Return the strategy ``net`` of a game, with the networks in the folder of its package.

    A game ships a network as the file ``network.npz``; if it ships a smaller one, too, that is
    ``network-small.npz``. Without files, ``net`` needs the option ``weights``.

    Parameters
    ----------
    seats
        The number of seats of the games that the shipped networks are for.
    """
    networks = {name: folder / file for name, file in SHIPPED.items() if (folder / file).is_file()}
    generic = GENERIC["net"]
    if "" not in networks:
        return generic
    options = generic.options
    if SMALL in networks:
        small = Option("weights", DataFile((SMALL,)), None, f"{WEIGHTS}; {SMALL}: its smaller one")
        options = (small, *options[1:])
    return replace(
        generic,
        make=partial(network_player, networks=networks),
        options=options,
        needs="",
        usual_seats=(seats, seats),
        check=partial(check_network, networks=networks),
        check_start=partial(check_network_start, networks=networks),
    )


TIME = Option(
    "time",
    Seconds(0.001, 3600.0),
    None,
    "seconds per move (default: 0.1, if no other limit is set)",
)
THREAD_COUNT = Option("threads", Threads(), 1, "number of threads; all: one for each core")


def mcts_options(c: float) -> tuple[Option, ...]:
    """Return the options of Monte Carlo tree search for a game with this exploration weight."""
    return (
        TIME,
        Option("sims", Whole(1, 1_000_000_000), None, "simulations per move"),
        THREAD_COUNT,
        Option("c", Number(0.0, 100.0), c, "weight of exploration"),
        Option("resign", Number(0.0, 0.5), 0.0, "value below which it resigns; 0: never"),
    )


GENERIC: Mapping[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("random", "any legal move", RandomMoves),
        Strategy(
            "mcts",
            "Monte Carlo tree search with random games",
            MctsPlayer,
            options=mcts_options(EXPLORATION),
        ),
        Strategy(
            "minimax",
            "alpha-beta search by iterative deepening; it assumes that all others play against it",
            MinimaxPlayer,
            options=(
                TIME,
                Option("depth", Whole(1, 1000), None, "plies to look ahead"),
                THREAD_COUNT,
            ),
        ),
        Strategy(
            "net",
            "Monte Carlo tree search with a learned network",
            network_player,
            options=(
                Option("weights", DataFile(), None, WEIGHTS),
                TIME,
                Option(
                    "sims",
                    Whole(0, 1_000_000_000),
                    None,
                    "simulations per move; 0: the network without a search",
                ),
                THREAD_COUNT,
                Option("c", Number(0.0, 100.0), PUCT_EXPLORATION, "weight of exploration"),
                Option("resign", Number(0.0, 0.5), 0.0, "value below which it resigns; 0: never"),
            ),
            seats=(2, 64),
            needs="weights",
            hint=": the game ships no network, and 'ludograph learn' makes one",
            check=check_network,
            check_start=check_network_start,
        ),
    )
}
"""The strategies of every game, by name."""
