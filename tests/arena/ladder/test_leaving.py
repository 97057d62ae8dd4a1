"""A person leaves a ladder: nothing in its folder or its stores names the person any more."""

import json

import pytest
from msgspec.structs import replace

from ludograph.arena.ladder import LadderFolder, read_state
from ludograph.arena.ladder.folder import Entrant, State, write_state
from ludograph.arena.ladder.leaving import SOMEBODY, remove_person
from ludograph.arena.ladder.orders import suspend, withdraw
from ludograph.arena.ladder.people import add_people, read_people
from ludograph.arena.ladder.submission_list import (
    EventKind,
    SubmissionEvent,
    add_event,
    read_events,
)
from ludograph.arena.store import Store
from tests.arena.ladder.making import ladder_in
from tests.cli.run import invoke, refuse, spawn, succeed

PLAIN = "def choose(position):\n    return position.legal_moves()[0]\n"

QUANDT = """
# by Zyx Quandt, zq@uni.example
class QUANDTSECRET:
    name = "QUANDTSECRET"
    def choose(self, position):
        print("QUANDTSECRET", flush=True)
        if position.ply > 2:
            raise ValueError("QUANDTSECRET")
        return position.legal_moves()[0]
    def thoughts(self):
        return {"note": "QUANDTSECRET"}
"""

LISTED = """\
name,id,team,mail,players
Zyx Quandt,s4711,,zq@uni.example,zyx_q.py
Anna Alder,s1,Red,a@uni.example,
Bob Quandtmann,s2,Red,b@uni.example,bob_zyx_q.py
"""

TRACES = [b"Zyx Quandt", b"s4711", b"zq@uni", b"QUANDTSECRET", b"zyx_q.py", b"zyx_old.py"]


def contents(*folders):
    """The bytes of all files, and the records of all stores, by path."""
    found = {
        path: path.read_bytes() for one in folders for path in one.rglob("*") if path.is_file()
    }
    for path in [path for path in found if path.suffix == ".db"]:
        with Store(path) as store:
            records = [store.record(game.number) for game in list(store.games())]
        found[path / "records"] = b"\n".join(records)
    return found


def traces(*folders):
    """What names the person, with the files; a longer name of somebody else is not hers."""
    found = contents(*folders).items()
    return {(trace, path.name) for path, data in found for trace in in_it(data)}


def in_it(data):
    """The traces in some bytes; those of somebody with a longer name do not count."""
    others = data.replace(b"bob_zyx_q.py", b"").replace(b"Quandtmann", b"")
    return [trace for trace in TRACES if trace in others]


@pytest.fixture
def folder(tmp_path):
    """A ladder in which somebody has left traces everywhere."""
    path = tmp_path / "course"
    succeed("ladder", "init", path, "flood", "-m", 4, "--clock", "5s")
    declared = path / "ladder.toml"
    declared.write_text(declared.read_text().replace("patience = 6", "patience = 2"))
    ladder = LadderFolder(path)
    (path / "players" / "zyx_q.py").write_text(QUANDT)
    for name in ("zyx_old.py", "red.py", "bob_zyx_q.py"):
        (path / "players" / name).write_text(PLAIN)
    ladder.owners.write_text(json.dumps({"zyx_old.py": "person s4711", "red.py": "team Red"}))
    return ladder


def left_traces(folder, store):
    """Let the players play, fail, be suspended and be withdrawn, and take part in a final."""
    listed = folder.path.parent / "students.csv"
    listed.write_text(LISTED)
    add_people(folder, listed)
    listed.unlink()
    succeed("ladder", "run", folder.path, "--games", 24, "-j", 1)
    withdraw(folder, "zyx_old.py")
    (folder.players / "ZYX_q.py").write_text(PLAIN)  # its name looks like that of zyx_q.py
    suspend(folder, "red.py", "a copy of zyx_q.py by Zyx Quandt (s4711)")
    result = invoke("ladder", "run", folder.path, "--games", 2, "-j", 1)
    assert result.exit_code == 0, result.stderr
    players = [folder.players / name for name in ("zyx_q.py", "red.py")]
    final = ("tournament", "flood", "-m", 4, "--games", 4, "--store", store)
    succeed(*final, "--format", "knockout", *players, "-j", 1)


def test_files_of_others_keep_names_that_begin_with_that_of_who_leaves(tmp_path) -> None:
    ladder = ladder_in(tmp_path)
    listed = tmp_path / "people.csv"
    listed.write_text("name,id,team\nMax,x1,Red\nUta,x2,Red\nred.py,greedy,\nEve,Max,Max\n")
    add_people(ladder.folder, listed)
    listed.unlink()
    own = SubmissionEvent(1.0, "red.py", EventKind.REFUSED, "", "team Red", "x1", "by Max.")
    others = [
        SubmissionEvent(2.0, "Max.py", EventKind.SUBMITTED, "12ab", "person x2", "x2"),
        SubmissionEvent(3.0, "eve.py", EventKind.SUBMITTED, "12ac", "team Max", "Max"),
        SubmissionEvent(4.0, "eve.py", EventKind.SUBMITTED, "x1", "person Max", "Max"),
    ]
    for event in (own, *others):
        add_event(ladder.folder, event)
    entrants = [Entrant("greedy"), Entrant("Max.py", "12ab"), Entrant("red.py", "x1")]
    write_state(ladder.folder, State(entrants=entrants))
    ladder.folder.owners.write_text(json.dumps({"red.py": "team Red"}))
    removed = remove_person(ladder, "x1")
    assert (removed.players, removed.shared) == ({}, ["red.py"])
    changed = {"person": SOMEBODY, "why": f"by {SOMEBODY}."}
    assert read_events(ladder.folder) == [replace(own, **changed), *others]
    remove_person(ladder, "greedy")  # who is called as a player of the others
    assert read_events(ladder.folder) == [replace(own, **changed), *others]
    assert read_state(ladder.folder).entrants == entrants


@pytest.mark.slow
def test_nothing_names_a_person_who_has_left_and_the_games_stay(folder, tmp_path) -> None:
    finals = tmp_path / "finals"
    finals.mkdir()
    left_traces(folder, finals / "t.db")
    places = {name for _, name in traces(folder.path, finals)}
    assert places >= {"people.json", "records", "games.db", "ladder.log", "zyx_q.py", "t.db"}
    assert places >= {".orders.json", ".owners.json", "state.json", "zyx_q.py.txt"}
    table = json.loads(succeed("ladder", "table", folder.path, "--json"))
    shown = succeed(
        *("ladder", "people", "remove", folder.path, "Zyx Quandt", "--store", finals / "t.db")
    )
    assert "zyx_q.py is 'former player " in shown
    assert traces(folder.path, finals) == set()
    assert [one.id for one in read_people(folder)] == ["s1", "s2"]
    after = json.loads(succeed("ladder", "table", folder.path, "--json"))
    others = {"red.py", "bob_zyx_q.py", "greedy"}
    for told in (table, after):
        told["players"] = [
            {name: one[name] for name in ("player", "wins", "losses", "forfeits")}
            for one in told["players"]
            if one["player"] in others
        ]
    assert after["players"] == table["players"]
    with Store(folder.store) as store:
        games = list(store.games())
        own = [seat for game in games for seat in game.seats if seat.player.startswith("former ")]
        assert {seat.message for seat in own} == {None}
        assert any(seat.forfeit == "crash" for seat in own)
        assert any(game.sentence.startswith("former player ") for game in games)
    assert "a copy of former player " in succeed("ladder", "table", folder.path)
    assert "24 games" in invoke("ladder", "run", folder.path, "--games", 24, "-j", 1).stderr
    assert "there is no person" in refuse("ladder", "people", "remove", folder.path, "s4711")
    assert succeed("ladder", "why", folder.path, "red.py")


@pytest.mark.slow
def test_nothing_names_a_person_on_a_server_either(postgresql, folder, tmp_path) -> None:
    url = postgresql.new_store()
    declared = folder.declaration
    declared.write_text(f'store = "{url}"\n{declared.read_text()}')
    left_traces(folder, tmp_path / "t.db")
    succeed("ladder", "people", "remove", folder.path, "s4711")
    assert traces(folder.path) == set()
    with Store(url, must_exist=True) as store:
        told = [repr(game).encode() for game in list(store.games())]
        told += [store.record(game.number) for game in list(store.games())]
    assert len(told) > 40
    assert in_it(b"\n".join(told)) == []
    assert "2 games" in invoke("ladder", "run", folder.path, "--games", 2, "-j", 1).stderr


def test_a_ladder_that_is_running_keeps_its_people(folder) -> None:
    listed = folder.path / "s.csv"
    listed.write_text("name\nAnna\n")
    add_people(folder, listed)
    with folder.locked():
        other = spawn("ladder", "people", "remove", folder.path, "Anna")
        assert "is running this ladder now" in other.communicate(timeout=60)[1]
    assert other.returncode == 2
    assert len(read_people(folder)) == 1
