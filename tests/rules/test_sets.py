"""Sets of one, two and four words, against Python's own numbers."""

import random

import numpy as np
import pytest

from ludograph.rules import compiled, interpreted
from ludograph.rules.kernels import sets
from ludograph.rules.kernels.sets import as_int, from_int

COUNTS = [
    (1, 1),
    (1, 36),
    (1, 64),
    (2, 9),
    (2, 64),
    (2, 81),
    (2, 127),
    (2, 128),
    (4, 9),
    (4, 128),
    (4, 169),
    (4, 192),
    (4, 256),
]


def draw(rng, count):
    """A number of so many bits: few set, many, or just those of one word."""
    bits = rng.getrandbits(count)
    return rng.choice([bits, bits & rng.getrandbits(count), bits >> rng.randrange(count), 0])


@pytest.mark.parametrize(("words", "count"), COUNTS)
def test_two_sets(words, count):
    rng = random.Random(count)
    with interpreted():
        for _ in range(30):
            a, b = draw(rng, count), draw(rng, count)
            one, other = from_int(a, words), from_int(b, words)
            assert as_int(sets.union(one, other)) == a | b
            assert as_int(sets.common(one, other)) == a & b
            assert as_int(sets.without(one, other)) == a & ~b
            assert sets.meets(one, other) == (a & b != 0)
            assert sets.is_within(one, other) == (a & ~b == 0)


@pytest.mark.parametrize(("words", "count"), COUNTS)
def test_the_members_of_a_set(words, count):
    rng = random.Random(count)
    with interpreted():
        for _ in range(30):
            a, k = draw(rng, count), rng.randrange(count)
            members = from_int(a, words)
            assert as_int(members) == a
            assert sets.is_empty(members) == (a == 0)
            assert sets.size(members) == a.bit_count()
            assert sets.has(members, k) == (a >> k & 1)
            assert as_int(sets.with_one(members, k)) == a | 1 << k
            assert as_int(sets.without_one(members, k)) == a & ~(1 << k)
            if a:
                assert sets.first(members) == (a & -a).bit_length() - 1
                assert as_int(sets.rest(members)) == a & (a - 1)
            row = np.zeros(1 + words, np.uint64)
            sets.put_at(row, 1, members)
            assert sets.get_at(row, 1, members) == members
            assert row[0] == 0
            state = np.zeros(1 + 2 * words, np.int32)
            sets.put_into_state(state, 1, members)
            assert sets.get_of_state(state, 1, members) == members
            assert state[0] == 0


@pytest.mark.parametrize("words", sets.LENGTHS)
def test_all_and_nothing(words):
    like = from_int(1, words)
    with interpreted():
        assert as_int(sets.full(like)) == 2 ** (64 * words) - 1
        assert as_int(sets.empty(like)) == 0


@pytest.mark.parametrize(("count", "words"), [(1, 1), (64, 1), (65, 2), (128, 2), (129, 4)])
def test_how_many_words_it_takes(count, words):
    assert sets.words_for(count) == words


@compiled
def walk(members: sets.Set, row: sets.Words) -> int:
    """Write the rest of a set, and return the sum of its members."""
    sets.put(row, sets.rest(members))
    total = 0
    while not sets.is_empty(members):
        total += sets.first(members)
        members = sets.rest(members)
    return total


@pytest.mark.parametrize("words", sets.LENGTHS)
def test_machine_code(words):
    rng = random.Random(words)
    for _ in range(20):
        members = from_int(draw(rng, 64 * words), words)
        fast, slow = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
        total = walk(members, fast)
        with interpreted():
            assert walk(members, slow) == total
        assert fast.tolist() == slow.tolist()


@pytest.mark.parametrize("words", [1, 2, 4])
def test_numbers_of_any_width_are_put_into_rows(words):
    numbers = np.arange(0, 64 * words, 7, dtype=np.int32)
    row = numbers % 3
    sums = [sum(1 << each for each in numbers[row == at].tolist()) for at in range(4)]
    assert [as_int(tuple(each)) for each in sets.make_rows(row, numbers, 4, words)] == sums
