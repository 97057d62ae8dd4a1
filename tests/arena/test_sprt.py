"""The sequential test: figures published by others, symmetry, and error rates by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.arena import Sprt, pentanomial
from ludograph.arena.sprt import NORMALIZED, SCORES, Scale, SprtVerdict, expected_score
from ludograph.errors import InvalidInput
from tests.amounts import amount
from tests.arena.games import DRAWN, LOST, WON, game

COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5)


def test_the_ratio_is_what_testers_of_chess_engines_print():
    """Raw statistics of a test that a fishtest server shows, in both kinds of Elo."""
    counts = (13, 37, 50, 25, 3)
    assert Sprt(0, 4, scale=Scale.NORMALIZED).llr(counts) == pytest.approx(-0.54912, abs=1e-5)
    assert Sprt(0, 2.716).llr(counts) == pytest.approx(-0.53772, abs=1e-4)  # 2.716 is rounded
    assert Sprt(0, 4).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)


@given(COUNTS, st.sampled_from(Scale))
@settings(max_examples=amount(40), deadline=None)
def test_exchanging_the_players_turns_the_test_around(counts, scale):
    ours = Sprt(-3, 12, scale=scale).llr(counts)
    theirs = Sprt(-12, 3, scale=scale).llr(counts[::-1])
    assert ours == pytest.approx(-theirs, abs=1e-6)


@given(COUNTS.filter(any))
@settings(max_examples=20, deadline=None)
def test_the_ratio_is_that_of_likelihoods_at_their_highest(counts):
    """No other distribution with the expected score of a hypothesis makes the results likelier."""
    sprt = Sprt(0, 30)
    filled = np.array([count or 1e-3 for count in counts])
    seen = filled / filled.sum()
    values = np.array(SCORES)
    rng = np.random.default_rng(1)
    for elo in (0, 30):
        best = np.array(sprt._likeliest(list(seen), elo))
        assert best.sum() == pytest.approx(1, abs=1e-6)
        assert best @ values == pytest.approx(expected_score(elo), abs=1e-6)
        # moves that keep both the sum and the mean
        free = np.linalg.svd(np.array([np.ones(5), values]))[2][2:]
        for _ in range(20):
            other = best + 0.3 * best.min() * (rng.normal(size=3) @ free)
            if other.min() > 0:
                assert seen @ np.log(other) <= seen @ np.log(best) + 1e-9


@given(COUNTS, st.floats(-150, 150))
@settings(max_examples=amount(40), deadline=None)
def test_a_normalized_hypothesis_has_its_mean_so_many_deviations_from_even(counts, elo):
    sprt = Sprt(-200, 200, scale=Scale.NORMALIZED)
    filled = [count or 1e-3 for count in counts]
    values = np.array(SCORES)
    found = np.array(sprt._likeliest([count / sum(filled) for count in filled], elo))
    mean = found @ values
    deviation = math.sqrt(found @ (values - mean) ** 2) * math.sqrt(2)  # of one game
    assert found.min() > 0
    assert (mean - 0.5) / deviation * NORMALIZED == pytest.approx(elo, abs=0.01)


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


def test_pairs_are_counted_once_both_games_are_there():
    games = [
        game(0, "ab", WON),
        game(0, "ba", LOST),  # a wins both
        game(1, "ab", DRAWN),
        game(1, "ba", WON),  # half a point
        game(2, "ab", WON),  # no partner yet
        game(0, "ac", LOST),
        game(0, "ca", WON),  # none
        game(3, "bc", WON),
        game(3, "cb", WON),  # not of a
    ]
    assert pentanomial(games, "a") == (1, 1, 0, 0, 1)
    assert pentanomial(games, "b") == (1, 0, 1, 1, 0)
    with pytest.raises(InvalidInput, match="two seats"):
        pentanomial([game(0, "abc", (1, 2, 3))], "a")


def test_before_any_pair_nothing_is_known():
    state = Sprt(0, 10).state((0, 0, 0, 0, 0))
    assert (state.llr, state.verdict, state.pairs) == (0, SprtVerdict.GOES_ON, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elo0": 10, "elo1": 10}, "elo0=10 .*elo1=10"),
        ({"elo0": 0, "elo1": 5000}, "2000"),
        ({"elo0": 0, "elo1": 300, "scale": Scale.NORMALIZED}, "200"),
        ({"elo0": 0, "elo1": 10, "alpha": 0}, "alpha=0"),
        ({"elo0": 0, "elo1": 10, "beta": 0.7}, "beta=0.7"),
        ({"elo0": math.nan, "elo1": 10}, "elo0=nan"),
    ],
)
def test_wrong_settings_get_a_sentence(settings, message):
    with pytest.raises(InvalidInput, match=message):
        Sprt(**settings)


@pytest.mark.parametrize(
    ("elo0", "elo1", "verdict", "said"),
    [
        (0, 50, SprtVerdict.UPPER, "a is shown to be better than b"),
        (10, 50, SprtVerdict.UPPER, "a is shown to be more than 10 Elo better than b"),
        (
            -5,
            0,
            SprtVerdict.UPPER,
            "a is shown to be less than 5 Elo weaker than b, if it is weaker",
        ),
        (-5, 0, SprtVerdict.LOWER, "a is shown to be weaker than b"),
        (
            0,
            50,
            SprtVerdict.LOWER,
            "a is shown to be less than 50 Elo better than b, if it is better",
        ),
        (-9, -3, SprtVerdict.LOWER, "a is shown to be more than 3 Elo weaker than b"),
        (
            -5,
            0,
            SprtVerdict.GOES_ON,
            "not decided yet whether a is equal to b or 5 Elo weaker than it",
        ),
    ],
)
def test_a_conclusion_rejects_a_hypothesis_of_the_named_players(elo0, elo1, verdict, said):
    assert said in Sprt(elo0, elo1).conclusion(verdict, "a", "b")
    normalized = Sprt(elo0, elo1, scale=Scale.NORMALIZED).conclusion(verdict, "a", "b")
    assert said.replace(" Elo", " normalized Elo") in normalized
