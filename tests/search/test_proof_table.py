"""The table of proofs: what was stored last is found, and what is worth most stays longest."""

import numpy as np
import pytest

from ludograph.search.proof.game import BUCKET, find, make_table, numbers_at, store
from ludograph.search.proof.stack import ENDLESS

NUMBERS = [(1, 1, 0), (3, 70_000, 5), (0, ENDLESS, 12), (ENDLESS, 0, 0), (ENDLESS - 1, 1, 9)]


@pytest.mark.slow
def test_numbers_come_back_as_they_were_stored():
    table = make_table(6)
    for number, (phi, delta, work) in enumerate(NUMBERS):
        key = np.uint64(1 + 8 * number)
        assert find(table, key) == -1
        store(table, key, phi, delta, work)
        assert numbers_at(table, find(table, key)) == (phi, delta)
        store(table, key, delta, phi, work)
        assert numbers_at(table, find(table, key)) == (delta, phi)


def test_the_least_worth_goes_when_all_places_are_taken():
    table = make_table(2)
    worths = [(1, 30, 0), (0, ENDLESS, 7), (ENDLESS, 0, 50), (20, 20, 0)]
    for number, numbers in enumerate(worths):
        store(table, np.uint64(number + 1), *numbers)
    assert len(worths) == BUCKET
    gone = []
    for number in range(BUCKET, 2 * BUCKET):
        store(table, np.uint64(number + 1), ENDLESS, 0, 1000)
        gone += [
            old for old in range(BUCKET) if old not in gone and find(table, np.uint64(old + 1)) < 0
        ]
    assert gone == [1, 0, 3, 2]


def test_words_of_a_game_belong_to_its_entry():
    table = make_table(4, words=2)
    place = store(table, np.uint64(9), 2, 3, 0)
    table[place, 2:] = 11, 12
    assert table[find(table, np.uint64(9)), 2:].tolist() == [11, 12]
    assert table[:, 2:].sum() == 23
