"""The latest games of a ladder kept in memory: never other ones than a full recount finds."""

import random

import pytest
from sqlalchemy import text

from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.ladder import Entrant, State
from ludograph.arena.ladder.table import ladder_table
from ludograph.arena.results import NO_RESULTS
from ludograph.arena.store import Store
from ludograph.arena.store.history import GameWindow, label_of
from tests.arena.games import rows
from tests.reference import ladder_counts

NAMES = ("a.py", "b.py", "c.py", "greedy")
VERSIONS = {name: name[0] * 64 for name in NAMES[:3]}
MOST = 40


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    where = tmp_path / "games.db"
    if request.param == "postgresql":
        where = request.getfixturevalue("postgresql").new_store()
    with Store(where) as opened:
        yield opened


@pytest.fixture
def number(store):
    return store.enroll("key", "toy", {"title": "a toy"})


class Games:
    """Plays games of chance, now and then one with forfeits, into a store."""

    def __init__(self, store, number):
        self.store, self.number = store, number
        self.random, self.start = random.Random(3), 0

    def add(self, count, **of_game):
        for _ in range(count):
            names = self.random.sample(NAMES, 2)
            ranks = self.random.choice([(1, 2), (2, 1), (1, 1)])
            lost = self.random.choice([(None, None)] * 4 + [("crash", None), ("crash", "timeout")])
            seats = tuple(
                SeatResult(name, rank, 0.0, 1, 0.0, reason)
                for name, rank, reason in zip(names, ranks, lost, strict=True)
            )
            made = FinishedGame(
                start=self.start, seed=0, board="toy", reason="finished", plies=1,
                sentence="so it went", seats=seats, record=b"x", line=self.random.randrange(20),
            )  # fmt: skip
            self.store.add(of_game.get("tournament", self.number), made, VERSIONS)
            self.start += 1

    def change(self, query):
        with self.store.writing() as connection:
            connection.execute(text(query))


@pytest.fixture
def games(store, number):
    return Games(store, number)


def seen(games):
    """Each game as a recount finds it."""
    return [
        (number, one.start, one.line, one.seating, one.ranks, forfeits_of(one))
        for number, one in zip(games.numbers.tolist(), rows(games), strict=True)
    ]


def forfeits_of(game):
    return tuple((seat, reason) for seat, reason in enumerate(game.forfeits) if reason)


def agrees(window, store, number):
    found = window.look(store, number)
    assert seen(found) == ladder_counts.latest(store, number, MOST)
    return found


def test_a_look_reads_what_is_new_and_only_that(store, number, games, monkeypatch):
    window = GameWindow(MOST)
    assert agrees(window, store, number) is window.look(store, number) is NO_RESULTS
    games.add(30)
    first = agrees(window, store, number)
    assert window.look(store, number) is first
    monkeypatch.setattr(
        "ludograph.arena.store.history.read_latest", lambda *_: pytest.fail("read anew")
    )
    other = store.enroll("another", "toy", {"title": "another toy"})
    for _ in range(4):
        games.add(5)
        games.add(1, tournament=other)
        found = agrees(window, store, number)
    assert len(found) == MOST


def test_renamed_players_are_read_anew(store, number, games):
    window = GameWindow(MOST)
    games.add(30)
    before = seen(agrees(window, store, number))
    games.change("UPDATE players SET version = 'changed' WHERE name = 'a.py'")
    assert seen(agrees(window, store, number)) != before


def test_removed_games_are_not_counted_and_a_game_among_the_others_is(store, number, games):
    window = GameWindow(MOST)
    games.add(60)
    agrees(window, store, number)
    for table, column in (("records", "game"), ("seats", "game"), ("games", "id")):
        games.change(f"DELETE FROM {table} WHERE {column} = 45")
    assert agrees(window, store, number).numbers[0] == 20
    other = store.enroll("another", "toy", {"title": "another toy"})
    games.add(2)
    games.change(f"UPDATE games SET tournament = {other} WHERE id = 50")
    assert 50 not in agrees(window, store, number).numbers
    games.change(f"UPDATE games SET tournament = {number} WHERE id = 50")
    assert 50 in agrees(window, store, number).numbers


def test_another_tournament_is_read_from_its_beginning(store, number, games):
    window = GameWindow(MOST)
    games.add(10)
    agrees(window, store, number)
    other = store.enroll("another", "toy", {"title": "another toy"})
    games.add(5, tournament=other)
    assert len(agrees(window, store, other)) == 5
    assert len(agrees(window, store, number)) == 10


def test_the_table_counts_what_a_recount_finds(store, number, games):
    games.add(80)
    window = GameWindow(MOST)
    latest = agrees(window, store, number)
    state = State(number, [Entrant(name, VERSIONS.get(name, "")) for name in NAMES])
    table = ladder_table("a toy", latest, state, ["greedy"], 1000.0)
    right = ladder_counts.results(ladder_counts.latest(store, number, MOST))
    for line in table.lines:
        own = right[label_of(line.player, line.version)]
        assert (line.games, line.wins, line.draws, line.losses, line.forfeits.total()) == tuple(
            own[what] for what in ("games", "wins", "draws", "losses", "forfeits")
        )
