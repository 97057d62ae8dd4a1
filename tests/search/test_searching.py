"""The strategies that every game has."""

from contextlib import nullcontext

import pytest

from ludograph.errors import InvalidInput
from ludograph.games.search_players import MctsPlayer, MinimaxPlayer
from ludograph.games.searching import GENERIC
from ludograph.games.timing import TimeLeft
from tests.amounts import plain_in_make_test


def compiled_for(name):
    """In ``make test`` only Monte Carlo search is compiled here: other tests need it anyway."""
    return nullcontext() if name == "mcts" else plain_in_make_test()


def play(position, choosers):
    while not position.is_over:
        position.play(choosers[position.turn].choose(position))
    return position.scores()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("random", {}),
        ("mcts", {"sims": "30"}),
        ("mcts", {"time": "0.002", "c": "0.7", "threads": "2"}),
        ("minimax", {"depth": "2"}),
        pytest.param("minimax", {"time": "0.002", "threads": "2"}, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_a_game_is_played_to_its_end(small_flood, name, options, seats):
    position = small_flood(4, 4, 3, colors=4, seats=seats)
    strategy = GENERIC[name]
    assert strategy.seats[0] <= seats <= strategy.seats[1]
    with compiled_for(name):
        play(position, [strategy.create(options, seed) for seed in range(seats)])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mcts:sims=400", "minimax:depth=3"])
def test_searches_beat_random_moves(small_flood, name):
    name, _, option = name.partition(":")
    ahead = 0
    for seed in range(4):
        for seat in (0, 1):
            position = small_flood(7, 7, seed, colors=5)
            choosers = [GENERIC["random"].create({}, seed)] * 2
            choosers[seat] = GENERIC[name].create(dict([option.split("=")]), seed)
            with compiled_for(name):
                scores = play(position, choosers)
            ahead += scores[seat] > scores[1 - seat]
    assert ahead >= 7


@pytest.mark.slow
def test_one_seed_plays_one_game(small_flood):
    for name, options in (("random", {}), ("mcts", {"sims": "50"}), ("minimax", {"depth": "3"})):
        ends = []
        for _ in range(2):
            position = small_flood(5, 5, 2, colors=4)
            with compiled_for(name):
                play(position, [GENERIC[name].create(options, 7)] * 2)
            ends.append(position.state.tolist())
        assert ends[0] == ends[1]


def test_time_is_the_default_limit():
    assert MctsPlayer(0).time == MinimaxPlayer(0).time == 0.1
    assert MctsPlayer(0, sims=10).time is None
    assert MinimaxPlayer(0, depth=3).time is None


@pytest.mark.slow
def test_the_clock_overrules_the_options(small_flood):
    position = small_flood(10, 10, 2, colors=6)
    choosers = {"mcts": MctsPlayer(0, sims=10_000_000), "minimax": MinimaxPlayer(0, time=60.0)}
    for name, chooser in choosers.items():
        with compiled_for(name):
            assert position.is_legal(chooser.choose(position, TimeLeft(move=0.05)))


def test_wrong_options_are_refused():
    for name, options in (
        ("mcts", {"depth": "3"}),
        ("mcts", {"sims": "0"}),
        ("minimax", {"depth": "0"}),
        ("random", {"time": "1"}),
    ):
        with pytest.raises(InvalidInput):
            GENERIC[name].create(options, 0)
