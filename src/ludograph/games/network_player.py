"""The strategy ``net``: a graph network judges positions, with or without a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import WIN
from ludograph.games.options import Number, Option, OptionType, Unexpected, Whole
from ludograph.games.position import Position
from ludograph.games.searching import THREAD_COUNT, TIME, MctsPlayer
from ludograph.games.strategy import Chooser, Strategy
from ludograph.rules import Setup
from ludograph.search.hints import candidates
from ludograph.search.mcts import SearchOptions
from ludograph.search.mcts.hints import GameKnowledge
from ludograph.search.network import GraphNetwork, TrainedNetwork, place_network, read_network
from ludograph.search.network.forward import judge

EXPLORATION = 1.0
"""The weight of exploration of PUCT, where rewards lie between 0 and 1."""


class NetworkFile(OptionType):
    """The path of a network's file."""

    metavar = "FILE"
    expected = "the path of a network's file, as ludograph learn writes it"

    def parse(self, text: str) -> str:
        """Return the path."""
        if not text or "\0" in text:
            raise Unexpected(self.expected)
        return text


class NetworkKnowledge(GameKnowledge):
    """Has a search ask a network in place of random games."""

    def __init__(self, trained: TrainedNetwork, position: Position, setup: Setup) -> None:
        self.trained, self.board, self.setup = trained, position.board, setup

    def network(self) -> GraphNetwork:
        """Return the network on the board, for one more thread."""
        return place_network(self.trained.shape, self.trained.layers, self.setup, self.board)


class NetworkAlone:
    """Plays the move that a network finds likeliest, without a search.

    Parameters
    ----------
    weights
        The file of the network; None: the one that comes with the game.
    """

    def __init__(self, weights: str | None) -> None:
        self.weights = weights
        self.setup: Setup | None = None
        self.network: GraphNetwork | None = None
        self.found: AnalysisInfo | None = None

    def prepare(self, position: Position) -> GraphNetwork:
        """Get the network on the board, and machine code: best done before any clock runs."""
        if self.network is None or self.setup is not position.setup:
            trained = network_for(position, self.weights)
            setup = position.game.search_setup(position.setup)
            self.network = NetworkKnowledge(trained, position, setup).network()
            self.setup = position.setup
            nothing = np.zeros(0, np.int32), np.zeros(0), np.zeros(position.seats)
            judge(setup, self.network, position.state, *nothing)
        return self.network

    def choose(self, position: Position) -> int:
        """Return a move."""
        network = self.prepare(position)
        setup = position.game.search_setup(position.setup)
        moves = np.zeros(int(rules.info(setup).move_capacity), np.int32)
        moves = moves[: candidates(setup, position.state, moves)]
        likelihoods, rewards = np.zeros(moves.size), np.zeros(position.seats)
        judge(setup, network, position.state, moves, likelihoods, rewards)
        order = (-likelihoods).argsort(kind="stable")
        self.found = AnalysisInfo(
            value=float(rewards[position.turn]),
            measure=WIN,
            moves=tuple(Considered(int(moves[place]), None) for place in order[:1]),
        )
        return int(moves[order[0]])

    def thoughts(self) -> AnalysisInfo | None:
        """Return what the network says of the last position."""
        return self.found


def network_for(position: Position, weights: str | None) -> TrainedNetwork:
    """Return the network of a file for the game of a position.

    Raises
    ------
    InvalidInput
        If there is no file, or it holds no network for this game.
    """
    name = position.game.name
    if weights is None:
        raise InvalidInput(
            f"{name} comes without a network: name the file of one, as in net:weights=my.npz"
        )
    return read_network(Path(weights), game=name)


def network_player(  # the options of the strategy
    seed: int,
    weights: str | None = None,
    time: float | None = None,
    sims: int | None = None,
    threads: int = 1,
    c: float = EXPLORATION,
    resign: float = 0.0,
) -> Chooser:
    """Return a player that asks a network; without simulations, the network alone."""
    if sims == 0:
        return NetworkAlone(weights)

    def knowledge(position: Position, setup: Setup) -> GameKnowledge:
        return NetworkKnowledge(network_for(position, weights), position, setup)

    tuned = SearchOptions(margin_weight=0.0)
    return MctsPlayer(seed, time, sims, threads, c, resign, tuned, knowledge)


NET = Strategy(
    "net",
    "a search in which a network judges positions",
    network_player,
    options=(
        Option("weights", NetworkFile(), None, "the file of a network"),
        TIME,
        Option("sims", Whole(0, 1_000_000_000), None, "simulations per move; 0: the network alone"),
        THREAD_COUNT,
        Option("c", Number(0.0, 100.0), EXPLORATION, "weight of exploration"),
        Option("resign", Number(0.0, 0.5), 0.0, "value below which it resigns; 0: never"),
    ),
    seats=(2, 64),
)
