"""Results as arrays say what the same games say one by one."""

import random

import pytest

from ludograph.arena import Results
from ludograph.arena.finished_game import FinishedGame, SeatResult, points_of
from ludograph.arena.results import RunningResults
from ludograph.errors import InvalidInput
from tests.arena.games import Row, rows


def of_chance(count, seed, names="abcdef", most=4):
    """Games of one seat to four."""
    rng = random.Random(seed)
    found = []
    for start in range(count):
        seats = rng.randint(1, most)
        found.append(
            Row(
                rng.randrange(4),
                tuple(rng.sample(names, seats)),
                tuple(rng.randint(1, seats) for _ in range(seats)),
                rng.choice([(), tuple(rng.choice(["crash", "timeout"]) for _ in range(seats))]),
                tuple(rng.choice([0.0, 0.5, -3.0]) for _ in range(seats)),
                start,
            )
        )
    return found


@pytest.mark.parametrize("seed", range(8))
def test_parts_and_sums_are_those_of_lists(seed):
    few, many = of_chance(seed, seed, "abc", most=1 + seed % 3), of_chance(30, seed)
    both = Results.of(few) + Results.of(many)
    assert rows(both) == few + many
    assert rows(both[-9:]) == (few + many)[-9:]
    assert rows(both[both.lines % 2 == 1]) == [one for one in few + many if one.line % 2]
    assert rows(both.among("abde")) == [g for g in few + many if set(g.seating) <= set("abde")]
    assert rows(both.sorted()) == sorted(few + many, key=lambda one: one[:3])
    assert both.seated == list(dict.fromkeys(name for one in few + many for name in one.seating))
    assert Results.of(both) is both
    called = both.renamed(lambda name: "x" if name in "ab" else name)
    assert called.seatings == [
        tuple("x" if name in "ab" else name for name in one.seating) for one in few + many
    ]


@pytest.mark.parametrize("seed", range(4))
def test_points_are_those_of_each_game(seed):
    games = [one for one in of_chance(60, seed) if len(one.seating) > 1]
    results = Results.of(games)
    for one, found in zip(games, results.points.tolist(), strict=True):
        assert found[: len(one.seating)] == one.points
        if not all(one.forfeits or [""]):
            assert list(points_of(one.ranks)) == one.points
    for name, total in results.totals.items():
        own = [one for one in games if name in one.seating]
        assert total == pytest.approx(sum(one.points[one.seating.index(name)] for one in own))
        assert results.counts[name] == len(own)
    assert Results.of([(0, "a", (1,))]).points.tolist() == [[0.0]]


def test_a_row_must_have_a_value_for_each_seat():
    for row in (
        (7, ("a", "b"), (1,)),
        (7, ("a", "b"), (1, 2), ("crash",)),
        (7, ("a", "b"), (1, 2), (), (1.0, 2.0, 3.0)),
    ):
        with pytest.raises(InvalidInput, match="start 7: 2 players"):
            Results.of([row])


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
