"""``ludograph solve --store``: a run that survives being stopped, and goes on."""

import json
import re
import signal

import pytest

from ludograph.arena.solved import SolvedStore
from ludograph.cli.shared_options import RUN_AGAIN
from tests.cli.run import invoke, refuse, spawn, succeed
from tests.cli.test_progress import terminal  # noqa: F401

MAP = ["  a b c d", "1 L L L W", " 2 L L W L", "  3 L W L L", "   4 W L L L"]


@pytest.fixture
def store(tmp_path):
    return tmp_path / "openings.db"


def letters(file, size):
    with SolvedStore(file, f"hex on hexagonal:{size}") as kept:
        return kept.known().values


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [(), ("-j", 2)])
def test_all_openings_are_kept(store, jobs):
    solve = ("solve", "hex", "--size", 4, "--store", store, *jobs)
    first = invoke(*solve)
    assert first.exit_code == 0
    assert first.stdout.splitlines()[-6:-1] == MAP
    assert "16 of 16: " in first.stderr
    values = letters(store, 4)
    assert [values[cell] for cell in ("a1", "d1", "c2", "d4")] == ["L", "W", "W", "L"]
    again = invoke(*solve, "-q")
    assert again.stdout.splitlines() == MAP
    assert again.stderr == ""


@pytest.mark.slow
def test_for_programs(store):
    found = json.loads(succeed("solve", "hex", "--size", 3, "--store", store, "--json"))
    assert found["map"] == ["LLW", "WWW", "WLL"]
    assert found["complete"] is True
    again = json.loads(succeed("solve", "hex", "--size", 3, "--store", store, "--json"))
    assert [again[key] for key in ("map", "nodes")] == [found[key] for key in ("map", "nodes")]


@pytest.mark.slow
@pytest.mark.parametrize(("pie", "verdict"), [((), "loss"), (("--no-pie",), "win")])
@pytest.mark.parametrize("kept", [False, True])
def test_the_verdict_is_that_of_the_game(store, pie, verdict, kept):
    files = ("--store", store) if kept else ()
    found = json.loads(succeed("solve", "hex", "--size", 3, *pie, *files, "--json"))
    assert found["verdict"] == verdict


def test_several_at_a_time_without_a_store():
    assert succeed("solve", "hex", "--size", 4, "-j", 2, "-q").splitlines() == MAP


@pytest.mark.usefixtures("terminal")
def test_a_person_sees_a_bar(store):
    assert "first moves" in invoke("solve", "hex", "--size", 3, "--store", store).stderr


def begun(store):
    """A run on a board of some seconds, when it has proven something."""
    process = spawn("solve", "hex", "--size", 7, "--store", store)
    line = next(line for line in process.stderr if " of 49: " in line)
    return process, line


def test_ctrl_c(store):
    process, line = begun(store)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert output == ""
    count = len(letters(store, 7))
    assert errors.splitlines()[-1].endswith(f" {count} of 49 first moves; {RUN_AGAIN}")
    assert count >= int(line.partition(" ")[0]) > 0


def test_a_kill_loses_only_what_was_not_proven(store):
    process, line = begun(store)
    process.kill()
    process.communicate()
    count, _, told = line.partition(" of 49: ")
    move, value = told.replace(",", "").split()[:2]
    values = letters(store, 7)
    assert len(values) >= int(count)
    assert values[move] == value
    result = invoke("solve", "hex", "--size", 7, "--store", store, "--time", 0.01)
    assert result.exit_code == 1
    assert f"{len(values)} of 49 first moves " in result.stderr
    shown = "".join(result.stdout.splitlines()[-8:-1])
    assert shown.count("W") + shown.count("L") >= len(values)
    assert "?" in shown


def test_what_cannot_be(store, tmp_path):
    solve = ("solve", "hex", "--store", store)
    succeed(*solve, "--size", 2)
    assert re.match(f"{store}: .* hexagonal:2, .* hexagonal:3$", refuse(*solve, "--size", 3))
    assert re.match("--store .* hexagonal:17$", refuse(*solve, "--size", 17))
    assert re.match("--store .* square:3$", refuse(*solve, "-m", 4, "-t", "c"))
    other = tmp_path / "text"
    other.write_text("no database")
    assert refuse("solve", "hex", "--store", other).startswith(f"{other}: ")
    for option in (("--store", store), ("-j", 2)):
        assert re.match(f"{option[0]} .* flood ", refuse("solve", "flood", *option))
    alone = ("solve", "flood", "--board", "square:2", "-c", 3, "--seed", 1, "-q")
    assert succeed(*alone, "-j", 1) == succeed(*alone)
    assert "--record " in refuse("solve", "hex", "--record", other, "--store", store)
