"""Playouts of Hex: the line between the colors against a search of the whole board."""

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex.playouts import crosses, fill, follow_border
from ludograph.games.hex.rules import CELLS, FREE, STONE, WINNER
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.rules import OVER, TURN
from ludograph.search.mcts.hints import amaf_playout

SIZES = [1, 2, 3, 5, 8, 11]


def some_way_in(size, seed, stones):
    """A position after some random stones, not over; None where the game ended before."""
    position = hex.position(size, pie=False)
    state, rng = position.state.copy(), rules.random_state(seed, 7)
    for _ in range(stones):
        rules.play(position.setup, state, rules.sample_move(position.setup, state, rng))
        if state[TURN] == OVER:
            return position.setup, None
    return position.setup, state


@pytest.mark.parametrize("size", SIZES)
def test_the_line_finds_the_winner_of_full_boards(size):
    setup, start = some_way_in(size, 0, 0)
    generator = np.random.default_rng(size)
    for _ in range(300):
        state = start.copy()
        share = generator.choice([0.3, 0.5, 0.7])
        state[CELLS + setup.free] = STONE - (generator.random(setup.free.size) < share)
        state[FREE] = 0
        state[TURN] = OVER
        follow_border(setup, state, rules.random_state(1))
        assert crosses(setup, state, int(state[WINNER]))
        assert not crosses(setup, state, 1 - int(state[WINNER]))


@pytest.mark.parametrize("size", SIZES)
def test_what_a_short_playout_leaves_open_cannot_change_its_winner(size):
    for seed in range(60):
        setup, state = some_way_in(size, seed, seed % (size * size))
        if state is None:
            continue
        out = np.zeros(2)
        rules.playout(setup, state, rules.random_state(seed), out)
        for color in (BLACK, WHITE):
            full = state.copy()
            cells = full[CELLS + setup.free]
            full[CELLS + setup.free] = np.where(cells >= 0, STONE - color, cells)
            assert crosses(setup, full, int(state[WINNER]))


@pytest.mark.parametrize(("size", "stones"), [(3, 0), (4, 3), (5, 8), (6, 1)])
def test_short_playouts_are_won_as_often_as_boards_filled_at_random(size, stones):
    games = 20_000
    setup, start = next(
        found for seed in range(99) if (found := some_way_in(size, seed, stones))[1] is not None
    )
    rng, out, short, filled = rules.random_state(3), np.zeros(2), 0, 0
    for _ in range(games):
        rules.playout(setup, start.copy(), rng, out)
        short += out[0]
        state = start.copy()
        fill(setup, state, rng)
        filled += crosses(setup, state, BLACK)
    assert abs(short - filled) / games < 0.025  # five standard deviations


def test_full_playouts_complete_the_bridges_that_are_intruded_into():
    """White's stones reach from side to side by bridges: whatever black plays, white joins them."""
    position = hex.position(5, pie=False)
    for move in ["a1", "e1", "a2", "c2", "b1", "a3", "c5"]:
        position.play(position.parse(move))
    out = np.zeros(2)
    for seed in range(200):
        amaf_playout(position.setup, position.state.copy(), rules.random_state(seed), out)
        assert out[1] == 1.0
