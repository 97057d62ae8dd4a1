"""The strategy ``net``: a graph network evaluates positions, with or without a search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import WIN
from ludograph.games.played import PlayedPosition
from ludograph.games.position import Position
from ludograph.games.search_players import PUCT_EXPLORATION, MctsPlayer
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import Chooser
from ludograph.rules import Setup
from ludograph.search.hints import candidates
from ludograph.search.mcts import SearchOptions
from ludograph.search.mcts.hints import GameKnowledge
from ludograph.search.network import (
    GraphNetwork,
    TrainedNetwork,
    check_features,
    place_network,
    read_network,
)
from ludograph.search.network.forward import predict
from ludograph.search.searched import OWN


def network_player(  # the options of the strategy
    seed: int,
    weights: str,
    time: float | None = None,
    sims: int | None = None,
    threads: int = 1,
    c: float | None = None,
    resign: float = 0.0,
) -> Chooser:
    """Return a player with the network of a file; without simulations, the network alone."""
    if sims == 0:
        return NetworkAlone(weights)

    def view(position: Position) -> SearchView:
        setup = position.game.search_view(position, OWN).setup
        trained = network_of(weights, position.game.name)
        knowledge = GameKnowledge(network=partial(on_board, trained, position, setup))
        return SearchView(setup, knowledge, SearchOptions(c=PUCT_EXPLORATION, margin_weight=0.0))

    return MctsPlayer(seed, time, sims, threads, c, resign, view)


class NetworkAlone:
    """Plays the likeliest move of a network, without a search.

    Parameters
    ----------
    weights
        The file of the network.
    """

    def __init__(self, weights: str) -> None:
        self.weights = weights
        self.position_setup: Setup | None = None
        self.placed: tuple[Setup, GraphNetwork] | None = None
        self.found: AnalysisInfo | None = None

    def prepare(self, position: Position) -> tuple[Setup, GraphNetwork]:
        """Load the network on the board, and machine code; call it before any clock runs."""
        if self.placed is None or self.position_setup is not position.setup:
            self.position_setup = position.setup
            setup = position.game.search_view(position, OWN).setup
            network = on_board(network_of(self.weights, position.game.name), position, setup)
            nothing = np.zeros(0, np.int32), np.zeros(0), np.zeros(position.seats)
            predict(setup, network, position.state, *nothing)
            self.placed = setup, network
        return self.placed

    def choose(self, position: Position) -> int:
        """Return a move."""
        setup, network = self.prepare(position)
        moves = np.zeros(int(rules.info(setup).move_capacity), np.int32)
        moves = moves[: candidates(setup, position.state, moves)]
        likelihoods, rewards = np.zeros(moves.size), np.zeros(position.seats)
        predict(setup, network, position.state, moves, likelihoods, rewards)
        best = int(moves[likelihoods.argmax()])
        value = float(rewards[position.turn])
        self.found = AnalysisInfo(value, WIN, moves=(Considered(best, None),))
        return best

    def thoughts(self) -> AnalysisInfo | None:
        """Return the network's evaluation of the last position."""
        return self.found


def on_board(trained: TrainedNetwork, position: Position, setup: Setup) -> GraphNetwork:
    """Return a network on the board of a position, for one more thread."""
    return place_network(trained.shape, trained.layers, setup, position.board)


def check_network(game: str, options: Mapping[str, Any], seats: int | None) -> None:
    """Raise InvalidInput unless a file has a network for this game and number of seats."""
    trained = network_of(options["weights"], game)
    if seats not in (None, trained.shape.seats):
        raise InvalidInput(
            f"net: the network is for games of {trained.shape.seats} players, this one has {seats}"
        )


def check_network_start(start: PlayedPosition, options: Mapping[str, Any]) -> None:
    """Raise InvalidInput unless the network is for games from such a start."""
    trained = network_of(options["weights"], start.game.name)
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
    return read_network(path, game=game)
