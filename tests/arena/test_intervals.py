"""Intervals of series hold the truth about as often as they say, also where starts matter."""

import random
from statistics import mean, stdev

import pytest

from ludograph.arena.intervals import of_points, of_starts, wilson


def test_one_game_per_start_is_student_s_interval():
    numbers = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]
    found = of_starts([[number] for number in numbers])
    reach = 2.365 * stdev(numbers) / len(numbers) ** 0.5  # seven degrees of freedom, from a table
    assert found.mean == mean(numbers)
    assert found.high - found.mean == pytest.approx(reach, rel=0.002)
    assert found.mean - found.low == pytest.approx(reach, rel=0.002)


def test_pairs_count_as_their_means():
    pairs = [[1.0, 4.0], [2.0, 2.0], [7.0, 3.0]]
    assert of_starts(pairs) == pytest.approx(of_starts([[mean(pair)] for pair in pairs]))


def test_games_that_are_alike_say_no_more_than_one():
    once = of_starts([[number] for number in (1.0, 2.0, 5.0)])
    assert of_starts([[number] * 2 for number in (1.0, 2.0, 5.0)]) == pytest.approx(once)


def test_wilson_is_not_certain_of_a_clean_sweep():
    assert wilson(1.0, 10).low == pytest.approx(0.7225, abs=1e-4)
    assert wilson(0.0, 10).low == pytest.approx(0)
    assert of_points([[1.0, 1.0]] * 20).low == pytest.approx(wilson(1.0, 40).low)


@pytest.mark.parametrize("interval", [of_starts, of_points])
def test_coverage_where_starts_suit_a_player(interval):
    luck = random.Random(5)
    held = 0
    for _ in range(1000):
        starts = []
        for _ in range(30):
            chance = luck.choice((0.2, 0.8))
            starts.append([float(luck.random() < chance) for _ in range(2)])
        found = interval(starts)
        held += found.low <= 0.5 <= found.high
    assert 920 <= held <= 975
