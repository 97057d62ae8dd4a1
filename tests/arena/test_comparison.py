"""Comparisons of two players: the answer, its pairs, its sentence; alike in either order."""

import random
import re

import pytest

from ludograph.arena.comparison import Comparison, ComparisonAnswer
from tests.amounts import few


def game(number, winner):
    """Return a game that a player has won, of two with places; None for a draw."""
    seating = (0, 1) if number % 2 == 0 else (1, 0)
    ranks = tuple(1 if winner in (None, place) else 2 for place in seating)
    return number // 2, tuple("ab"[place] for place in seating), ranks


def with_points(played):
    """Return a game of two with the points in place of the ranks."""
    start, seating, ranks = played
    return start, seating, [1.5 - rank / 2 if sum(ranks) == 2 else 2.0 - rank for rank in ranks]


def compared(winners, players=("a", "b")):
    return Comparison(20.0, players, [game(*one) for one in enumerate(winners)])


@pytest.mark.parametrize(
    ("share", "answer"),
    [
        (0.75, ComparisonAnswer.FIRST),
        (0.25, ComparisonAnswer.SECOND),
        (None, ComparisonAnswer.CLOSE),
    ],
)
def test_answers_and_their_mirrors(share, answer):
    lots = random.Random(7)
    winners = [None if share is None else int(lots.random() > share) for _ in range(2000)]
    there = compared(winners)
    back = compared(winners, players=("b", "a"))
    assert there.answer == answer
    mirror = {
        ComparisonAnswer.FIRST: ComparisonAnswer.SECOND,
        ComparisonAnswer.SECOND: ComparisonAnswer.FIRST,
    }
    assert back.answer == mirror.get(answer, answer)
    assert back.pairs == (there.pairs.second, there.pairs.first, there.pairs.even)
    if share is not None:
        assert there.sentence == back.sentence
        assert 0 < there.pairs.total < 1000


@pytest.mark.parametrize("winner", [0, 1])
def test_a_large_difference_takes_few_pairs(winner):
    found = compared([winner] * 40)
    assert found.answer == (ComparisonAnswer.FIRST, ComparisonAnswer.SECOND)[winner]
    assert found.pairs.total <= 12


@pytest.mark.slow
def test_wrong_answers_are_rare_among_equal_players():
    lots = random.Random(3)
    wrong = 0
    for _ in range(few(20, 200)):
        found = Comparison(100.0, ("a", "b"))
        for number in range(200):
            found.add(*with_points(game(number, lots.randrange(2))))
        wrong += found.answer in (ComparisonAnswer.FIRST, ComparisonAnswer.SECOND)
    assert wrong <= few(5, 20)  # 5 % are 1 and 10; more come once in a thousand at most


def test_the_order_in_which_games_end_does_not_matter():
    lots = random.Random(5)
    winners = [int(lots.random() > 0.7) for _ in range(400)]
    games = [game(number, winner) for number, winner in enumerate(winners)]
    lots.shuffle(games)
    found = Comparison(20.0, ("a", "b"))
    for each in games:
        found.add(*with_points(each))
    assert found.sentence == compared(winners).sentence


def test_no_difference_is_said_so():
    found = compared([0, 1, 0, 0, 1, 1])
    assert found.answer == ComparisonAnswer.OPEN
    told = found.sentence
    assert re.fullmatch(
        r"No difference .*\ba\b.*\bb\b.* 6 games: 1 of 3 .*\ba, 1 .*\bb, 1 .*", told
    )
