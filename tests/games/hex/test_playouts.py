"""Playouts of Hex: the line between the colors against a search of the whole board."""

from collections import defaultdict

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex.playouts import crosses, fill, follow_border
from ludograph.games.hex.rules import CELLS, FREE, STONE, WINNER
from ludograph.games.hex.setup import BLACK, NOBODY, WHITE
from ludograph.rules import OVER, TURN
from ludograph.search.mcts.hints import leaf_value
from tests.games.hex.solving.boards import random_position

CLOCKWISE = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
"""To the neighbors of a cell from north on, in rows and columns."""

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_playouts_at_leaves_complete_the_bridges_that_are_intruded_into():
    """White's stones reach from side to side by bridges: whatever black plays, white joins them."""
    position = hex.position(5, pie=False)
    for move in ["a1", "e1", "a2", "c2", "b1", "a3", "c5"]:
        position.play(position.parse(move))
    out = np.zeros(2)
    for seed in range(200):
        leaf_value(position.setup, position.state.copy(), rules.random_state(seed), out)
        assert out[1] == 1.0


def answers(stones, columns, last, color):
    """Return who may be played next: the first gap in a bridge around the last move, or any."""
    row, column = divmod(last, columns)
    around = [(row + down) * columns + column + right for down, right in CLOCKWISE]
    for side, vertex in enumerate(around):
        beside = stones[around[side - 1]], stones[around[(side + 1) % 6]]
        if stones[vertex] == NOBODY and beside == (color, color):
            return [vertex]
    return np.flatnonzero(stones == NOBODY).tolist()


def ends(stones, columns, last, color):
    """Yield (chance, full board) of all playouts."""
    if (stones != NOBODY).all():
        yield 1.0, tuple(stones.tolist())
        return
    moves = answers(stones, columns, last, color)
    for vertex in moves:
        after = stones.copy()
        after[vertex] = color
        for chance, board in ends(after, columns, vertex, 1 - color):
            yield chance / len(moves), board


@pytest.mark.slow
@pytest.mark.parametrize(("size", "left"), [(3, 5), (4, 5), (5, 4)])
def test_boards_are_filled_as_often_as_answers_at_bridges_say(size, left):
    rng, out, games = rules.random_state(size), np.zeros(2), 3000
    for seed in range(6):
        position = random_position(np.random.default_rng(seed), size, False, size * size - left)
        setup = position.setup
        expected, counts = defaultdict(float), defaultdict(int)
        begin = position.stones, setup.columns, position.last_vertex, position.color_to_move
        for chance, board in ends(*begin):
            expected[board] += chance
        for _ in range(games):
            state = position.state.copy()
            leaf_value(setup, state, rng, out)
            cells = state[CELLS : CELLS + setup.owners.size]
            counts[tuple((STONE - cells).tolist())] += 1
        assert set(counts) <= set(expected)
        for board, chance in expected.items():
            spread = (chance * (1 - chance) / games) ** 0.5
            assert abs(counts[board] / games - chance) <= 5 * spread + 1e-9


def test_plain_python_fills_the_same_boards():
    position = hex.position(4, pie=False)
    position.play("b2")
    for seed in range(5):
        compiled, plain, out = position.state.copy(), position.state.copy(), np.zeros(2)
        leaf_value(position.setup, compiled, rules.random_state(seed), out)
        with rules.interpreted():
            leaf_value(position.setup, plain, rules.random_state(seed), out)
        assert np.array_equal(compiled, plain)
