"""Random games on sets of regions are games by the rules, and are drawn as they say."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from ludograph import boards, flood, rules
from ludograph.rules import random_below
from ludograph.search.mcts.hints import leaf_value
from tests.amounts import few


def frontier(position) -> list[int]:
    """Return the free regions that touch the zone of the seat to move, in order."""
    setup, zones = position.setup, position.zones
    found = set()
    for vertex in position.zone(position.turn).tolist():
        for near in position.board.neighbors_of(vertex).tolist():
            if zones[near] < 0:
                found.add(int(setup.region_of[near]))
    return sorted(found)


def slow_game(position, rng) -> list[float]:
    """Play to the end: each time the color of a random region that the seat may take."""
    position = position.copy()
    while not position.is_over:
        legal = position.legal_moves()
        regions = [r for r in frontier(position) if position.setup.colors[r] in legal]
        move = position.setup.color_count
        if regions:
            move = int(position.setup.colors[regions[random_below(rng, len(regions))]])
        position.play(move)
    return list(position.scores())


def fast_game(position, rng) -> list[float]:
    """Do so on sets."""
    out, state = np.zeros(position.seats), position.state.copy()
    leaf_value(position.game.search_setup(position.setup), state, rng, out)
    return out.tolist()


BOARDS = {
    "one word": boards.square(5),
    "two words": boards.hexagonal(11, 9),
    "four words": boards.square(15),
    "any graph": boards.from_networkx(nx.connected_watts_strogatz_graph(30, 4, 0.4, seed=1)),
}


def check_games(board, games: int) -> None:
    lots = random.Random(board.n)
    for seed in range(games):
        position = flood.position(
            board,
            colors=lots.randint(3, 6),
            coloring=lots.choice(["random", "blocks"]),
            forbidden=lots.choice([0, 0, 1]),
            seed=seed,
        )
        for _ in range(lots.randint(0, 12)):
            if not position.is_over and len(position.legal_moves()) > 1:
                position.play(lots.choice(position.legal_moves()[:-1]))
        for game in range(3):
            fast, slow = rules.random_state(seed, game), rules.random_state(seed, game)
            assert fast_game(position, fast) == slow_game(position, slow)
            assert fast[0] == slow[0]


@pytest.mark.parametrize("name", ["one word", "any graph"])
def test_random_games_are_played_by_the_rules(name) -> None:
    with rules.interpreted():
        check_games(BOARDS[name], few(4, 100))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_random_games_in_machine_code_are_played_by_the_rules(name) -> None:
    check_games(BOARDS[name], few(40, 400))


LISTED = {
    "captures": (boards.square(5), {"variant": "capture"}),
    "three seats": (boards.square(5), {"seats": 3}),
    "alone": (boards.square(5), {"seats": 1}),
    "too many regions": (boards.square(20), {}),
}


@pytest.mark.parametrize("name", LISTED)
def test_other_games_are_played_out_on_lists(name) -> None:
    board, options = LISTED[name]
    position = flood.position(board, colors=6, seed=1, **options)
    searched = position.game.search_setup(position.setup)
    assert searched.near.size == 0
    with rules.interpreted():
        out, state = np.zeros(position.seats), position.state.copy()
        rules.playout(position.setup, state, rules.random_state(1), out)
        assert fast_game(position, rules.random_state(1)) == out.tolist()
