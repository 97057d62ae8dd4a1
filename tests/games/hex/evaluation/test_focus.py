"""Hex with few moves a position: what wins or saves at once, or the busiest vertices."""

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.evaluation.distances import shortest_paths
from ludograph.games.hex.evaluation.focus import focused
from ludograph.games.hex.rules import swap_of
from ludograph.rules import OVER, TURN
from ludograph.search.hints import candidates
from tests.games.hex.boards import tangle
from tests.games.hex.evaluation.busiest import busiest

BOARDS = {"h": hex_board(6, "h"), "c": hex_board(5, "c"), "tangle": tangle(1)}
WIDTH = 5


def moves_of(setup, state):
    out = np.empty(rules.info(setup).move_capacity, np.int32)
    return out[: candidates(setup, state, out)].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["h", pytest.param("c", marks=pytest.mark.slow), "tangle"])
def test_moves_are_those_that_matter(name):
    seen = set()
    for seed in range(6):
        position = hex.position(BOARDS[name])
        setup = focused(position.setup, WIDTH)
        rng = rules.random_state(seed)
        while not position.is_over:
            state = position.state.copy()
            color = int(hex.presentation.seat_facts(position, position.turn).color == "white")
            own, other = (
                shortest_paths(position.setup, state, each) for each in (color, 1 - color)
            )
            expected = busiest(position.setup, state, WIDTH)
            kind = "busiest"
            for paths in (other, own):
                if paths.length == 1:
                    expected, kind = sorted(paths.vertices), "at once"
            seen.add(kind)
            assert moves_of(setup, state) == expected
            assert np.array_equal(state, position.state)
            assert swap_of(position.setup) not in expected
            position.play_random(rng)
        assert moves_of(setup, position.state) == []
    assert seen == ({"at once"} if name == "tangle" else {"busiest", "at once"})


@pytest.mark.slow
def test_the_game_is_hex():
    position = hex.position(BOARDS["h"], pie=False)
    setup = focused(position.setup, WIDTH)
    state, out = np.zeros(rules.info(setup).state_size, np.int32), np.zeros((3, 2))
    rules.start(setup, state)
    rng = rules.random_state(2)
    while state[TURN] != OVER:
        rules.evaluate(setup, state, out[0])
        assert out[0].sum() == pytest.approx(1.0)
        assert (out[0] > 0.0).all()
        moves = moves_of(setup, state)
        move = moves[rules.random_below(rng, len(moves))]
        rules.play(setup, state, move)
        position.play(move)
        assert np.array_equal(state, position.state)
        assert rules.key(setup, state) == rules.key(position.setup, state)
    rules.evaluate(setup, state, out[0])
    rules.scores(setup, state, out[1])
    assert out[0].tolist() == out[1].tolist() == list(position.scores())
