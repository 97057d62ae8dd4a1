"""What the next tile is expected to close: the same as by laying every tile everywhere."""

import numpy as np
import pytest

from ludograph import carcassonne, rules
from ludograph.games.carcassonne import course
from ludograph.games.carcassonne.closing import expected_gain
from tests.amounts import slow_but


def slow_gain(position):
    """The mean over the deck of the most that a placement brings, and the most by itself."""
    codes = np.array(position.legal_moves(), np.int32)
    weights = np.zeros(codes.size)
    rules.weights(position.setup, position.state, codes, weights)
    total = 0.0
    for code, weight in zip(codes.tolist(), weights.tolist(), strict=True):
        dealt = position.copy()
        dealt.push(code)
        if dealt.turn is not None:
            total += weight * most(dealt)
    return total


def most(dealt):
    before, best = dealt.scores()[dealt.turn], 0.0
    for move in dealt.legal_moves():
        after = dealt.copy()
        after.push(move)
        best = max(best, after.scores()[dealt.turn] - before)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_but([0], range(3)))
def test_it_is_what_laying_all_tiles_brings(seed):
    """But for loops that both ends of a tile close at once, which are seldom."""
    position = carcassonne.position(deck=course(24), mode="no-meeple", seed=seed)
    rng = rules.random_state(seed)
    compared = exact = 0
    while not position.is_over:
        state = position.state.copy()
        if position.is_chance and position.ply > 1:
            expected, found = slow_gain(position), expected_gain(position.setup, state)
        elif not position.is_chance:
            expected, found = most(position), expected_gain(position.setup, state)
        else:
            position.play_random(rng)
            continue
        assert found <= expected + 1e-9
        compared += 1
        exact += abs(found - expected) < 1e-9
        position.play_random(rng)
    assert compared > 20
    assert exact > 0.8 * compared


@pytest.mark.slow
def test_the_evaluation_gives_it_to_the_seat_that_is_dealt_to():
    position = carcassonne.position(mode="no-meeple", seed=4)
    rng, out = rules.random_state(4), np.zeros(2)
    for _ in range(41):
        position.play_random(rng)
    while not position.is_chance:
        position.play_random(rng)
    rules.evaluate(position.setup, position.state, out)
    gain = expected_gain(position.setup, position.state.copy())
    more = (out - np.array(position.scores())).tolist()
    assert sorted(more) == pytest.approx([0.0, gain])
