"""The strategies `beam` and `optimal` play games to their end."""

import pytest

from ludograph import boards
from ludograph.errors import InvalidInput
from ludograph.games.flood import flood
from ludograph.games.flood.solo import SOLO_STRATEGIES
from ludograph.games.timing import TimeLeft
from tests.games.flood.solo.boards import optimum


def play_out(position, chooser, *time_left):
    while not position.is_over:
        position.play(chooser.choose(position, *time_left))
    return position


def test_their_names_options_and_seats():
    assert {name: strategy.name for name, strategy in SOLO_STRATEGIES.items()} == {
        "beam": "beam",
        "optimal": "optimal",
    }
    for strategy in SOLO_STRATEGIES.values():
        assert strategy.seats == (1, 1)
    assert SOLO_STRATEGIES["beam"].create({"width": "7"}, seed=1).width == 7
    assert SOLO_STRATEGIES["optimal"].create({"time": "0.5"}, seed=1).time == 0.5
    with pytest.raises(InvalidInput):
        SOLO_STRATEGIES["beam"].create({"width": "0"}, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_optimal_plays_a_shortest_game(seed):
    position = flood.position(boards.square(5), colors=4, seats=1, seed=seed)
    best = optimum(position)
    chooser = SOLO_STRATEGIES["optimal"].create({}, seed=1)
    assert play_out(position, chooser).ply == best


@pytest.mark.parametrize("name", SOLO_STRATEGIES)
def test_they_play_under_a_clock(name):
    position = flood.position(boards.square(16), colors=6, seats=1, seed=1)
    chooser = SOLO_STRATEGIES[name].create({}, seed=1)
    play_out(position, chooser, TimeLeft(game=0.5))
    assert position.scores()[0] == -position.ply


@pytest.mark.parametrize("name", SOLO_STRATEGIES)
def test_they_plan_once(name, monkeypatch):
    position = flood.position(boards.square(8), colors=5, seats=1, seed=2)
    chooser = SOLO_STRATEGIES[name].create({}, seed=1)
    plans = []
    solve = chooser.solve
    monkeypatch.setattr(chooser, "solve", lambda *a: plans.append(a) or solve(*a))
    play_out(position, chooser)
    assert len(plans) == 1


@pytest.mark.parametrize("name", SOLO_STRATEGIES)
def test_they_plan_again_when_someone_else_has_played(name):
    position = flood.position(boards.square(8), colors=5, seats=1, seed=2)
    chooser = SOLO_STRATEGIES[name].create({}, seed=1)
    while len(position.legal_moves()) == 1:
        position.play(chooser.choose(position))
    planned = chooser.choose(position)
    position.play(next(move for move in position.legal_moves() if move != planned))
    play_out(position, chooser)
    assert position.scores()[0] == -position.ply


@pytest.mark.parametrize("name", SOLO_STRATEGIES)
def test_a_chooser_can_be_asked_about_another_game(name):
    chooser = SOLO_STRATEGIES[name].create({}, seed=1)
    for seed in range(3):
        position = flood.position(boards.square(6), colors=5, seats=1, seed=seed)
        assert chooser.choose(position) in position.legal_moves()


@pytest.mark.parametrize("name", SOLO_STRATEGIES)
def test_on_a_board_that_cannot_be_solved_they_play_until_stuck(name):
    coloring = [0, 1, 2, 1, 3, 1, 0, 2, 1]
    position = flood.position(
        boards.square(3), colors=4, coloring=coloring, seats=1, forbidden=[{3}]
    )
    play_out(position, SOLO_STRATEGIES[name].create({}, seed=1))
    assert position.scores()[0] < -position.ply
