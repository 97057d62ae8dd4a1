"""The people of a ladder: their file, their tokens and their limits."""

import csv
import io
import json
import os
import re
from zoneinfo import available_timezones

import pytest

from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.folder import write_whole
from ludograph.arena.ladder.people import (
    Person,
    add_people,
    digest_of,
    people_in,
    read_people,
    renew_token,
)
from ludograph.arena.ladder.submission_list import limits_text
from ludograph.arena.ladder.table import LadderLine, LadderTable, grades
from ludograph.cli.declared_files import read_ladder
from ludograph.errors import InvalidInput
from tests.cli.forked import Forked
from tests.cli.run import invoke, refuse, succeed

LISTED = 'name,id,team,players\nAnna Alder,s1,,faulty.py\n"Birk, Béla",s2,Red,\nCora <i>,s3,Red,\n'


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "course"
    succeed("ladder", "init", path, "flood", "-m", 4)
    return LadderFolder(path)


@pytest.fixture
def listed(tmp_path):
    file = tmp_path / "students.csv"
    file.write_text(LISTED)
    return file


def by_token(folder, token):
    return next(one for one in read_people(folder) if one.digest == digest_of(token))


def test_tokens_are_shown_once_and_kept_as_digests(folder, listed) -> None:
    shown = succeed("ladder", "people", "add", folder.path, listed, "--url", "https://x.example")
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert [row["name"] for row in rows] == ["Anna Alder", "Birk, Béla", "Cora <i>"]
    for row in rows:
        address = f"https://x.example/enter?token={row['token']}&next=/ladders/course/me"
        assert row["link"] == address
        assert row["token"] not in folder.people.read_text()
        assert by_token(folder, row["token"]).id == row["id"]
    assert folder.people.stat().st_mode & 0o77 == 0
    again = invoke("ladder", "people", "add", folder.path, listed)
    assert again.stdout == ""
    assert "tokens" in again.stderr
    assert by_token(folder, rows[0]["token"]).id == "s1"
    assert again.stderr.count("faulty.py of s1 is not in") == 1
    (folder.players / "faulty.py").touch()
    assert "faulty.py of" not in invoke("ladder", "people", "list", folder.path).stderr
    (new,) = csv.DictReader(io.StringIO(succeed("ladder", "people", "renew", folder.path, "s1")))
    assert new["link"] == f"/enter?token={new['token']}&next=/ladders/course/me"


@pytest.fixture
def usual_mask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path):
    return path.stat().st_mode & 0o777


@pytest.mark.slow
def test_nobody_else_reads_a_file_with_tokens(folder, listed, tmp_path, usual_mask) -> None:
    out, again = tmp_path / "tokens.csv", tmp_path / "again.csv"
    people = ("ladder", "people")
    assert succeed(*people, "add", folder.path, listed, "--out", out) == ""
    rows = list(csv.DictReader(out.open(newline="")))
    assert [by_token(folder, row["token"]).id for row in rows] == ["s1", "s2", "s3"]
    assert mode(out) == 0o600
    assert "exists already" in refuse(*people, "renew", folder.path, "s1", "--out", out)
    again.write_text("an older list, which everybody could read")
    succeed(*people, "renew", folder.path, "s1", "--out", again, "--force")
    assert mode(again) == 0o600
    (row,) = csv.DictReader(again.open(newline=""))
    assert by_token(folder, row["token"]).id == "s1"
    listed.write_text("name\nDora\n")
    with (tmp_path / "redirected.csv").open("w") as file:
        assert mode(tmp_path / "redirected.csv") == 0o644
        words = [*people, "add", str(folder.path), str(listed)]
        assert Forked(words, [0, file.fileno(), 2]).wait(100) == 0
    assert "Dora" in (tmp_path / "redirected.csv").read_text()
    assert mode(tmp_path / "redirected.csv") == 0o600


def test_nobody_is_added_if_the_tokens_cannot_be_written(
    folder, listed, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    refuse("ladder", "people", "add", folder.path, listed, "--out", tmp_path / "tokens.csv")
    assert read_people(folder) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: .* name .*missing"),
        ("nam\nAnna\n", "line 1: .*'nam'; .*name, id, team, role, players, mail"),
        ("name,name\nAnna,B\n", "line 1: .* name .*twice"),
        ("name\n\n", "nobody"),
        ("name,id\nAnna\n", "line 2: 1 .* 2 "),
        ("name,id\n,s1\n", "line 2: .*name .*missing"),
        ("name\nAnna\n\nAnna\n", "line 4: Anna .*line 2 "),
        ("name,role\nAnna,uplod\n", "line 2: .*'uplod'; .*look, play, upload"),
        ("name,players\nAnna,bot.txt\n", r"line 2: players: bot\.txt "),
        ("name,players\nAnna,../b.py\n", r"line 2: players: \.\./b\.py "),
        (f"name\n{'x' * 101}\n", "line 2: name: .* 100 "),
        ("name\nAn\x1bna\n", "line 2: name: .*printed"),
        ('name\n"Anna\n', "line 2: .*end"),
        ('name,team\nAnna,\n"Bela"x,\n', "line 3: "),
    ],
)
def test_what_is_wrong_in_a_file_of_people_is_said_with_its_line(folder, text, said) -> None:
    file = folder.path / "s.csv"
    file.write_text(text)
    assert re.search(said, refuse("ladder", "people", "add", folder.path, file))
    assert not folder.people.exists()


def test_files_of_spreadsheets_are_read(tmp_path) -> None:
    file = tmp_path / "s.csv"
    file.write_bytes("\ufeffName;ID;Role\r\nÉva;7;look\r\n;;\r\nBo;8;\r\n".encode())
    found = [(line, one.name, one.id, one.role) for line, one in people_in(file).rows]
    assert found == [(2, "Éva", "7", "look"), (4, "Bo", "8", "upload")]
    file.write_bytes(b"name\n\xe9va\n")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        people_in(file)


def test_a_person_is_found_by_id_and_by_a_name_of_its_own(folder, tmp_path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("name,id\nAnna,s1\nAnna,s2\n")
    add_people(folder, file)
    assert "s1, s2" in refuse("ladder", "people", "revoke", folder.path, "Anna")
    assert "'Ana'" in refuse("ladder", "people", "renew", folder.path, "Ana")


def test_no_file_of_people_takes_a_player_of_another_person_away(folder, listed) -> None:
    write_whole(folder.owners, json.dumps({"faulty.py": "person s2"}).encode())
    said = refuse("ladder", "people", "add", folder.path, listed)
    assert re.search(r"students\.csv, line 2: .*faulty\.py .* s2$", said)
    assert read_people(folder) == []


def test_addresses_of_a_list_are_in_the_list_of_tokens_and_nowhere_else(folder, tmp_path) -> None:
    file = tmp_path / "course.csv"
    file.write_text("Name;ID;E-Mail\nAnn;s1;ann@x.example\nBo;s2;\n")
    shown = succeed("ladder", "people", "add", folder.path, file)
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert [(row["id"], row["mail"]) for row in rows] == [("s1", "ann@x.example"), ("s2", "")]
    assert rows[0]["token"]
    assert "x.example" not in folder.people.read_text()
    file.write_text("name,id,mail,email\nAnn,s1,a@x.example,b@x.example\n")
    said = refuse("ladder", "people", "add", folder.path, file)
    assert re.search(r"line 1: .* mail\b", said)


def changed(folder, text):
    """Add the people of a text; return what the command wrote."""
    file = folder.path.parent / "changed.csv"
    file.write_text(text)
    return invoke("ladder", "people", "add", folder.path, file)


def players_of(folder):
    owners = folder.read_owners()
    return {person.id: person.owned(owners) for person in read_people(folder)}


@pytest.fixture
def teams(folder):
    changed(folder, "name,id,team,role\nAnn,s1,Red,operate\nBo,s2,Red,\nCy,s3,Blue,\n")
    write_whole(
        folder.owners, b'{"red.c": "team Red", "reddish.c": "team Red", "b.py": "team Blue"}'
    )
    return folder


def test_a_column_that_a_later_file_does_not_have_stays_as_it_was(teams) -> None:
    before = players_of(teams), read_people(teams)
    changed(teams, "name,id\nAnn,s1\nBo,s2\n")
    assert (players_of(teams), read_people(teams)) == before
    changed(teams, "name,id,team\nAnn,s1,Blue\n")
    assert (read_people(teams)[0].team, read_people(teams)[0].role) == ("Blue", "operate")


def test_players_go_with_a_team_that_gets_another_name(teams) -> None:
    assert changed(teams, "name,id,team\nAnn,s1,Green\nBo,s2,Green\nCy,s3,\n").stdout == ""
    assert players_of(teams) == {
        "s1": ["red.c", "reddish.c"],
        "s2": ["red.c", "reddish.c"],
        "s3": ["b.py"],
    }


def test_players_stay_with_the_people_who_are_left_in_a_team(teams) -> None:
    changed(teams, "name,id,team\nAnn,s1,Blue\n")
    assert players_of(teams) == {"s1": ["b.py"], "s2": ["red.c", "reddish.c"], "s3": ["b.py"]}


def test_what_a_person_uploaded_before_joining_a_team_stays_the_persons(teams) -> None:
    changed(teams, "name,id\nDi,s4\n")
    write_whole(teams.owners, b'{"red.c": "team Red", "d.py": "person s4"}')
    changed(teams, "name,id,team\nDi,s4,Red\n")
    assert players_of(teams) == {
        "s1": ["red.c"],
        "s2": ["red.c"],
        "s3": [],
        "s4": ["d.py", "red.c"],
    }


def test_players_of_a_team_without_people_are_named_until_they_have_an_author(teams) -> None:
    text = "name,id,team\nAnn,s1,Green\nBo,s2,\n"
    named = re.compile(r"team Red .*red\.c, reddish\.c ")
    assert named.search(changed(teams, text).stderr)
    assert named.search(invoke("ladder", "people", "list", teams.path).stderr)
    text = "name,id,team,players\nAnn,s1,Green,red.c\nBo,s2,,reddish.c\n"
    assert "team Red" not in changed(teams, text).stderr
    assert players_of(teams) == {"s1": ["red.c"], "s2": ["reddish.c"], "s3": ["b.py"]}


def test_limits_in_the_file_of_a_ladder_are_checked(folder) -> None:
    text = folder.declaration.read_text()

    def with_limits(limits):
        folder.declaration.write_text(f"{text}\n[uploads]\n{limits}\n")
        return read_ladder(folder).uploads

    found = with_limits("deadline = 2027-01-31T23:59:00+01:00\neach_day = 9\nplayers = 2")
    assert (found.deadline.isoformat(), found.each_day, found.players) == (
        "2027-01-31T23:59:00+01:00",
        9,
        2,
    )
    for limits, said in (
        ("deadline = 2027-01-31T23:59:00", "zone"),
        ("each_day = 0", "each_day"),
        ("player = 2", "player"),
    ):
        with pytest.raises(InvalidInput, match=said):
            with_limits(limits)


@pytest.mark.skipif(not available_timezones(), reason="unavoidable: no tzdata here")
def test_the_zone_of_a_ladder_is_that_of_its_deadline(folder) -> None:
    text = folder.declaration.read_text()

    def with_zone(name, deadline="2027-01-31T23:59:00"):
        written = text.replace('# zone = "Europe/Berlin"', f'zone = "{name}"')
        folder.declaration.write_text(f"{written}\n[uploads]\ndeadline = {deadline}\n")
        return read_ladder(folder).uploads

    assert with_zone("Europe/Paris").deadline.isoformat() == "2027-01-31T23:59:00+01:00"
    assert limits_text(with_zone("Asia/Tokyo", "2120-06-01T00:00:00+02:00")) == (
        "Players can be uploaded until 2120-06-01 07:00 (JST)."
    )
    for name in ("Europe/Pariss", "Europe", "../../etc/passwd", "/etc/passwd", "\\u0000"):
        with pytest.raises(InvalidInput, match=r"ladder\.toml, line \d+: zone: .*no time zone"):
            with_zone(name)


def test_accents_that_are_characters_of_their_own_make_no_other_person(folder, tmp_path) -> None:
    """As where one list comes from a Mac, and another one does not."""
    listed = tmp_path / "listed.csv"
    listed.write_text("name,team\nZo\u00eb,\u00c9quipe\n")
    assert len(add_people(folder, listed)) == 1
    listed.write_text("name,team\nZoe\u0308,E\u0301quipe\nMax,E\u0301quipe\n")
    assert [new.person.name for new in add_people(folder, listed)] == ["Max"]
    listed.write_text("name,team\n\uff3a\uff4fe\u0308\u3164,\u00c9quipe\n")
    assert add_people(folder, listed) == []
    assert {person.owner for person in read_people(folder)} == {"team \u00c9quipe"}
    assert renew_token(folder, "Zoe\u0308").person.id == "Zo\u00eb"


def test_the_grade_sheet_says_that_a_player_was_withdrawn() -> None:
    people = [Person("s1", "Anna"), Person("s2", "Bela")]
    owners = {"ann.py": "person s1", "old.py": "person s2", "new.py": "person s2"}
    table = LadderTable("a toy", [LadderLine("new.py", "12ab")], 0, "greedy", 1000.0, 0)
    sheet = csv.DictReader(io.StringIO(grades(people, owners, table, {}, "today").csv()))
    notes = [(row["player"], row["note"]) for row in sheet]
    assert notes == [("", "withdrawn or not yet enrolled: ann.py"), ("new.py", "")]


def test_a_grade_that_is_lacking_has_its_cause() -> None:
    people = [Person(name, name) for name in ("s1", "s2", "s3")]
    owners = {"one.py": "person s1", "two.py": "person s2"}
    lines = [LadderLine("one.py", note="suspended: it crashed"), LadderLine("two.py")]
    table = LadderTable("a toy", lines, 0, "greedy", 1000.0, 0)
    sheet = csv.DictReader(io.StringIO(grades(people, owners, table, {"A": 1000}, "today").csv()))
    assert [row["rule"] for row in sheet] == ["suspended", "no lower limit", "no player"]
