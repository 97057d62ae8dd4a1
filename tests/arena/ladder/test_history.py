"""What a ladder asks of its store."""

import os

import pytest

from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.store import Store, history
from ludograph.arena.store.history import (
    games_of,
    label_of,
    latest_games,
    next_start,
    open_starts,
    thin_records,
    versions_of,
)

VERSIONS = {"a.py": "a" * 64, "b.py": "b" * 64}


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "games.db") as opened:
        yield opened


@pytest.fixture
def number(store):
    return store.enroll("key", "toy", {"title": "a toy"})


def add(store, number, start, *names, versions=None, record=b"x", forfeit=None):
    seats = tuple(
        SeatResult(name, 1 + seat, 0.0, 1, 0.0, forfeit if seat else None)
        for seat, name in enumerate(names)
    )
    made = FinishedGame(
        start=start, seed=0, board="toy", reason="finished", plies=1, sentence="so it went",
        seats=seats, record=record,
    )  # fmt: skip
    store.add(number, made, versions or VERSIONS)


def test_the_latest_games_come_by_versions(store, number):
    for start in range(5):
        add(store, number, start, "a.py", "greedy")
    found = latest_games(store, number, 2)
    assert found.starts.tolist() == [3, 4]
    assert found.seatings[0] == (label_of("a.py", "a" * 64), "greedy")
    assert next_start(store, number) == 5
    assert len(latest_games(store, number + 1, 2)) == 0
    assert next_start(store, number + 1) == 0


def test_games_that_a_start_lacks_are_found(store, number):
    for names in (("a.py", "b.py", "c"), ("b.py", "c", "a.py")):
        add(store, number, 0, *names)
    (missing,) = open_starts(store, number, 3)
    assert missing.seating == ("c", label_of("a.py", "a" * 64), label_of("b.py", "b" * 64))


def test_games_of_a_start_may_lie_behind_the_latest_ones(store, number, monkeypatch):
    monkeypatch.setattr(history, "LATEST", 3)
    for start, *names in (
        (1, "a.py", "b.py"),
        (0, "a.py", "b.py"),
        (0, "b.py", "a.py"),
        (1, "b.py", "a.py"),
    ):
        add(store, number, start, *names)
    assert open_starts(store, number, 2) == []


def test_versions_have_games_of_their_own(store, number):
    add(store, number, 0, "greedy", "a.py", forfeit="crash")
    add(store, number, 1, "greedy", "a.py", versions={"a.py": "c" * 64})
    found = versions_of(store, number, "a.py")
    assert [tuple(one) for one in found] == [("a" * 64, 1, 1), ("c" * 64, 1, 0)]
    assert [one.start for one in games_of(store, number, "a.py", "c" * 64)] == [1]


def test_room_of_dropped_records_is_given_back(store, number):
    for start in range(40):
        add(store, number, start, "a.py", "b.py", record=os.urandom(1 << 16))
    assert store.compact() is None
    assert thin_records(store, number, 5) == 35
    found = store.compact()
    assert found.after < found.before / 3
    assert len(latest_games(store, number, 100)) == 40
