"""A ladder from the command line: made, run, stopped, told; what is wrong is said in a sentence."""

import contextlib
import csv
import io
import json
import re
import shutil
import signal
import sqlite3
import tomllib
from pathlib import Path

import pytest

from ludograph.arena.ladder import LadderFolder, enrolment
from ludograph.arena.store import GameFilter, Store
from ludograph.cli.declared_files import read_ladder
from ludograph.cli.shared_options import RUN_AGAIN
from tests.cli.run import invoke, refuse, run, spawn, succeed
from tests.processes import wait_until

FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"
CRASHES = "def choose(position):\n    raise ValueError('no idea')\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)
    folder = tmp_path / "course"
    succeed("ladder", "init", folder, "flood", "-m", 5, "-c", 4)
    return folder


def put(course, name, text=FIRST):
    (course / "players" / name).write_text(text)


def rows(course):
    found = csv.DictReader(io.StringIO(succeed("ladder", "table", course, "--csv")))
    return {row["player"]: row for row in found}


def games(course):
    with Store(course / "games.db") as store:
        return list(store.games(GameFilter()))


def test_from_nothing_to_a_grade_sheet(course, tmp_path):
    put(course, "first.py")
    if shutil.which("gcc"):
        put(course, "broken.c", "int f(void) { return x; }")
    result = invoke("ladder", "run", course, "--games", 6, "-j", 1)
    assert result.exit_code == 0, result.output
    assert re.search(r"(?m)^first\.py .* [0-9a-f]{8}$", result.stderr)
    assert result.stderr.endswith("\n6 games\n")
    table = rows(course)
    assert table["first.py"]["rank"] == "1"
    assert float(table["greedy"]["rating"]) == 1000
    assert "first.py" in succeed("ladder", "table", course)
    assert json.loads(succeed("ladder", "table", course, "--json"))["games"] == 6
    page, picture = tmp_path / "page.html", tmp_path / "plot.svg"
    assert succeed("ladder", "table", course, "--html", page, "--svg", picture) == ""
    assert "first.py" in page.read_text()
    assert picture.read_text().startswith("<svg ")
    assert "--force" in refuse("ladder", "table", course, "--html", page)
    if shutil.which("gcc"):
        assert "compile" in table["broken.c"]["note"]
        assert "'x' undeclared" in succeed("ladder", "why", course, "broken.c")


@pytest.mark.slow
def test_a_damaged_store_is_told_and_the_ladder_goes_on_with_a_back_up(course):
    put(course, "first.py")
    succeed("ladder", "run", course, "--games", 6, "-j", 1)
    store, copy = course / "games.db", course / "copy.db"
    with sqlite3.connect(store) as connection, sqlite3.connect(copy) as target:
        connection.backup(target)
        connection.execute("UPDATE seats SET rank = x'ff' WHERE game = 2")
    connection.close()
    target.close()
    for command in (("table", course, "--csv"), ("why", course, "first"), ("run", course)):
        words = (*command, "--games", 2) if command[0] == "run" else command
        result = invoke("ladder", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"'sqlite3 {store} .recover'" in result.stderr
    copy.replace(store)
    assert json.loads(succeed("ladder", "table", course, "--json"))["games"] == 6
    succeed("ladder", "run", course, "--games", 2, "-j", 1)
    assert len(games(course)) == 8


@pytest.mark.slow
def test_why_tells_what_to_replay(course, tmp_path, monkeypatch):
    put(course, "first.py")
    put(course, "bad.py", CRASHES)
    file = course / "ladder.toml"
    file.write_text(file.read_text().replace("patience = 6", "patience = 2"))
    lost = tmp_path / "lost"
    succeed("ladder", "run", course, "--games", 8, "-j", 1)
    told = succeed("ladder", "why", course, "bad", "--records", lost)
    assert re.search(r"Suspended: 2 .* crash\.", told)
    assert re.search(r"is suspended: 2 .* crash: ValueError: no idea", told)
    command = next(line for line in told.splitlines() if "replay" in line).split()
    assert "no idea" in succeed(*command[1:])
    told = succeed("ladder", "why", course, "bad.py")
    opened, _, replay = next(line for line in told.splitlines() if "&&" in line).partition(" && ")
    monkeypatch.chdir(tmp_path)
    succeed(*opened.split()[1:])
    assert "no idea" in succeed(*replay.split()[1:])
    assert "first.py" in refuse("ladder", "why", course, "frist.py")


def test_the_file_says_all_that_was_chosen(tmp_path):
    made = succeed("ladder", "init", tmp_path / "a", "penguins", "2", "penrose", "5", "5",
                   "--seats", 3, "--clock", "5s+1s")  # fmt: skip
    assert "penrose" in made
    found = tomllib.loads((tmp_path / "a" / "ladder.toml").read_text())
    assert found["settings"] == {"penguins": 2, "board": "penrose:5x5"}
    assert (found["seats"], found["clock"]) == (3, "5s+1s,start=10s")


DETERMINISTIC = """
def choose(position):
    moves = position.legal_moves()
    return moves[len(moves) * {} // 7]
"""


@pytest.mark.slow
def test_weak_deterministic_players_get_closed_intervals_from_distinct_games(tmp_path, monkeypatch):
    """They beat only random players, and each of them always plays alike."""
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)
    course = tmp_path / "course"
    succeed("ladder", "init", course, "hex", "--size", 5)
    for part in range(4):
        put(course, f"bot{part}.py", DETERMINISTIC.format(part))
    for _ in range(4):  # mostly one is enough; luck decides who wins the first game of a step
        ran = invoke("ladder", "run", course, "--games", 320)
        assert ran.exit_code == 0, ran.output
        data = json.loads(succeed("ladder", "table", course, "--json"))
        students = [one for one in data["players"] if one["version"]]
        if all(one["low"] is not None and one["high"] is not None for one in students):
            break
    else:
        pytest.fail(f"intervals are open after {data['games']} games: {students}")
    assert len(students) == 4
    assert data["distinct_games"] > 0.8 * data["games"]


def test_drawn_openings_can_be_declined(tmp_path):
    course = tmp_path / "course"
    succeed("ladder", "init", course, "hex", "--size", 5)
    file = course / "ladder.toml"
    with_them = read_ladder(LadderFolder(course))
    text = file.read_text()
    assert '"drawn"  #' in text
    file.write_text(text.replace('"drawn"  #', '"none"  #'))
    without = read_ladder(LadderFolder(course))
    assert (len({with_them.opening(start) for start in range(50)}), without.opening(3)) == (25, ())
    assert with_them.key != without.key


def test_a_file_with_a_mistake_is_told_by_line(course):
    file = course / "ladder.toml"
    text = file.read_text()
    for old, new, named in (
        ("patience = 6", "patiance = 6", r"'patiance'.* patience\?"),
        ("patience = 6", "patience = 0", "patience .* 1 to 100000, got 0"),
        ('clock = "2s,', 'clock = "2x,', ""),
        ('"greedy"', '"gredy"', ""),
        ('"greedy"', '"./bot.py"', ""),
        ("colors = 4", "colors = 99", "colors"),
        ("seats = 2", "seats = 1", "seats .* 2 to 64, got 1"),
        ("records = 20000", "records = -1", "records .* 0 to 1000000000, got -1"),
    ):
        before, found, _ = text.partition(old)
        assert found
        file.write_text(text.replace(old, new))
        line = before.count("\n") + 1
        assert re.search(f"line {line}: .*{named}", refuse("ladder", "run", course, "--games", 1))


def test_what_is_not_there_or_there_already_is_told(course, tmp_path):
    assert "'ludograph ladder init'" in refuse("ladder", "run", tmp_path)
    assert "'ludograph ladder init'" in refuse("ladder", "table", tmp_path)
    assert f"{course}/ladder.toml: " in refuse("ladder", "init", course, "flood")
    assert f"{course}: no game " in refuse("ladder", "why", course, "x.py")
    assert "--once" in refuse("ladder", "run", course, "--once", "--games", 2)
    for text in ("8x", "1_0h", "\uff11h", "nanh", " 1h"):
        assert refuse("ladder", "run", course, "--for", text).startswith("--for ")
    assert "'greedy'" in refuse("ladder", "init", tmp_path / "b", "flood", "greedy")
    assert "nowhere.json" in refuse(
        "ladder", "init", tmp_path / "b", "flood", "--board", "nowhere.json"
    )
    assert not (tmp_path / "b").exists()
    assert ", 0 games\n" in succeed("ladder", "table", course)


def test_a_wrong_option_of_a_new_ladder_is_told_without_the_file_that_is_gone(tmp_path):
    told = refuse("ladder", "init", tmp_path / "course", "penguins", "--board", "hexa:4")
    assert "hexa:4" in told
    assert "ladder.toml" not in told
    assert not (tmp_path / "course").exists()


@pytest.mark.parametrize("elo", ["nan", "inf", "-inf", "1e400", "true", '"1000"'])
def test_the_rating_of_an_anchor_is_a_number(course, elo):
    file = course / "ladder.toml"
    text, count = re.subn(r"(?m)^anchor_elo = .*", f"anchor_elo = {elo}", file.read_text())
    assert count == 1
    file.write_text(text)
    assert "anchor_elo" in refuse("ladder", "table", course)


def test_a_folder_without_its_players_is_told(course):
    (course / "players").rmdir()
    result = invoke("ladder", "run", course, "--games", 2)
    assert result.exit_code == 3
    assert f"{course}/players: " in result.stderr


def test_a_second_run_refuses(course):
    held = spawn("ladder", "run", course)
    try:
        assert "flood" in held.stderr.readline()
        assert f"{course}: another process" in refuse("ladder", "run", course)
    finally:
        held.kill()
        held.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_it_is_stopped_by_a_signal_and_goes_on(course, number, code):
    put(course, "first.py")
    process = spawn("ladder", "run", course, "-j", 2)
    until_played(course, 5)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code
    assert re.fullmatch(rf"ludograph: .* \d+ games?; {RUN_AGAIN}", said.splitlines()[-1])
    succeed("ladder", "run", course, "--games", 3)


@pytest.mark.slow
def test_nothing_finished_is_lost_or_counted_twice_when_it_is_killed(course):
    put(course, "first.py")
    seen = 0
    for _ in range(3):
        process = spawn("ladder", "run", course, "-j", 2)
        until_played(course, seen + 4)
        process.kill()
        process.communicate()
        found = games(course)
        assert len(found) >= seen + 4
        seen = len(found)
    assert len({(one.start, tuple(s.player for s in one.seats)) for one in found}) == seen
    succeed("ladder", "run", course, "--games", 4)
    assert len(games(course)) == seen + 4


def until_played(course, count, seconds=300):
    """Wait until so many games are in the store."""
    wait_until(lambda: LadderFolder(course).state.exists() and len(games(course)) >= count, seconds)


SLOW = """\
#if __INCLUDE_LEVEL__ < 60
#include "slow.c"
#include "slow.c"
#endif
"""
"""More files to read than a compiler has time for."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_games_go_on_while_a_source_is_compiled(course):
    """Nothing of the compiler is left when the command has ended."""
    put(course, "first.py")
    put(course, "slow.c", SLOW)
    played = run("ladder", "run", course, "--games", 6, "-j", 1)
    assert played.returncode == 0, played.stderr
    assert played.stderr.endswith("6 games\n")
    assert "slow.c" not in played.stderr
    wait_until(lambda: not compilers(course))


def compilers(folder):
    """Return the processes of compilers that work below a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder) in str((place / "cwd").readlink()):
                found.append(place.name)
    return found


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_compiler_outlives_the_command_that_has_started_it(course, number):
    put(course, "first.py")
    put(course, "slow.c", SLOW)
    held = spawn("ladder", "run", course, "-j", 1)
    try:
        wait_until(lambda: compilers(course))
        held.send_signal(number)
        wait_until(lambda: not compilers(course))
    finally:
        held.kill()
        held.communicate()


LOOPS = """\
import time
class Player:
    def __init__(self):
        while True:
            time.sleep(1)
    def choose(self, position):
        return 0
"""


@pytest.mark.slow
def test_a_player_that_cannot_start_plays_one_game(course):
    """Its constructor takes all of its start clock: once, not in each game."""
    file = course / "ladder.toml"
    file.write_text(file.read_text().replace("start=10s", "start=1s"))
    put(course, "first.py")
    put(course, "loops.py", LOOPS)
    succeed("ladder", "run", course, "--games", 10, "-j", 1)
    succeed("ladder", "run", course, "--games", 4, "-j", 1)
    assert sum("loops.py" in [seat.player for seat in one.seats] for one in games(course)) == 1
    note = rows(course)["loops.py"]["note"]
    assert note == "suspended: it did not start"
    assert note in " ".join(succeed("ladder", "why", course, "loops").lower().split())
    report = (course / "reports" / "loops.py.txt").read_text()
    assert re.search(r"loops\.py.* 1 s\b", report)


@pytest.mark.slow
def test_a_new_version_that_starts_slowly_holds_one_process_and_no_more(course):
    """While its first game begins, all others are played by the other process."""
    put(course, "first.py")
    file = course / "ladder.toml"
    file.write_text(file.read_text().replace("start=10s", "start=100s"))
    succeed("ladder", "run", course, "--games", 2, "-j", 1)
    put(course, "loops.py", LOOPS)
    held = spawn("ladder", "run", course, "-j", 2)
    try:
        until_played(course, 5, seconds=90)  # the start clock is 100 s
    finally:
        held.kill()
        held.communicate()
    played = [[seat.player for seat in one.seats] for one in games(course)]
    assert not any("loops.py" in players for players in played[:5])


@pytest.mark.slow
def test_a_player_that_starts_slowly_does_not_hold_up_others(course):
    """As a new version it plays first, but only one game at a time."""
    put(course, "first.py")
    put(course, "slow.py", LOOPS.replace("while True:\n            time.sleep(1)", "time.sleep(4)")
        .replace("return 0", "return position.legal_moves()[0]"))  # fmt: skip
    succeed("ladder", "run", course, "--games", 12, "-j", 2)
    count = sum("slow.py" in [seat.player for seat in one.seats] for one in games(course))
    assert 1 <= count <= 4


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_the_name_of_a_source_is_no_option_of_the_compiler(course):
    put(course, "first.py")
    put(course, "-o x.c", 'char const *get_player_name(void) { return "c"; }\n')
    played = invoke("ladder", "run", course, "--games", 4, "-j", 1)
    assert re.search(r"(?m)^-o x\.c .*has no function", played.stderr)  # so it was compiled
    assert not list(course.rglob("x.c"))
