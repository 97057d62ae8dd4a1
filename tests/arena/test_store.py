"""The store: games are in it whole or not at all, and what is no store is left alone."""

import os
import random
import sqlite3
import zlib

import pytest
from sqlalchemy import text

from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.store import GameFilter, Store, default_store
from ludograph.arena.store.history import latest_games
from ludograph.arena.store.integrity import DamagedStore
from ludograph.arena.store.sqlite import SQLiteFile
from ludograph.errors import HostFailure, InvalidInput
from tests.arena.damage import LETTER, execute
from tests.arena.games import Row, rows


def finished(
    start=0, seating="ab", reason="finished", board="square 5x5", record=b"record\n", line=0
):
    forfeit = (None, None) if reason == "finished" else (reason, "it said so")
    seats = (
        SeatResult(seating[0], 1, 3.0, 4, 0.25),
        SeatResult(seating[1], 2, 1.0, 3, 0.5, *forfeit),
    )
    return FinishedGame(
        start=start,
        seed=7,
        board=board,
        reason=reason,
        plies=7,
        sentence=f"{seating[0]} wins.",
        seats=seats,
        record=zlib.compress(record),
        line=line,
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request, path):
    """A place for a store on each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{path}"
    return request.getfixturevalue("postgresql").new_store()


@pytest.fixture
def store(where):
    with Store(where) as opened:
        yield opened


def test_what_was_added_is_there_when_the_store_is_opened_again(where):
    with Store(where) as store:
        number = store.enroll("key", "flood", {"title": "ours"})
        store.add(number, finished(reason="timeout"), {"a": "f00d"})
    with Store(where, must_exist=True) as store:
        assert store.enroll("key", "flood", {"title": "ours", "games": 40}) == number
        assert rows(store.played(number)) == [
            Row(0, ("a", "b"), (1, 2), ("", "timeout"), (3.0, 1.0))
        ]
        (game,) = store.games()
        assert game.seats == finished(reason="timeout").seats
        assert game.versions == ("f00d", "")
        assert store.record(game.number) == b"record\n"
        (tournament,) = store.tournaments()
        assert tournament.declaration == {"title": "ours", "games": 40}  # as it was last
        assert tournament.games == 1


def test_games_of_several_tournaments_are_read_together(store):
    one, other = (store.enroll(key, "flood", {"names": ["a", "b"]}) for key in "xy")
    store.add(one, finished(reason="timeout"), {"a": "1" * 64})
    store.add(one, finished(3, "ba"))
    store.add(other, finished(), {"a": "2" * 64})
    both = rows(store.played(one, other))
    assert both == rows(store.played(other, one))
    assert both[:2] == [
        Row(0, ("a@11111111", "b"), (1, 2), ("", "timeout"), (3.0, 1.0)),
        Row(3, ("b", "a"), (1, 2), (), (3.0, 1.0)),
    ]
    assert len(store.played()) == 0


def of_seats(start, players, rng):
    """Return a game of some players, with ranks, scores and forfeits by chance."""
    seats = tuple(
        SeatResult(
            player,
            rng.randint(1, len(players)),
            rng.choice([0.0, -0.0, 0.5, 3.0]),
            1,
            0.0,
            rng.choice([None, None, None, "crash", "timeout"]),
        )
        for player in players
    )
    return FinishedGame(
        start=start, seed=0, board="toy", reason="finished", plies=1, sentence="so it went",
        seats=seats, record=b"x", line=rng.choice([0, 7, 1 << 62]),
    )  # fmt: skip


@pytest.mark.parametrize("sizes", [(2,), (3,), (4, 4, 4)])
def test_results_hold_what_reading_game_by_game_finds(store, sizes):
    rng = random.Random(len(sizes))
    numbers = [store.enroll(f"key {key}", "toy", {}) for key in range(len(sizes))]
    for start in range(60):
        which = rng.randrange(len(sizes))
        players = rng.sample("abcdefg", sizes[which])
        versions = {"a": rng.choice("12") * 64, "b": "3" * 64}
        store.add(numbers[which], of_seats(start, players, rng), versions)
    slowly = [
        Row(
            common_start(game, numbers),
            tuple(f"a@{v[:8]}" if s.player == "a" else s.player for s, v in seats_of(game)),
            tuple(seat.rank for seat in game.seats),
            game.forfeits if any(game.forfeits) else (),
            tuple(seat.score for seat in game.seats),
            game.line,
        )
        for game in store.games()
    ]
    found = store.played(*numbers)
    assert rows(found) == slowly
    assert found.numbers.tolist() == [game.number for game in store.games()]
    assert [game.line for game in store.games()] == [row.line or 0 for row in lines_of(store)]


def test_tournaments_of_different_numbers_of_seats_are_not_read_together(store):
    one, other = (store.enroll(key, "toy", {}) for key in "xy")
    for start, number in enumerate((one, one, other)):
        store.add(number, of_seats(start, "abc"[: 2 + (number == other)], random.Random(1)), {})
    with pytest.raises(InvalidInput, match="2 seats among games of 3 seats"):
        store.played(one, other)
    assert len(store.played(one)) == 2


def common_start(game, numbers):
    return game.start + (sorted(numbers).index(game.tournament) << 32)


def seats_of(game):
    return zip(game.seats, game.versions, strict=True)


def lines_of(store):
    with store.reading() as connection:
        return connection.execute(text("SELECT line FROM games ORDER BY id")).fetchall()


def test_a_store_that_is_damaged_is_told(path):
    with Store(path) as store:
        number = store.enroll("key", "flood", {})
        for start in range(200):
            store.add(number, finished(start))
    size, page = path.stat().st_size, 4096
    with path.open("r+b") as file:
        for place in range(size // 2 // page * page, size, page):
            file.seek(place)
            file.write(b"\xff" * page)
    with pytest.raises(InvalidInput, match="damaged"), Store(path) as store:
        store.played(number)


def test_a_game_cannot_be_counted_twice(store):
    number = store.enroll("key", "flood", {})
    store.add(number, finished())
    with pytest.raises(HostFailure, match=r"(?i)unique"):
        store.add(number, finished())
    assert len(store.played(number)) == len(list(store.games())) == 1
    store.add(number, finished(seating="ba"))
    store.add(store.enroll("other", "flood", {}), finished())
    assert [t.games for t in store.tournaments()] == [2, 1]


def test_games_are_found_by_what_they_are(store):
    number = store.enroll("key", "flood", {})
    store.add(number, finished(0, "ab"))
    store.add(number, finished(1, "bc", "timeout"))
    store.add(number, finished(2, "ca", board="torus 4x4"))

    def starts(**wanted):
        return [game.start for game in store.games(GameFilter(**wanted))]

    assert starts() == starts(tournaments=(number,)) == [0, 1, 2]
    assert starts(player="a") == [0, 2]
    assert starts(player="a", opponent="c") == [2]
    assert starts(reason="timeout") == [1]
    assert starts(board="torus 4x4") == [2]
    assert starts(player="nobody") == starts(tournaments=(99,)) == []


def test_a_changed_file_is_another_version_of_its_player(store):
    one, other = (store.enroll(key, "flood", {}) for key in "xy")
    store.add(one, finished(), {"a": "1" * 64})
    store.add(other, finished(), {"a": "2" * 64})
    assert list(store.played(one).names) == ["a", "b"]
    both = store.played(one, other)
    assert list(both.names) == ["a@11111111", "a@22222222", "b"]
    assert len(set(both.starts.tolist())) == 2  # no pair of games on one start


def test_only_one_process_plays_a_tournament(store, where):
    one, other = (store.enroll(key, "flood", {}) for key in "xy")
    store.lock(one)
    child = os.fork()
    if child == 0:
        with Store(where) as mine:
            mine.lock(other)
            refused = 0
            for attempt in (mine.lock, lambda _: mine.enroll("x", "flood", {"games": 9})):
                try:
                    attempt(one)
                except InvalidInput as error:
                    refused += "tournament 1 " in str(error)
            mine.enroll("x", "flood", {})  # as it is declared already
            os._exit(5 + refused)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.parametrize("version", [1, 3, 5, 99])
def test_a_store_of_another_version_is_refused_and_left_as_it_is(where, version):
    with Store(where) as store:
        store.add(store.enroll("key", "flood", {}), finished())
    execute(where, f"UPDATE ludograph_store SET version = {version}")
    for must_exist in (False, True):
        with pytest.raises(InvalidInput, match=f"store of version {version}, this .* version 4"):
            Store(where, must_exist=must_exist)
    kept = execute(where, "SELECT version FROM ludograph_store")
    assert kept == [(version,)]
    execute(where, "UPDATE ludograph_store SET version = 4")
    with Store(where) as store:
        assert len(store.played(1)) == 1


@pytest.mark.parametrize(
    "change", ["DELETE FROM ludograph_store", "INSERT INTO ludograph_store VALUES (4)"]
)
def test_a_store_whose_version_cannot_be_read_is_told(where, change):
    Store(where).close()
    execute(where, change)
    with pytest.raises(DamagedStore, match="version"):
        Store(where)


CHANGES = {
    "DELETE FROM seats WHERE game = 2": "game 2 ",
    "UPDATE seats SET game = 3, seat = 2 WHERE game = 2 AND seat = 0": "game 2 .*seat",
    "UPDATE seats SET seat = 3 WHERE game = 2 AND seat = 0": "game 2 .*seat",
    "UPDATE tournaments SET declaration = ''": "tournament 1 ",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_cannot_have_been_written_is_told(where, change):
    with Store(where) as store:
        number = store.enroll("key", "flood", {"names": ["a", "b"]})
        for start in range(3):
            store.add(number, finished(start))
    execute(where, change)
    for read in (as_tables_do, as_ladders_do):
        with pytest.raises(DamagedStore, match=CHANGES[change]):
            read(where, number)


def as_tables_do(where, number):
    with Store(where) as store:
        store.tournaments()
        return store.played(number)


def as_ladders_do(where, number):
    with Store(where) as store:
        store.tournaments()
        return latest_games(store, number, 10)


def test_a_database_of_something_else_is_left_as_it_is(where):
    execute(where, "CREATE TABLE letters (text TEXT)")
    for must_exist in (False, True):
        with pytest.raises(InvalidInput, match=r"database.*tournaments"):
            Store(where, must_exist=must_exist)
    assert execute(where, "SELECT * FROM letters") == []


def test_where_there_is_no_store_none_is_made_by_looking(where):
    for _ in range(2):
        with pytest.raises(InvalidInput, match=r"\byet\b"):
            Store(where, must_exist=True)


@pytest.mark.slow
def test_two_tournaments_are_written_side_by_side(where):
    count = 30
    with Store(where):
        pass
    children = []
    for name in "ab":
        children.append(os.fork())
        if children[-1] == 0:
            code = 1
            try:
                with Store(where) as store:
                    number = store.enroll(name, "flood", {})
                    store.lock(number)
                    for start in range(count):
                        store.add(number, finished(start, seating="xy"))
                    code = 0
            finally:
                os._exit(code)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    with Store(where) as store:
        assert [one.games for one in store.tournaments()] == [count, count]
        assert {len(store.played(n)) for n in (1, 2)} == {count}
        assert list(store.played(1, 2).names) == ["x", "y"]


def test_what_is_no_store_is_left_as_it_is(path):
    path.write_text(LETTER)
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match=r"store\.db: .*tournaments"):
        Store(path)
    assert path.read_bytes() == before


def test_a_place_without_a_store_is_told(tmp_path):
    for where, why in (
        (tmp_path, "a store is a file"),
        (tmp_path / "none" / "store.db", "cannot be opened"),
        ("mysql://somewhere/db", "mysql://.*sqlite:///FILE.*postgresql:"),
    ):
        with pytest.raises(InvalidInput, match=why):
            Store(where)
    with pytest.raises(InvalidInput, match=r"none\.db.* yet\b"):
        Store(tmp_path / "none.db", must_exist=True)
    assert not (tmp_path / "none.db").exists()


def test_a_full_disk_costs_the_game_that_did_not_fit_only(path):
    with Store(path) as store:
        fill_the_disk(store)


def fill_the_disk(store):
    number = store.enroll("key", "flood", {})
    store.add(number, finished())
    store._connection.exec_driver_sql("PRAGMA max_page_count = 20")
    store._connection.rollback()

    def fill():
        for start in range(1, 50):
            store.add(number, finished(start, record=os.urandom(8000)))

    with pytest.raises(OSError, match="No space left") as raised:
        fill()
    assert raised.value.filename == str(store.path)
    count = len(store.played(number))
    assert 1 <= count < 50
    store._connection.exec_driver_sql("PRAGMA max_page_count = 100000")
    store._connection.rollback()
    store.add(number, finished(99))
    assert len(store.played(number)) == count + 1


def test_who_keeps_the_store_locked_is_waited_for_and_then_told(where, monkeypatch):
    for module in ("sqlite", "postgresql"):
        monkeypatch.setattr(f"ludograph.arena.store.{module}.TIMEOUT", 0.05)
    with Store(where) as store, Store(where) as other:
        number = store.enroll("key", "flood", {})
        with other.writing():
            assert len(store.played(number)) == 0  # reading goes on meanwhile
            with pytest.raises(HostFailure, match="locked"):
                store.add(number, finished())
        store.add(number, finished())


def test_who_looks_at_a_new_store_is_waited_for(path, monkeypatch):
    """SQLite itself does not always wait with what that needs: a log that is written ahead."""
    Store(path).close()
    reader = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    reader.execute("PRAGMA journal_mode = DELETE")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM sqlite_master").fetchall()
    database = SQLiteFile(path)
    monkeypatch.setattr("ludograph.arena.store.sqlite.TIMEOUT", 0.05)
    with database.open().connect() as connection:
        with pytest.raises(HostFailure, match="locked"), database.complaints():
            database.prepare(connection)
        monkeypatch.undo()
        monkeypatch.setattr("time.sleep", lambda seconds: reader.execute("COMMIT"))
        database.prepare(connection)
        raw = connection.connection.dbapi_connection
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    reader.close()


def test_a_store_is_named_by_a_url_too(path):
    Store(f"sqlite:///{path}").close()
    with Store(path, must_exist=True) as store:
        assert store.tournaments() == []


def test_the_store_of_a_user_is_where_data_belongs(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_store() == tmp_path / "ludograph" / "tournaments.db"
    with Store() as store:
        assert store.path.is_file()
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/ann")
    assert str(default_store()) == "/home/ann/.local/share/ludograph/tournaments.db"
