"""A game by half moves is the same game, and what a search is told about it is true."""

import math
import random

import numpy as np
import pytest

from ludograph import amazons, rules
from ludograph.games.amazons.evaluation import (
    KINGS,
    QUEENS,
    half_moves_log_odds,
    make_after_moves,
)
from ludograph.games.amazons.rules import ARROW, before_slide, make_half_moves, put, whole_moves
from ludograph.rules import OVER, TURN
from ludograph.search.mcts.hints import VALUES, weigh
from tests.amounts import slow_but
from tests.games.amazons.boards import BOARDS, begin
from tests.search.brute_force import after, moves_of

pytestmark = pytest.mark.usefixtures("plain_in_make_test")

QUICK = ("square 6", "torus 2x3", "tangle 1")


@pytest.mark.parametrize("name", slow_but(QUICK, BOARDS))
def test_slides_and_shots_make_the_moves(name):
    position = begin(name)
    setup, n, rng = make_half_moves(position.setup), position.board.n, random.Random(3)
    while not position.is_over:
        start = before_slide(position.state)
        moves = [
            slide * n + arrow
            for slide in moves_of(setup, start)
            for arrow in moves_of(setup, after(setup, start, slide))
        ]
        assert sorted(moves) == sorted(position.legal_moves())
        move = rng.choice(moves)
        position.push(move)
        ended = after(setup, after(setup, start, move // n), move % n)
        assert np.array_equal(ended, before_slide(position.state))
        out = np.zeros(2)
        rules.scores(setup, ended, out)
        assert tuple(out.tolist()) == position.scores()


def test_whole_moves_leave_out_a_slide_without_its_shot():
    assert whole_moves((7, 2, 13, 4, 9), 100) == (702, 1304)


def chance(odds):
    return 1.0 / (1.0 + math.exp(-odds))


@pytest.mark.slow
def test_a_move_is_worth_what_its_position_is():
    position = amazons.position(6, queens=2)
    setup, rng = make_half_moves(position.setup), random.Random(5)
    state = before_slide(position.state)
    memory = make_after_moves(setup)
    while state[TURN] != OVER:
        moves = np.array(moves_of(setup, state), np.int32)
        values, before = np.zeros(moves.size), state.copy()
        weigh(setup, memory, state, moves, VALUES, values, np.zeros(2))
        assert np.array_equal(state, before)
        sign = 1 if state[TURN] == 0 else -1
        states = [after(setup, state, move) for move in moves.tolist()]
        expected = [
            1.0 if each[TURN] == OVER else chance(sign * half_moves_log_odds(setup, each))
            for each in states
        ]
        assert values == pytest.approx(expected)
        state = rng.choice(states)


def test_where_nothing_is_contested_a_turn_costs_half_a_tile():
    """Both sides of a wall have as many tiles: the seat that has to move loses."""
    position = amazons.position(5, queens=1)
    setup = make_half_moves(position.setup)
    state = before_slide(position.state)
    white, black = (int(tile) for tile in position.setup.starts)
    assert sorted((white, black)) == [0, 24]
    for tile in range(10, 15):
        put(state, tile, ARROW)
    half_tile = (QUEENS + KINGS) / 50
    assert half_moves_log_odds(setup, state) == pytest.approx(-half_tile)
    state[TURN] = 1
    assert half_moves_log_odds(setup, state) == pytest.approx(half_tile)


@pytest.mark.slow
def test_a_search_begins_with_a_good_slide_and_its_shot():
    position = amazons.position(6, queens=2)
    player = amazons.strategy("mcts").create({"sims": "60"}, 1)
    move = player.choose(position)
    assert move in position.legal_moves()
    assert player.thoughts().moves[0].move == move


def test_the_search_for_a_shot_starts_from_the_tree_of_the_slide():
    player = amazons.strategy("mcts").create({"sims": "60"}, 1)
    with rules.interpreted():
        player.choose(amazons.position(4, queens=1))
    shots = player.view.shots
    assert shots.visits.sum() > shots.simulations
