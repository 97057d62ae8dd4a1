"""Results as arrays say what the same games say one by one."""

import random

import pytest

from ludograph.arena import Results
from ludograph.arena.finished_game import FinishedGame, SeatResult, points_of
from ludograph.arena.results import RunningResults
from ludograph.errors import InvalidInput
from tests.arena.games import Row, rows


def of_chance(count, seed, seats, names="abcdef"):
    rng = random.Random(seed)
    return [
        Row(
            rng.randrange(4),
            tuple(rng.sample(names, seats)),
            tuple(rng.randint(1, seats) for _ in range(seats)),
            rng.choice([(), tuple(rng.choice(["crash", "timeout"]) for _ in range(seats))]),
            tuple(rng.choice([0.0, 0.5, -3.0]) for _ in range(seats)),
            line,
        )
        for line in range(count)
    ]


@pytest.mark.parametrize("seats", [1, 2, 3])
@pytest.mark.parametrize("few", [0, 3])
def test_parts_and_sums_are_those_of_lists(seats, few):
    first, then = of_chance(few, seats, seats, "abc"), of_chance(30, few, seats)
    games, both = first + then, Results.of(first) + Results.of(then)
    assert rows(both) == rows(both + both[:0]) == rows(both[:0] + both) == games
    assert rows(both[-9:]) == games[-9:]
    assert rows(both[both.lines % 2 == 1]) == [one for one in games if one.line % 2]
    assert rows(both.among("abde")) == [one for one in games if set(one.seating) <= set("abde")]
    assert rows(both.sorted()) == sorted(games, key=lambda one: one[:3])
    assert both.seated == list(dict.fromkeys(name for one in games for name in one.seating))
    called = both.renamed(lambda name: "x" if name in "ab" else name)
    assert called.seatings == [
        tuple("x" if name in "ab" else name for name in one.seating) for one in games
    ]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_points_are_those_of_each_game(seats):
    games = of_chance(60, seats, seats)
    results = Results.of(games)
    assert results.points.tolist() == [one.points for one in games]
    for one in games:
        if not one.forfeits:
            assert list(points_of(one.ranks)) == one.points
    for name, total in results.totals.items():
        own = [one for one in games if name in one.seating]
        assert total == pytest.approx(sum(one.points[one.seating.index(name)] for one in own))
        assert results.counts[name] == len(own)
    assert Results.of([(0, "a", (1,))]).points.tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ((7, ("a", "b", "c"), (1, 2, 3)), "3 players"),
        ((7, ("a", "b"), (1,)), "1 ranks"),
        ((7, ("a", "b"), (1, 2), ("crash",)), "1 forfeits"),
        ((7, ("a", "b"), (1, 2), (), (1.0, 2.0, 3.0)), "3 scores"),
    ],
)
def test_games_have_one_number_of_seats_and_a_value_for_each(row, wrong):
    with pytest.raises(InvalidInput, match=f"start 7: {wrong} among games of 2 seats"):
        Results.of([(6, ("a", "b"), (1, 2)), row])


def finished(start, forfeit=None):
    seats = (SeatResult("a", 2, 0.5, 1, 0.0, forfeit), SeatResult("b", 1, 3.0, 1, 0.0))
    return FinishedGame(
        start=start, seed=0, board="toy", reason="finished", plies=2, sentence="b won",
        seats=seats, line=9,
    )  # fmt: skip


def test_games_that_end_are_added_and_only_the_latest_are_held():
    running = RunningResults(Results.of([]), most=3)
    for start in range(5):
        running.add(finished(start, "crash" if start == 4 else None))
    assert len(running) == 3
    forfeits = [(), (), ("crash", "")]
    assert rows(running.results) == [
        Row(start, ("a", "b"), (2, 1), forfeits[start - 2], (0.5, 3.0), 9) for start in (2, 3, 4)
    ]
    assert finished(0).points == (0.0, 1.0)
    assert finished(0, "crash").points == (0.0, 1.0)
