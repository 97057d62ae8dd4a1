"""A ladder from the command line: made, run, stopped, told; what is wrong is said in a sentence."""

import csv
import io
import json
import shutil
import signal
import time
import tomllib

import pytest

from ludograph.arena.ladder import LadderFolder, roster
from ludograph.arena.store import GameFilter, Store
from ludograph.games.registry import declaration, names
from ludograph.players.spec import parse_player
from tests.cli.run import invoke, refuse, spawn, succeed

FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"
CRASHES = "def choose(position):\n    raise ValueError('no idea')\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(roster, "SETTLE", 0.0)
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
    assert "first.py has come, version" in result.stderr
    assert result.stderr.endswith("6 games\n")
    table = rows(course)
    assert table["first.py"]["rank"] == "1"
    assert float(table["greedy"]["rating"]) == 1000
    assert "first.py" in succeed("ladder", "table", course)
    assert json.loads(succeed("ladder", "table", course, "--json"))["games"] == 6
    page, picture = tmp_path / "page.html", tmp_path / "plot.svg"
    assert succeed("ladder", "table", course, "--html", page, "--svg", picture) == ""
    assert "first.py" in page.read_text()
    assert picture.read_text().startswith("<svg ")
    assert "--force overwrites it" in refuse("ladder", "table", course, "--html", page)
    if shutil.which("gcc"):
        assert "does not compile" in table["broken.c"]["note"]
        assert "'x' undeclared" in succeed("ladder", "why", course, "broken.c")


def test_why_tells_what_to_replay(course, tmp_path, monkeypatch):
    put(course, "first.py")
    put(course, "bad.py", CRASHES)
    file = course / "ladder.toml"
    file.write_text(file.read_text().replace("patience = 6", "patience = 2"))
    succeed("ladder", "run", course, "--games", 8, "-j", 1)
    lost = tmp_path / "lost"
    told = succeed("ladder", "why", course, "bad", "--records", lost)
    assert "Set aside: 2 forfeits in a row, crash: ValueError: no idea" in told
    command = next(line for line in told.splitlines() if "replay" in line).split()
    assert "no idea" in succeed(*command[1:])
    told = succeed("ladder", "why", course, "bad.py")
    opened, _, replay = next(line for line in told.splitlines() if "&&" in line).partition(" && ")
    monkeypatch.chdir(tmp_path)
    succeed(*opened.split()[1:])
    assert "no idea" in succeed(*replay.split()[1:])
    assert "did you mean first.py?" in refuse("ladder", "why", course, "frist.py")


def test_the_file_says_all_that_was_chosen(tmp_path):
    made = succeed("ladder", "init", tmp_path / "a", "penguins", "2", "penrose", "5", "5",
                   "--seats", 3, "--clock", "5s+1s", "--seed", 7)  # fmt: skip
    assert "penrose" in made
    found = tomllib.loads((tmp_path / "a" / "ladder.toml").read_text())
    assert found["settings"] == {"penguins": 2, "board": "penrose:5x5"}
    assert (found["seats"], found["clock"], found["seed"]) == (3, "5s+1s", 7)


@pytest.mark.parametrize("name", names())
def test_every_game_has_fixed_points_that_no_clock_changes(name):
    game = declaration(name)
    specs = [parse_player(text, game.game(), max(2, game.seats[0])) for text in game.anchors]
    assert specs
    for spec in specs:
        strategy = game.game().strategy(spec.target)
        timed = "time" in {option.name for option in strategy.options}
        assert not timed or spec.options.keys() & {"sims", "depth"}


def test_a_file_with_a_mistake_is_told_by_line(course):
    file = course / "ladder.toml"
    text = file.read_text()
    for old, new, said in (
        ("patience = 6", "patiance = 6", "line 14: there is no 'patiance'; did you mean patience?"),
        ("patience = 6", "patience = 0", "line 14: patience 0: from 1 to 100000"),
        ('clock = "2s"', 'clock = "2x"', "line 4: "),
        ('"greedy"', '"gredy"', "line 10: "),
        ('"greedy"', '"./bot.py"', "line 10: "),
        ("colors = 4", "colors = 99", "colors must be a whole number"),
        ("seats = 2", "seats = 1", "seats 1: from 2 to 64"),
        ("versions = 5", "versions = 0", "versions 0: from 1 to 1000"),
    ):
        assert old in text
        file.write_text(text.replace(old, new))
        assert said in refuse("ladder", "run", course, "--games", 1)


def test_what_is_not_there_or_there_already_is_told(course, tmp_path):
    assert "there is no ladder" in refuse("ladder", "run", tmp_path)
    assert "there is no ladder" in refuse("ladder", "table", tmp_path)
    assert "there is a ladder already" in refuse("ladder", "init", course, "flood")
    assert "nobody has played yet" in refuse("ladder", "why", course, "x.py")
    assert "exclude each other" in refuse("ladder", "run", course, "--once", "--games", 2)
    assert "--for must be a time" in refuse("ladder", "run", course, "--for", "8x")
    assert "nothing can follow" in refuse("ladder", "init", tmp_path / "b", "flood", "greedy")
    refuse("ladder", "init", tmp_path / "b", "flood", "--board", "nowhere.json")
    assert not (tmp_path / "b").exists()
    assert "Nobody has come yet." in succeed("ladder", "table", course)


def test_a_folder_without_its_players_is_told(course):
    (course / "players").rmdir()
    result = invoke("ladder", "run", course, "--games", 2)
    assert result.exit_code == 3
    assert "the folder is gone" in result.stderr


def test_a_second_run_refuses(course):
    held = spawn("ladder", "run", course)
    try:
        assert "flood" in held.stderr.readline()
        assert "another process is running this ladder now" in refuse("ladder", "run", course)
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
    assert said.splitlines()[-1].startswith("ludograph: stopped after ")
    assert said.splitlines()[-1].endswith("the same command goes on")
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


def until_played(course, count, seconds=90):
    """Wait until so many games are in the store."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if LadderFolder(course).state.exists() and len(games(course)) >= count:
            return
        time.sleep(0.1)
    raise AssertionError(f"no {count} games in {seconds} s")


def test_every_command_of_the_ladder_has_its_help():
    for words in ("", "init", "init x flood", "run", "table", "why"):
        assert "Usage: ludograph ladder" in succeed("ladder", *words.split(), "--help")
