"""The evaluation on sets of regions counts what each seat reaches in fewer moves."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from ludograph import boards, flood, rules
from ludograph.search.mcts.hints import leaf_value
from ludograph.search.searched import OWN, TREE
from tests.amounts import few


def slow_territory(position) -> list[float]:
    """Let both zones grow in step on the vertices of the board."""
    setup, colors = position.setup, position.first_colors
    free = {vertex for vertex in range(position.board.n) if position.zones[vertex] < 0}
    held = [set(position.zone(seat).tolist()) for seat in (0, 1)]
    worth = [float(len(zone)) for zone in held]
    while True:
        taken = []
        for seat, zone in enumerate(held):
            forbidden = position.forbidden(seat)
            near = {
                int(setup.region_of[other])
                for vertex in zone
                for other in position.board.neighbors_of(vertex).tolist()
                if other in free and colors[other] not in forbidden
            }
            taken.append({vertex for vertex in free if int(setup.region_of[vertex]) in near})
        if not taken[0] | taken[1]:
            return worth
        for seat in (0, 1):
            worth[seat] += len(taken[seat] - taken[1 - seat]) + 0.5 * len(taken[0] & taken[1])
        free -= taken[0] | taken[1]
        held = taken


def evaluation(position) -> list[float]:
    """Return what alpha-beta search is told; Monte Carlo search must be told the same."""
    view = position.game.search_view(position, TREE)
    state, out, leaf = view.state(position), np.zeros(2), np.zeros(2)
    rules.evaluate(view.setup, state, out)
    leaf_value(view.setup, state.copy(), rules.random_state(1), leaf)
    assert leaf.tolist() == out.tolist()
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
        colors, forbidden = lots.randint(3, 6), lots.choice([0, 0, 1])
        position = flood.position(board, colors=colors, forbidden=forbidden, seed=seed)
        while not position.is_over:
            assert evaluation(position) == slow_territory(position)
            position.play(lots.choice(position.legal_moves()))
        assert evaluation(position) == list(position.scores())


@pytest.mark.parametrize("name", ["one word", "any graph"])
def test_territory_is_what_grows_in_step(name) -> None:
    with rules.interpreted():
        check_games(BOARDS[name], few(4, 50))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_territory_in_machine_code_is_what_grows_in_step(name) -> None:
    check_games(BOARDS[name], few(20, 100))


WITHOUT_SETS = {
    "captures": (boards.square(5), {"variant": "capture"}),
    "three seats": (boards.square(5), {"seats": 3}),
    "alone": (boards.square(5), {"seats": 1}),
    "too many regions": (boards.square(20), {}),
}


@pytest.mark.parametrize("name", WITHOUT_SETS)
def test_other_games_are_searched_as_they_are(name) -> None:
    board, options = WITHOUT_SETS[name]
    position = flood.position(board, colors=6, seed=1, **options)
    assert position.game.search_view(position, TREE).setup is position.setup


def test_functions_of_an_author_get_the_states_of_the_game() -> None:
    position = flood.position(boards.square(5), colors=6, seed=1)
    assert position.game.search_view(position, OWN).setup is position.setup
