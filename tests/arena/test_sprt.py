"""The sequential test: figures published by others, symmetry, and error rates by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.arena import Sprt
from ludograph.arena.comparison import SCORES, SprtVerdict, expected_score, likeliest_with_mean
from ludograph.errors import InvalidInput
from tests.amounts import amount

COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5)


def test_the_ratio_is_what_testers_of_chess_engines_print():
    """Raw statistics of a test that a fishtest server shows."""
    counts = (13, 37, 50, 25, 3)
    assert Sprt(0, 2.716).llr(counts, 2.716) == pytest.approx(
        -0.53772, abs=1e-4
    )  # 2.716 is rounded
    assert Sprt(0, 4).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)


@given(COUNTS)
@settings(max_examples=amount(40), deadline=None)
def test_exchanging_the_players_turns_the_test_around(counts):
    ours = Sprt(-3, 12).llr(counts, 12)
    theirs = Sprt(-12, 3).llr(counts[::-1], 3)
    assert ours == pytest.approx(-theirs, abs=1e-6)


@given(COUNTS.filter(any))
@settings(max_examples=20, deadline=None)
def test_the_ratio_is_that_of_likelihoods_at_their_highest(counts):
    """No other distribution with the expected score of a hypothesis makes the results likelier."""
    filled = np.array([count or 1e-3 for count in counts])
    seen = filled / filled.sum()
    values = np.array(SCORES)
    rng = np.random.default_rng(1)
    for elo in (0, 30):
        best = np.array(likeliest_with_mean(list(seen), SCORES, expected_score(elo)))
        assert best.sum() == pytest.approx(1, abs=1e-6)
        assert best @ values == pytest.approx(expected_score(elo), abs=1e-6)
        # moves that keep both the sum and the mean
        free = np.linalg.svd(np.array([np.ones(5), values]))[2][2:]
        for _ in range(20):
            other = best + 0.3 * best.min() * (rng.normal(size=3) @ free)
            if other.min() > 0:
                assert seen @ np.log(other) <= seen @ np.log(best) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("true", "wrong"), [(0, SprtVerdict.UPPER), (60, SprtVerdict.LOWER)])
def test_error_rates_are_about_what_was_asked_for(true, wrong):
    """Pairs of games on biased starts; 10 % allowed, and of 200 tests the deviation is 2 %."""
    sprt = Sprt(0, 60, alpha=0.1, beta=0.1)
    rng = np.random.default_rng(3)
    errors, lengths = 0, []
    for _ in range(200):
        counts = [0] * 5
        while (state := sprt.state(counts)).verdict == SprtVerdict.GOES_ON:
            for _ in range(8):
                counts[pair(rng, true)] += 1
        errors += state.verdict == wrong
        lengths.append(state.pairs)
    assert errors / 200 < 0.16
    assert 20 < np.mean(lengths) < 200


def pair(rng, elo):
    """Return the half points of two games, with a start that favors whoever moves first.

    Scores of the whole pair are those of the given Elo: bias shifts one game up, the other down.
    """
    score, bias = expected_score(elo), rng.choice([0.0, 0.3])
    draws = 0.1
    points = 0
    for side in (1, -1):
        win = score + side * bias - draws / 2
        drawn = rng.random()
        points += 2 if drawn < win else 1 if drawn < win + draws else 0
    return points


def test_before_any_pair_nothing_is_known():
    state = Sprt(0, 10).state((0, 0, 0, 0, 0))
    assert (state.llr, state.verdict, state.pairs) == (0, SprtVerdict.GOES_ON, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elo0": 10, "elo1": 10}, "elo0=10 .*elo1=10"),
        ({"elo0": 0, "elo1": 5000}, "2000"),
        ({"elo0": 0, "elo1": 10, "alpha": 0}, "alpha=0"),
        ({"elo0": 0, "elo1": 10, "beta": 0.7}, "beta=0.7"),
        ({"elo0": math.nan, "elo1": 10}, "elo0=nan"),
    ],
)
def test_wrong_settings_get_a_sentence(settings, message):
    with pytest.raises(InvalidInput, match=message):
        Sprt(**settings)
