"""Games of a network against itself: what is kept of them."""

from __future__ import annotations

import numpy as np
import pytest

from ludograph import flood, hex
from ludograph.learning.selfplay import SelfPlayOptions, play_games, touched_at_most

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


def uniform(observations):
    """Judge all moves as equally likely, and all positions as even."""
    mask = observations["action_mask"]
    return np.zeros(mask.shape, np.float32), np.zeros(len(mask))


def played(start, games=4, seed=1, threads=1, **options):
    chosen = SelfPlayOptions(sims=8, short_sims=2, root_share=0.0, **options)
    return play_games([start] * games, uniform, chosen, [seed], threads=threads)


def test_every_position_has_the_result_of_its_game_and_its_end() -> None:
    start = hex.position(3, pie=False)
    samples = played(start, opening=0.0)
    assert samples.finals.shape[0] == 8  # 4 games, seen by 2 seats
    assert set(np.unique(samples.values)) == {-1.0, 1.0}
    # Without drawn moves the first position of each game is kept: nothing is on the board.
    empty = samples.counts == 9
    assert empty.sum() == 4
    # Seats take turns, so results of one game alternate.
    firsts = np.flatnonzero(empty)
    for first, after in zip(firsts, [*firsts[1:], samples.counts.size], strict=True):
        assert len(set(samples.values[first:after, 0] * (-1) ** np.arange(after - first))) == 1
    # Own stones never leave the board: all of a position are in the end that goes with it.
    own = samples.vertices[..., 0] > 0
    assert (samples.finals[samples.final][..., 0] > 0)[own].all()


def test_long_searches_alone_give_policies() -> None:
    samples = played(hex.position(3), games=8, long_share=0.5)
    totals = np.zeros(samples.counts.size)
    np.add.at(totals, np.repeat(np.arange(totals.size), samples.counts), samples.policy)
    np.testing.assert_allclose(totals, samples.weights, atol=1e-5)
    assert 0.0 < samples.weights.mean() < 1.0


def test_the_same_seed_gives_the_same_games() -> None:
    start = hex.position(3)
    one, same, other = played(start), played(start, threads=2), played(start, seed=2)
    for name in one._fields:
        np.testing.assert_array_equal(getattr(one, name), getattr(same, name))
    assert one.counts.size != other.counts.size or (one.touched != other.touched).any()


@pytest.mark.slow
def test_games_of_three_seats() -> None:
    start = flood.position(4, colors=4, seats=3, seed=1)
    options = SelfPlayOptions(sims=4, short_sims=2, root_share=0.0)
    samples = play_games([start] * 4, uniform_of_three, options, [1])
    assert samples.values.shape[1] == 3
    np.testing.assert_allclose(samples.values.sum(axis=1), 0.0, atol=1e-6)


def uniform_of_three(observations):
    """Judge all moves as equally likely, and all positions as even, for three seats."""
    mask = observations["action_mask"]
    return np.zeros(mask.shape, np.float32), np.zeros((len(mask), 3))


def test_moves_touch_as_many_vertices_as_the_rules_say() -> None:
    most, plies = touched_at_most(hex.position(3), 1)
    assert most == 1
    assert 5 <= plies <= 10
