"""What players of Penguins are sure of, and what they can have at most."""

import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.search.hints import score_bounds_at
from ludograph.search.searched import OWN
from tests.amounts import few
from tests.games.penguins.boards import TILINGS
from tests.games.twins import twin
from tests.reference.penguins_solve import best_margin

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


def bounds_of(position):
    """The bounds of each seat, None where nothing is known."""
    low, high = np.zeros(position.seats), np.zeros(position.seats)
    known = score_bounds_at(penguins.search_view(position, OWN).setup, position.state, low, high)
    return (low.tolist(), high.tolist()) if known else None


@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_no_game_ends_beyond_them(tiling, seats):
    for seed in range(few(4, 10)):
        board = penguins.board(tiling, 5, 5)
        position = penguins.position(board, seats=seats, penguins=2, seed=seed)
        rng = rules.random_state(seed)
        most = []
        while not position.is_over:
            bounds = bounds_of(position)
            assert (bounds is None) == (position.ply < 2 * seats)
            if bounds is not None:
                assert all(low <= high for low, high in zip(*bounds, strict=True))
                most.append(bounds[1])
            position.play_random(rng)
        assert np.all(position.scores() <= np.min(most, axis=0))


@pytest.mark.parametrize("tiling", TILINGS)
def test_best_play_ends_between_them(tiling):
    tight = 0
    for seed in range(few(4, 30)):
        board = penguins.board(tiling, 5, 4)
        position = penguins.position(board, penguins=1 + seed % 2, seed=seed)
        slow, rng = twin(position), rules.random_state(seed)
        game = slow.game
        while not position.is_over and len(game.melted) + len(game.standing) < 11:
            slow.play(position.play_random(rng))
        if not position.is_over:
            low, high = bounds_of(position)
            margin = game.scores()[0] - game.scores()[1] + best_margin(game, {})
            assert low[0] - high[1] <= margin <= high[0] - low[1]
            tight += low != high
    assert tight > few(0, 2)


def test_who_was_eliminated_stays_so():
    position = penguins.position(penguins.board("full-tetra", 3, 3), penguins=1, fish=[1] * 9)
    for tile in ("0", "8"):
        position.play(tile)
    assert bounds_of(position) == ([1.0, 1.0], [8.0, 8.0])
    position.drop(0)
    assert bounds_of(position) == ([-1.0, 8.0], [-1.0, 8.0])
