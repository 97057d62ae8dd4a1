"""A store on a server: what a server does that no file does: refuse, go away, come back."""

import json
import sys

import pytest

from ludograph.arena.executor import InProcess
from ludograph.arena.playing import play_plan
from ludograph.arena.store import Store
from ludograph.arena.tournament import play_tournament
from ludograph.errors import HostFailure, InvalidInput
from tests.arena.test_store import finished
from tests.arena.tournaments import kept, small
from tests.cli.run import invoke, refuse, succeed

pytestmark = pytest.mark.slow

SECRET = "p4ss"


def play(tournament, where, on_game=lambda _: None):
    with (
        InProcess(play_plan) as executor,
        Store(where) as store,
    ):
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        store.lock(number)
        play_tournament(tournament, number, store, executor, on_game)
        return kept(store, number)


def test_games_on_a_server_are_those_in_a_file(postgresql, tmp_path):
    tournament = small(games=4)
    assert play(tournament, postgresql.new_store()) == play(tournament, tmp_path / "store.db")


def test_a_server_that_restarts_ends_the_run_and_the_next_run_goes_on(postgresql, tmp_path):
    tournament, games = small(games=6), 0

    def restart(_):
        nonlocal games
        games += 1
        if games == 5:
            postgresql.stop()
            postgresql.start()

    where = postgresql.new_store()
    with pytest.raises(HostFailure):
        play(tournament, where, restart)
    with Store(where) as store:
        assert len(store.played(1)) == games == 5
        store.lock(1)  # nobody has it any more
    assert play(tournament, where) == play(tournament, tmp_path / "store.db")


def test_a_game_whose_commit_was_not_confirmed_is_not_written_twice(
    postgresql, tmp_path, monkeypatch
):
    tournament, where = small(games=6), postgresql.new_store()
    real, calls = Store.add, []

    def cut_off(*args):
        """Lose the line when the server has committed, before it says so."""
        number = real(*args)
        calls.append(number)
        if len(calls) == 3:
            raise HostFailure("cut off")
        return number

    monkeypatch.setattr(Store, "add", cut_off)
    with pytest.raises(HostFailure):
        play(tournament, where)
    whole = play(tournament, where)
    assert len(calls) == len(set(calls)) == len(whole)
    assert whole == play(tournament, tmp_path / "store.db")


def test_a_server_that_stays_away_ends_it_with_a_sentence_and_it_goes_on_later(
    postgresql, monkeypatch
):
    monkeypatch.setattr("ludograph.arena.store.postgresql.TIMEOUT", 0.3)
    where = postgresql.new_store()
    games = 0

    def stop(_):
        nonlocal games
        games += 1
        if games == 7:
            postgresql.stop()

    monkeypatch.setattr("ludograph.cli.progress.LiveStanding.add", adding(stop))
    command = ("tournament", "flood", "-m", 5, "--games", 20, "-j", 1, "--store", where)
    result = invoke(*command, "greedy", "random", "--json")
    try:
        assert result.exit_code == 3
        assert "7 of 20 games" in result.stderr
        assert result.stderr.count("\n") == 1
    finally:
        postgresql.start()
    assert json.loads(succeed(*command, "greedy", "random", "--json"))["games"] == 20
    assert len(succeed("results", "games", "--store", where, "--json").splitlines()) == 20


def adding(more):
    from ludograph.cli.progress import LiveStanding

    real = LiveStanding.add

    def add(self, game):
        real(self, game)
        more(game)

    return add


@pytest.fixture
def ann(postgresql):
    """Somebody with a password and no rights."""
    postgresql.execute(f"CREATE ROLE ann LOGIN PASSWORD '{SECRET}'")
    yield "ann"
    postgresql.execute("DROP ROLE ann")


def test_what_a_server_refuses_is_told_without_the_password(postgresql, ann):
    where = postgresql.new_store()
    schema = where.rpartition("%3D")[2]
    for user, password, database, why in (
        (ann, "wr0ng", "postgres", "the server refuses: .*password authentication failed"),
        (ann, SECRET, "nowhere", "the server refuses: .*does not exist"),
        (ann, SECRET, "postgres", "cannot be read or written: "),
    ):
        url = postgresql.url(schema, user, password).replace("/postgres?", f"/{database}?")
        with pytest.raises(InvalidInput, match=why) as raised:
            Store(url)
        assert password not in str(raised.value)
        assert str(raised.value).startswith(f"postgresql://ann@/{database}: ")


def test_who_may_only_read_can_look_at_results(postgresql, ann):
    where = postgresql.new_store()
    schema = where.rpartition("%3D")[2]
    with Store(where) as store:
        store.add(store.enroll("key", "flood", {}), finished())
    postgresql.execute(f"GRANT USAGE ON SCHEMA {schema} TO ann")
    postgresql.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO ann")
    try:
        with Store(postgresql.url(schema, ann, SECRET), must_exist=True) as store:
            assert len(store.played(1)) == 1
            with pytest.raises(InvalidInput, match="read or written"):
                store.enroll("other", "flood", {})
    finally:
        postgresql.execute("DROP OWNED BY ann")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        (f"postgresql://ann:{SECRET}@x@localhost/db", "written as in %40 for @"),
        (f"postgresql://ann:{SECRET}@localhost:99999/db", "postgresql://USER:PASSWORD@HOST"),
        (f"postgresql://ann:{SECRET}@[::1/db", "postgresql://USER:PASSWORD@HOST"),
        (f"postgresql://ann:{SECRET}@localhost/db?nonsense=1", "invalid connection option"),
    ],
)
def test_a_url_that_is_none_is_refused_without_the_password(url, why):
    said = refuse("results", "--store", url)
    assert why in said
    assert SECRET not in said


def test_a_server_that_is_not_there_is_told(tmp_path):
    url = f"postgresql://ann:{SECRET}@/db?host={tmp_path}"
    with pytest.raises(HostFailure, match=r"postgresql://ann@/db: .*reached"):
        Store(url)
    result = invoke("tournament", "flood", "-m", 5, "--store", url, "greedy", "random")
    assert result.exit_code == 3
    assert SECRET not in result.output


def test_without_the_driver_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'ludograph[postgres]'" in refuse("results", "--store", "postgresql://x/y")
