"""The strategies of every game, with their options."""

from __future__ import annotations

from collections.abc import Mapping

from ludograph.games.network_player import check_network, check_network_start, network_player
from ludograph.games.options import DataFile, Number, Option, Seconds, Whole
from ludograph.games.search_players import PUCT_EXPLORATION, MctsPlayer, MinimaxPlayer, RandomMoves
from ludograph.games.strategy import Strategy, Threads
from ludograph.search.mcts import EXPLORATION

TIME = Option(
    "time",
    Seconds(0.001, 3600.0),
    None,
    "seconds per move (default: 0.1, if no other limit is set)",
)
THREAD_COUNT = Option("threads", Threads(), 1, "number of threads; all: one for each core")
SIMS = Option("sims", Whole(1, 1_000_000_000), None, "simulations per move")
SIMS_OR_NONE = Option(
    "sims", Whole(0, 1_000_000_000), None, "simulations per move; 0: the network without a search"
)


def mcts_options(c: float | str, sims: Option = SIMS) -> tuple[Option, ...]:
    """Return the options of Monte Carlo tree search for a game whose views have this ``c``."""
    return (
        TIME,
        sims,
        THREAD_COUNT,
        Option("c", Number(0.0, 100.0), None, f"weight of exploration (default: {c})"),
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
            options=mcts_options(f"that of the game, or {EXPLORATION}"),
        ),
        Strategy(
            "minimax",
            "alpha-beta search by iterative deepening; it assumes that all others play against it",
            MinimaxPlayer,
            options=(
                TIME,
                Option("depth", Whole(1, 1000), None, "number of moves to look ahead"),
                THREAD_COUNT,
            ),
        ),
        Strategy(
            "net",
            "Monte Carlo tree search with a learned network",
            network_player,
            options=(
                Option("weights", DataFile(), None, "file of a network"),
                *mcts_options(PUCT_EXPLORATION, SIMS_OR_NONE),
            ),
            seats=(2, 64),
            needs="weights",
            hint=": no game ships a network, and 'ludograph learn' makes one",
            check=check_network,
            check_start=check_network_start,
        ),
    )
}
"""The strategies of every game, by name."""
