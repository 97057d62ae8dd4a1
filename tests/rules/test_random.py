"""Random numbers: the same anywhere, spread evenly, independent by stream."""

from collections import Counter

import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import random_below, random_bits, random_state, random_unit

# SplitMix64 from the state 1234567, as published with the algorithm's reference program.
KNOWN = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]


def test_known_values() -> None:
    rng = np.array([1234567], np.uint64)
    assert [int(random_bits(rng)) for _ in KNOWN] == KNOWN
    rng = np.array([1234567], np.uint64)
    with rules.interpreted():
        assert [int(random_bits(rng)) for _ in KNOWN] == KNOWN


@pytest.mark.parametrize("bound", [1, 2, 6, 7, 1000])
def test_below_is_even(bound: int) -> None:
    rng = random_state(3)
    draws = 2000 * min(bound, 20)
    counts = Counter(int(random_below(rng, bound)) for _ in range(draws))
    assert set(counts) <= set(range(bound))
    if bound <= 7:
        for number in range(bound):
            assert abs(counts[number] - draws / bound) < 6 * (draws / bound) ** 0.5


def test_unit_is_even() -> None:
    rng = random_state(4)
    numbers = [random_unit(rng) for _ in range(5000)]
    assert all(0 <= number < 1 for number in numbers)
    assert abs(sum(numbers) / 5000 - 0.5) < 0.03


def test_integers_of_numpy_are_seeds_and_other_values_are_not() -> None:
    for seed in (np.int64(5), np.uint8(5), np.uint64(5)):
        assert random_state(seed, np.int32(3)) == random_state(5, 3)
    assert random_state(np.int8(-1)) == random_state(-1)
    with pytest.raises(TypeError):
        random_state(1.5)  # type: ignore[arg-type]


def test_seeds_and_streams_differ() -> None:
    states = {
        int(random_state(seed, *stream)[0])
        for seed in range(-50, 50)
        for stream in [(), (0,), (1,), (0, 0), (0, 1), (1, 0)]
    }
    assert len(states) == 600
    assert random_state(7, 2)[0] == random_state(7, 2)[0]
    assert random_state(1 << 70)[0] == random_state(0)[0], "only 64 bits of a seed count"
