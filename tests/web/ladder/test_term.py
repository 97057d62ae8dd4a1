"""A term of a course: thirty people behind nginx, two deadlines, accidents, a final, grades."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ludograph.arena.ladder.submission_list import moment
from ludograph.arena.store import Store
from ludograph.hosting.sandbox.sandbox import strongest
from tests.arena.ladder.making import noon
from tests.cli.run import invoke, spawn, succeed
from tests.web.server.test_proxy import DEPLOY, served

pytestmark = pytest.mark.slow

SINGLE, TEAMS = 20, 5
"""People without a team, and teams of two."""

GRADED = '[grades]\n"A" = 1000\n"B" = 400\n'

PLAYER = """
def choose(position):  # version {version} of {author}
    return position.legal_moves()[{move}]
"""

CRASHES = """
def choose(position):
    print("SECRETPRINT of {author}", flush=True)
    raise ValueError("SECRETFAULT of {author}")
"""

LOOPS = "def choose(position):\n    while True:\n        pass\n"

BROKEN = "int SECRETNAME(void) { return nothing; }\n"

COURSE = "/ladders/course"


class Course:
    """A course: its folder, its people with their tokens, and its server while there is one."""

    def __init__(self, base: Path) -> None:
        self.base, self.folder = base, base / "course"
        base.mkdir()
        succeed("ladder", "init", self.folder, "flood", "-m", 4, "--clock", "1s")
        self.zone = noon()
        declared = (self.folder / "ladder.toml").read_text()
        self.rules = re.sub("(?m)^# zone = .*$", f'zone = "{self.zone.key}"', declared)
        listed = base.parent / "students.csv"
        people = [f"Person {n},p{n:02},{team_of(n)},p@uni.example,upload" for n in range(1, 31)]
        heads, teacher = "name,id,team,mail,role", "Tea Cher,teacher,,,operate"
        listed.write_text("\n".join([heads, *people, teacher]))
        made = succeed("ladder", "people", "add", self.folder, listed)
        self.tokens = {row["id"]: row["token"] for row in csv.DictReader(io.StringIO(made))}
        self.visitor = self.process = None

    def declare(self, deadline: datetime, *more: str, each_day: int = 3) -> None:
        """Write the ladder's file anew."""
        uploads = f"[uploads]\ndeadline = {deadline.isoformat()}\neach_day = {each_day}\n"
        uploads += "players = 1\n"
        rules = self.rules
        for text in more:
            old = re.search(rf"(?m)^{text.partition(' =')[0]} = .*$", rules)[0]
            rules = rules.replace(old, text)
        (self.folder / "ladder.toml").write_text(f"{rules}\n{uploads}\n{GRADED}")

    @contextmanager
    def served(self, proxies: Path, *options: object):
        """Serve the course behind nginx with TLS."""
        with served(proxies, self.base, options=("--ladder", self.folder, *options)) as found:
            self.visitor, self.process = found.visitor, found.process
            yield

    def ask(self, who: str, path: str = "", method: str = "GET", **more):
        """Return the answer to a person's request; nobody has no token."""
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who else {}
        headers |= {"accept": "text/html" if method == "GET" else "application/json"}
        return self.visitor.ask(method, f"{COURSE}{path}", headers=headers, **more)

    def upload(self, who: str, name: str, source: str):
        """Return the answer to an upload."""
        return self.ask(who, f"/players/{name}?anyway=1", "POST", content=source.encode())

    def readers(self, path: str, text: str) -> set[str]:
        """Return those who read a text on a page of the ladder."""
        asked = ("", "p01", "p21", "p22", "p23", "teacher")
        return {who for who in asked if text in self.ask(who, path).text}

    def games(self) -> Counter[tuple[int, tuple[str, ...]]]:
        """Return how often each game is in the store, by tournament, start and seating."""
        with Store(self.folder / "games.db", must_exist=True) as store:
            return Counter((game.tournament, *game.key) for game in store.games())

    def table(self) -> dict[str, dict]:
        """Return the lines of the table, by player."""
        found = json.loads(succeed("ladder", "table", self.folder, "--json"))
        return {line["player"]: line for line in found["players"]}

    def play(self, games: int) -> str:
        """Play some games; return what the command said."""
        result = invoke("ladder", "run", self.folder, "--games", games, "-j", 1)
        assert result.exit_code == 0, result.stderr
        return result.stderr


def team_of(number: int) -> str:
    """Return the team of a person; empty for the first twenty."""
    return "" if number <= SINGLE else f"Team {(number - SINGLE + 1) // 2}"


def file_of(number: int) -> str:
    """Return the file of a person or of the team."""
    team = team_of(number)
    return f"{team.lower().replace(' ', '_')}.py" if team else f"p{number:02}.py"


def source_of(number: int, version: int) -> str:
    """Return a player: Team 1's crashes at first, the player of the second person loops."""
    author = f"p{number:02}"
    if version == 1 and number in (21, 22):
        return CRASHES.format(author=author)
    if version == 1 and number == 2:
        return LOOPS
    return PLAYER.format(version=version, author=author, move=-(number % 2))


def hand_in(course: Course, version: int) -> None:
    """Let all people upload their players: of a team, both, one after the other."""
    for number in range(1, 31):
        answer = course.upload(f"p{number:02}", file_of(number), source_of(number, version))
        assert answer.status_code == 200, answer.text


@pytest.fixture
def proxies(tmp_path):
    folder = tmp_path / "proxies"
    folder.mkdir()
    return folder


def test_a_term(tmp_path, proxies) -> None:
    if strongest()[0] is None:
        pytest.skip("unavoidable: players cannot be isolated here, so that no page takes one")
    course = Course(tmp_path / "srv")
    now = datetime.now(course.zone)
    october = now + timedelta(hours=5)
    course.declare(october)
    with course.served(proxies):
        first_deadline(course)
        everybody_sees_what_is_theirs(course)
        nothing_is_lost_by_kill(course)
        course.declare(now - timedelta(minutes=1))
        late = course.upload("p01", "p01.py", source_of(1, 2))
        assert late.status_code == 400
        assert moment(now - timedelta(minutes=1)) in late.json()["error"]
        assert "No player can be uploaded here: the deadline was" in course.ask("p01").text
        assert course.upload("teacher", "p01.py", source_of(1, 2)).status_code == 200
        course.process.kill()  # in the night before the second deadline
        assert course.ask("p01").status_code == 502
    course.declare(october, 'clock = "2s"', "first_games = 2", each_day=20)
    said = course.play(4)
    assert "ratings start again" in said
    with course.served(proxies):
        second_deadline(course)
        course.declare(now - timedelta(minutes=1), 'clock = "2s"', "first_games = 2")
        assert course.upload("p30", file_of(30), source_of(30, 3)).status_code == 400
        grades_can_be_checked(course)
    elsewhere = restored(course, tmp_path)
    shown = "show_names = true"
    elsewhere.declare(now - timedelta(minutes=1), 'clock = "2s"', "first_games = 2", shown)
    with elsewhere.served(proxies, "--players", elsewhere.folder / "players"):
        a_final_has_a_champion(elsewhere)
    somebody_leaves(elsewhere)


def first_deadline(course: Course) -> None:
    """Thirty uploads, some of them refused first; each person may replace the own ones only."""
    refused = course.upload("p03", "p03.c", BROKEN)
    assert refused.status_code == 400
    assert re.search(r"p03.c:1:\d+: error", refused.json()["error"])
    assert course.upload("", "x.py", "").status_code == 401
    hand_in(course, 1)
    for who, status in (("p02", 403), ("p21", 403), ("p01", 200)):
        assert course.upload(who, "p01.py", source_of(1, 1)).status_code == status
    assert course.upload("p05", "second.py", source_of(5, 1)).status_code == 429  # one each
    assert "each_day" not in course.ask("p01").text
    while not course.play(40) or not course.table()[file_of(21)]["games"]:
        pass
    lines = course.table()
    assert {file_of(number) for number in range(1, 31)} <= lines.keys()
    assert course.upload("p01", "p01.py", source_of(1, 1)).status_code == 200
    assert course.upload("p01", "p01.py", source_of(1, 1)).status_code == 429  # three a day


def everybody_sees_what_is_theirs(course: Course) -> None:
    """Team 1's player has crashed: its text is for both of the team, and for the teacher."""
    with Store(course.folder / "games.db", must_exist=True) as store:
        crashed = next(game.number for game in store.games() if game.reason == "crash")
    team, with_token = {"p21", "p22", "teacher"}, {"p01", "p21", "p22", "p23", "teacher"}
    page = f"/players/{file_of(21)}"
    assert course.readers(page, "SECRETFAULT") == team
    assert course.readers(page, "SECRETPRINT") == team
    assert course.readers(page, "crash") == with_token
    assert course.readers(page, ">Withdraw<") == team
    assert course.readers(page, ">Suspend<") == {"teacher"}
    assert course.readers("/me", "SECRETFAULT") == team - {"teacher"}
    assert course.readers("", "SECRET") == set()
    assert course.readers("", "Person 1") == {"teacher"}
    for who in ("", "p01", "p23", "p22", "teacher"):
        headers = {"authorization": f"Bearer {course.tokens[who]}"} if who else {}
        record = course.visitor.ask(
            "GET", f"/replay/ladder-course/{crashed}/record.jsonl", headers=headers
        )
        assert ("SECRET" in record.text) == (who in team)
    suspended = course.ask("teacher", "/players/p04.py/suspend", "POST", content=b"a copy")
    assert suspended.status_code == 200
    assert course.ask("p05", "/players/p04.py", "DELETE").status_code == 403
    assert "SECRET" not in succeed("ladder", "table", course.folder, "--csv")
    assert "SECRET" not in succeed("ladder", "people", "grades", course.folder)


def nothing_is_lost_by_kill(course: Course) -> None:
    """The run is killed while it plays; the next one goes on with all that was finished."""
    before = course.games()
    run = spawn("ladder", "run", course.folder, "-j", 1, "-q")
    until = time.monotonic() + 200
    while len(course.games()) < len(before) + 6:
        assert run.poll() is None
        assert time.monotonic() < until
        time.sleep(0.2)
    run.kill()
    run.wait(60)
    killed = course.games()
    course.play(6)
    after = course.games()
    assert killed.keys() <= after.keys()
    assert len(after) == len(killed) + 6
    assert set(after.values()) == {1}
    assert course.table()["p04.py"]["note"].startswith("suspended: by an operator: a copy")
    assert course.ask("teacher", "/players/p04.py/reinstate", "POST").status_code == 200


def second_deadline(course: Course) -> None:
    """Thirty second versions; the faults of the first ones are forgotten."""
    hand_in(course, 2)
    course.play(60)
    lines = course.table()
    assert {lines[file_of(number)]["note"] for number in range(1, 31)} <= {"", "has not played yet"}
    assert lines[file_of(21)]["forfeits"] == {}


def grades_can_be_checked(course: Course) -> None:
    """The sheet has a line for each person, and each grade follows from its rule."""
    sheet = csv.DictReader(io.StringIO(succeed("ladder", "people", "grades", course.folder)))
    rows = {row["id"]: row for row in sheet}
    lines = course.table()
    assert len(rows) == 31
    limits = {"A": 1000, "B": 400}
    for number in range(1, 31):
        row = rows[f"p{number:02}"]
        line = lines[row["player"]]
        assert row["player"] == file_of(number)
        assert row["version"] == line["version"][:8]
        places = [row["best_rank"], row["worst_rank"]]
        assert places == [str(place) for place in line["places"] or ("", "")]
        assert row["date"].startswith("20")
        low = float(row["low"]) if row["low"] else None
        met = [grade for grade, limit in limits.items() if low is not None and low >= limit]
        assert row["grade"] == (met[0] if met else "")
        rule = re.fullmatch(r"low (-?[\d.]+) (>=|<) (\d+)|no lower limit|suspended", row["rule"])
        assert rule[1] is None or abs(float(rule[1]) - low) < 0.1
    first = next(row for row in rows.values() if row["rank"] == "1")
    if first["best_rank"] != first["worst_rank"]:
        overlap = f"places 1 to {first['worst_rank']} overlap"
        assert overlap in first["note"]
        assert overlap in course.ask("p05").text
    assert rows["p21"]["player"] == rows["p22"]["player"]
    assert rows["teacher"]["player"] == ""


def restored(course: Course, tmp_path: Path) -> Course:
    """Return the course on another machine: a back-up is unpacked in another folder."""
    backups, again = tmp_path / "backups", tmp_path / "again"
    backups.mkdir()
    again.mkdir()
    made = subprocess.run(
        [DEPLOY / "backup", course.base, backups],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    subprocess.run(["tar", "--extract", "--file", made.stdout.strip(), "-C", again], check=True)
    elsewhere = Course.__new__(Course)
    elsewhere.__dict__ |= {**course.__dict__, "base": again, "folder": again / "course"}
    assert elsewhere.table() == course.table()
    assert elsewhere.games() == course.games()
    return elsewhere


def a_final_has_a_champion(course: Course) -> None:
    """The four best play a knockout on a page; the screen has names of people, as all agreed."""
    best = sorted(
        (line for line in course.table().values() if line["rank"]), key=lambda line: line["rank"]
    )[:4]
    form = {f"enters.players/{line['player']}": "on" for line in best}
    form |= {"board": "square", "board.width": "4", "format": "knockout", "games": "2", "seed": "1"}
    headers = {"authorization": f"Bearer {course.tokens['teacher']}"}
    assert course.visitor.ask("POST", "/tournaments/new/flood", data=form).status_code == 401
    begun = course.visitor.ask("POST", "/tournaments/new/flood", data=form, headers=headers)
    assert begun.status_code == 303, begun.text
    until, screen = time.monotonic() + 200, ""
    while "Champion: " not in screen:
        assert time.monotonic() < until
        screen = course.visitor.ask(
            "GET", f"{begun.headers['location']}/screen", headers=headers
        ).text
        time.sleep(0.5)
    champion = re.search(r"Champion: <strong>(.*?)</strong>", screen)[1]
    assert re.fullmatch(r"Person \d+|Team \d", champion)
    assert champion in course.ask("p05").text
    assert ".py" not in re.sub(r'(?s)href="[^"]*"', "", screen)


def somebody_leaves(course: Course) -> None:
    """A person and the last of a team are removed: all names go, all games stay."""
    games = sum(course.games().values())
    store = course.base / "s.db"
    for who in ("p01", "p21", "p22"):
        succeed("ladder", "people", "remove", course.folder, who, "--store", store)
        is_there = file_of(int(who[1:])) in course.table()
        assert is_there == (who == "p21")  # the other one of the team is still there
    assert sum(course.games().values()) == games
    kept = b"".join(path.read_bytes() for path in course.base.rglob("*") if path.is_file())
    for trace in (b"Person 21", b'"p21"', b"p01.py", b"team_1.py", b"SECRETFAULT"):
        assert trace not in kept
    assert b"Person 23" in kept
