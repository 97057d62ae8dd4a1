"""A ladder whose store is on a PostgreSQL server: the setting, all commands, what is refused."""

import json
import sys

import pytest

from ludograph.arena.ladder import LadderFolder, enrolment
from ludograph.arena.ladder.people import Role
from ludograph.arena.store import Store
from ludograph.cli.declared_files import read_ladder
from ludograph.cli.serve import pages_of
from ludograph.errors import HostFailure, InvalidInput
from ludograph.web.ladder.shown_ladders import player_games, shown_ladder
from ludograph.web.replay.replays import Replays
from ludograph.web.server.tokens import Visitor
from tests.arena.ladder.making import ladder_in, put, run
from tests.cli.run import invoke, refuse, succeed

pytestmark = pytest.mark.slow

SECRET = "p4ss"
FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)


def on_server(folder, url):
    """Let a new ladder name its store."""
    file = folder / "ladder.toml"
    told = file.read_text()
    assert "# store = " in told
    file.write_text(told.replace('# store = "postgresql://USER@HOST/DATABASE"', f'store = "{url}"'))


def made(folder, url):
    succeed("ladder", "init", folder, "flood", "-m", 5, "-c", 4)
    on_server(folder, url)
    return folder


def played(url):
    """The games of a store, by start and seating; none is there twice."""
    with Store(url, must_exist=True) as store:
        games = [(one.start, tuple(s.player for s in one.seats)) for one in store.games()]
    assert len(set(games)) == len(games)
    return games


def test_all_commands_of_a_ladder_work_with_a_server(postgresql, tmp_path, monkeypatch):
    postgresql.execute(f"CREATE ROLE bo LOGIN SUPERUSER PASSWORD '{SECRET}'")
    try:
        url = postgresql.new_store()
        schema = url.rpartition("%3D")[2]
        course = made(tmp_path / "course", postgresql.url(schema, "bo"))
        (course / "players" / "first.py").write_text(FIRST)
        assert "password" in refuse("ladder", "run", course, "--once", "-q")
        monkeypatch.setenv("PGPASSWORD", SECRET)
        for command in ("why", "secret"):
            words = ("first",) if command == "why" else ()
            assert f"{course}: no game " in refuse("ladder", command, course, *words)
        assert ", 0 games\n" in succeed("ladder", "table", course)
        assert "6 games" in invoke("ladder", "run", course, "--games", 6, "-j", 1).stderr
        result = invoke("ladder", "run", course, "--games", 4, "-j", 1)
        assert result.exit_code == 0, result.output
        assert len(played(url)) == 10
        assert not (course / "games.db").exists()
        assert json.loads(succeed("ladder", "table", course, "--json"))["games"] == 10
        page = tmp_path / "page.html"
        succeed("ladder", "table", course, "--html", page)
        assert "first.py" in page.read_text()
        report = succeed("ladder", "why", course, "first", "--records", tmp_path / "records")
        assert report.startswith("first.py, ")
        opened = [x for x in succeed("ladder", "why", course, "first").splitlines() if "&&" in x]
        monkeypatch.chdir(tmp_path)
        for line in opened[:1]:
            succeed(*line.partition(" && ")[0].replace("'", "").split()[1:])
        assert len(succeed("ladder", "secret", course).strip()) == 32
        assert len(succeed("ladder", "secret", course, "--game", 3).strip()) == 32
        assert "game 99" in refuse("ladder", "secret", course, "--game", 99)
        assert "name,team" in succeed("ladder", "people", "grades", course)
        (pages,) = pages_of([LadderFolder(course)])
        pages.now = shown_ladder(pages.ladder)
        assert pages.overview()["table"].games == 10
        games = player_games(pages.ladder, pages.now.state, "first.py", is_listed=True, is_own=True)
        assert games.latest
        assert games.kept
        assert pages.pairing("first.py", "greedy")["names"] == ("first.py", "greedy")
        assert "first.py" in pages.plot()
        record = Replays(None, None, {"course": pages}).data(
            "ladder-course", "3", Visitor(Role.OPERATE)
        )
        with Store(url) as store:
            assert record == store.record(3)
        said = (course / "ladder.log").read_text() + (course / "state.json").read_text()
        assert SECRET not in said + report + page.read_text()
    finally:
        postgresql.execute("DROP OWNED BY bo; DROP ROLE bo")


def on(url, path, **settings):
    """A ladder in which nobody really plays."""
    path.mkdir()
    ladder = ladder_in(path, store_url=url, **settings)
    put(ladder, "ann.py", 2)
    return ladder


def test_a_ladder_keeps_its_store_and_no_other_ladder_gets_it(postgresql, tmp_path):
    url = postgresql.new_store()
    one, other = on(url, tmp_path / "one"), on(url, tmp_path / "other")
    run(one, 4)
    with pytest.raises(InvalidInput, match="another ladder"):
        run(other, 2)
    run(one, 2)
    assert len(played(url)) == 6
    with Store(url) as store:
        store.lock(1)
        with pytest.raises(InvalidInput, match="another process"):
            run(one, 2)


def test_a_lost_state_is_made_again_from_the_mark_in_the_store(postgresql, tmp_path):
    url = postgresql.new_store()
    ladder = on(url, tmp_path / "one")
    run(ladder, 4)
    ladder.folder.state.unlink()
    with pytest.raises(InvalidInput, match="another ladder"):
        run(ladder, 2)
    with Store(url) as store:
        (kept,) = store.tournaments()
    ladder.folder.state.write_text(json.dumps({"mark": kept.declaration["mark"]}))
    run(ladder, 2)
    assert len(played(url)) == 6


def test_a_service_of_libpq_says_where_the_server_is(postgresql, tmp_path, monkeypatch):
    file = tmp_path / "services"
    schema = postgresql.new_store().rpartition("%3D")[2]
    file.write_text(
        f"[course]\nhost={postgresql.folder}\nuser=owner\ndbname=postgres\n"
        f"options=-csearch_path={schema}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    folder = made(tmp_path / "course", "postgresql:///?service=course")
    ladder = read_ladder(LadderFolder(folder))
    with Store(ladder.store) as store:
        assert store.tournaments() == []
    tables = f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'"
    assert postgresql.execute(tables)[0][0] > 3


def test_a_ladder_that_moves_to_a_server_begins_anew_there_and_can_go_back(postgresql, tmp_path):
    url = postgresql.new_store()
    here = on("", tmp_path / "one")
    run(here, 4)
    there = ladder_in(tmp_path / "one", store_url=url)
    _, _, told = run(there, 2)
    assert any("start again" in line for line in told)
    assert len(played(url)) == 2
    assert len(played(here.folder.store)) == 4
    _, _, told = run(here, 2)
    assert any("continue from 4 games" in line for line in told)
    assert len(played(here.folder.store)) == 6


def test_a_lost_server_ends_the_run_with_a_sentence_and_no_game_is_lost_or_twice(
    postgresql, tmp_path, monkeypatch
):
    monkeypatch.setattr("ludograph.arena.store.postgresql.TIMEOUT", 0.3)
    url = postgresql.new_store()
    ladder = on(url, tmp_path / "one")

    def stop(number):
        if number == 5:
            postgresql.stop()

    try:
        with pytest.raises(HostFailure, match=r"^postgresql://owner@/postgres: the .*server") as e:
            run(ladder, 20, before=stop)
        assert "\n" not in str(e.value)
        with pytest.raises(HostFailure, match=r"^postgresql://owner@/postgres: "):
            run(ladder, 1)
    finally:
        postgresql.start()
    assert len(played(url)) == 5
    run(ladder, 7)
    assert len(played(url)) == 12


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("mysql://x/y", "store: .*postgresql://USER@HOST/DATABASE"),
        (f"other:{SECRET}", "store: .*postgresql://USER@HOST/DATABASE"),
        (f"postgresql://ann:{SECRET}@x@localhost/db", "%40 for @"),
    ],
)
def test_a_setting_that_is_no_store_is_refused(tmp_path, url, named):
    folder = made(tmp_path / "course", url)
    with pytest.raises(InvalidInput, match=rf"line \d+: .*{named}") as raised:
        read_ladder(LadderFolder(folder))
    assert SECRET not in str(raised.value)


def test_a_new_ladder_can_name_its_store(postgresql, tmp_path):
    url = postgresql.new_store()
    folder = tmp_path / "course"
    succeed("ladder", "init", folder, "flood", "-m", 5, "--store", url)
    assert read_ladder(LadderFolder(folder)).store_url == url
    schema = url.rpartition("%3D")[2]
    tables = f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'"
    assert postgresql.execute(tables) == [(0,)]  # 'ladder run' makes them
    taken = on(url, tmp_path / "one")
    run(taken, 2)
    other = tmp_path / "other"
    said = refuse("ladder", "init", other, "flood", "-m", 5, "--store", url)
    assert "another ladder" in said
    assert not other.exists()


@pytest.mark.parametrize(
    ("url", "code", "named"),
    [
        ("postgresql://ann@/db?host={}", 3, "postgresql://ann@/db: "),
        ("games.db", 2, "postgresql://USER@HOST/DATABASE"),
        (f"postgresql://ann:{SECRET}@/db?host={{}}", 2, "PGPASSWORD"),
        (f"postgresql:///db?host={{}}&password={SECRET}", 2, "PGPASSWORD"),
    ],
)
def test_a_new_ladder_with_a_store_that_cannot_be_used_is_not_made(tmp_path, url, code, named):
    folder = tmp_path / "course"
    words = ("flood", "-m", 5, "--store", url.format(tmp_path))
    result = invoke("ladder", "init", folder, *words)
    assert result.exit_code == code
    assert named in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert SECRET not in result.output
    assert not folder.exists()


def test_without_the_driver_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    folder = made(tmp_path / "course", "postgresql://x/y")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'ludograph[postgres]'" in refuse("ladder", "table", folder)


def test_a_password_in_the_file_is_never_shown(tmp_path):
    url = f"postgresql://ann:{SECRET}@/db?host={tmp_path}"
    folder = made(tmp_path / "course", url)
    (folder / "players" / "first.py").write_text(FIRST)
    result = invoke("ladder", "run", folder, "--games", 2, "-j", 1)
    assert result.exit_code == 3
    assert "postgresql://ann@/db: " in result.stderr
    ladder = read_ladder(LadderFolder(folder))
    assert SECRET not in result.output + repr(ladder)
