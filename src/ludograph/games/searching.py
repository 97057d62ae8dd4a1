"""The strategies of every game, with their options, and the networks that games ship."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ludograph.errors import InvalidInput
from ludograph.games.options import DataFile, Number, Option, Seconds, Whole
from ludograph.games.position import Position
from ludograph.games.search_players import PUCT_EXPLORATION, MctsPlayer, MinimaxPlayer, RandomMoves
from ludograph.games.strategy import Chooser, Strategy, Threads
from ludograph.search.mcts import EXPLORATION

if TYPE_CHECKING:
    from ludograph.search.network import TrainedNetwork

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
                Option("depth", Whole(1, 1000), None, "number of moves to look ahead"),
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
