"""Amazons and OpenSpiel's amazons, which others have written in C++, play the same games.

There a move is three: from, to, and where to shoot.
"""

import random

import pytest

from ludograph import amazons, rules
from tests import openspiel

pytestmark = pytest.mark.slow

pyspiel = openspiel.part("pyspiel")

SIZES = (6, 8, 10)
"""All that it has."""

GAMES = 20


def three_steps(state):
    """All moves in OpenSpiel's own tree: the three actions of each."""
    return {
        (source, target, arrow)
        for source in state.legal_actions()
        for target in after(state, source).legal_actions()
        for arrow in after(state, source, target).legal_actions()
    }


def after(state, *actions):
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


def steps_of(position, move):
    n = position.board.n
    return move // (n * n), move // n % n, move % n


def compare(position, state):
    assert position.is_over == state.is_terminal()
    if state.is_terminal():
        assert tuple(state.returns()) == tuple(2 * score - 1 for score in position.scores())
        return
    assert position.turn == state.current_player()
    moves = [steps_of(position, move) for move in position.legal_moves()]
    assert sorted(moves) == sorted(three_steps(state))


@pytest.mark.parametrize("size", SIZES)
def test_random_games(size):
    rng = random.Random(size)
    game = pyspiel.load_game(f"amazons(board_size={size})")
    winners = set()
    for number in range(GAMES):
        position, state = amazons.position(size), game.new_initial_state()
        while not state.is_terminal():
            if position.ply % 10 == number % 10 or position.ply > size * size - 20:
                compare(position, state)
            move = rng.choice(position.legal_moves())
            for action in steps_of(position, move):
                assert action in state.legal_actions()
                state.apply_action(action)
            rules.play(position.setup, position.state, move)
        compare(position, state)
        winners.add(position.outcome().winner)
    assert winners == {0, 1}


@pytest.mark.parametrize("size", SIZES)
def test_the_board_looks_the_same(size):
    signs = {"O": "X", "X": "O", ".": "."}
    text = str(pyspiel.load_game(f"amazons(board_size={size})").new_initial_state())
    theirs = "".join(signs[sign] for sign in text if sign in signs)
    assert "".join(str(amazons.position(size)).split()) == theirs
