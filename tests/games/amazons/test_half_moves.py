"""A game by half moves is the same game, and what a search is told about it is true."""

import random

import numpy as np
import pytest

from ludograph import amazons, rules
from ludograph.games.amazons.evaluation import WON, half_moves_log_odds, make_after_moves
from ludograph.games.amazons.half_moves import before_slide, make_half_moves, whole_moves
from ludograph.games.amazons.rules import LAST
from ludograph.rules import OVER, TURN
from ludograph.search.mcts.hints import judge, leaf_value, priors
from tests.amounts import slow_but
from tests.games.amazons.boards import BOARDS, begin
from tests.search.brute_force import after, moves_of

QUICK = ("square 6", "torus 2x3", "tangle 1")


@pytest.mark.parametrize("name", slow_but(QUICK, BOARDS))
def test_slides_and_shots_make_the_moves(name):
    position, _ = begin(name)
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


def test_priors_are_likelihoods_that_prefer_what_leaves_more():
    position = amazons.position(6, queens=2)
    setup, rng = make_half_moves(position.setup), random.Random(5)
    state = before_slide(position.state)
    memory = make_after_moves(setup)
    while state[TURN] != OVER:
        moves = np.array(moves_of(setup, state), np.int32)
        likely, before = np.zeros(moves.size), state.copy()
        priors(setup, memory, state, moves, likely)
        assert np.array_equal(state, before)
        assert likely.sum() == pytest.approx(1.0)
        sign = 1 if state[TURN] == 0 else -1
        states = [after(setup, state, move) for move in moves.tolist()]
        odds = [
            WON if each[TURN] == OVER else sign * half_moves_log_odds(setup, each)
            for each in states
        ]
        assert odds[int(likely.argmax())] == max(odds)
        state = rng.choice(states)


def test_a_leaf_before_a_shot_has_a_value_of_its_own():
    position = amazons.position(6, queens=2)
    setup, out, rng = make_half_moves(position.setup), np.zeros(2), rules.random_state(1)
    state = after(
        setup, before_slide(position.state), moves_of(setup, before_slide(position.state))[0]
    )
    assert state[LAST] >= 0
    leaf_value(setup, state, rng, out)
    assert 0.0 < out[0] < 1.0
    assert out.sum() == pytest.approx(1.0)


def test_a_slide_is_judged_by_its_best_shot():
    position = amazons.position(5, queens=1)
    setup, rng = make_half_moves(position.setup), random.Random(2)
    memory = make_after_moves(setup)
    state = before_slide(position.state)
    while state[TURN] != OVER:
        seat, slides = state[TURN], np.array(moves_of(setup, state), np.int32)
        likely, rewards, before = np.zeros(slides.size), np.zeros(2), state.copy()
        assert judge(setup, memory, state, slides, likely, rewards)
        assert np.array_equal(state, before)
        sign = 1 if seat == 0 else -1
        odds = []
        for slide in slides.tolist():
            slid = after(setup, state, slide)
            ends = [after(setup, slid, shot) for shot in moves_of(setup, slid)]
            values = [
                WON if each[TURN] == OVER else sign * half_moves_log_odds(setup, each)
                for each in ends
            ]
            odds.append(max(values))
        expected = np.exp(np.array(odds) - max(odds))
        assert likely == pytest.approx(expected / expected.sum())
        assert rewards[seat] == pytest.approx(1 / (1 + np.exp(-max(odds))))
        assert rewards.sum() == pytest.approx(1.0)
        state = after(setup, state, rng.choice(slides.tolist()))
        assert not judge(setup, memory, state, slides, likely, rewards)
        state = after(setup, state, rng.choice(moves_of(setup, state)))
