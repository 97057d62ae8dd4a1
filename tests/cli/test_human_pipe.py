"""People who play through a pipe: a move per line, the board as plain text, answers beside it."""

import json
import re
import subprocess

import pytest

from ludograph import read_record
from ludograph.games.registry import names
from tests.cli.run import invoke, run, spawn, succeed
from tests.cli.test_human_terminal import SMALL

FAST = ("--seed", 3, "--starter", 0)


def piped(text, *arguments):
    return run(*SMALL["hex"], "human", "random", *FAST, *arguments, input=text)


@pytest.mark.parametrize("name", SMALL)
def test_a_game_written_down_is_played_again(name, tmp_path):
    record, second = tmp_path / "game.jsonl", tmp_path / "second.jsonl"
    shown = succeed(*SMALL[name], "random", "random", *FAST, "--record", record)
    kept = read_record(record)
    moves = [kept.start.text(e.move) for e in kept.events if e.seat is not None]
    done = run(
        *SMALL[name], "human", "human", *FAST, "--record", second, input="\n".join(moves) + "\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert squeezed(done.stdout) == squeezed(shown.replace("random", "human"))
    assert [e.move for e in read_record(second).events] == [e.move for e in kept.events]


def squeezed(text: str) -> str:
    """A text whose columns are one blank apart, as their widths depend on the names."""
    return re.sub(" +", " ", text)


def test_what_is_wrong_is_told_and_the_next_line_is_read():
    done = piped("z9\n\na1\na1\nresign\n")
    assert done.returncode == 0
    assert done.stdout.count("#\n") == 2
    first, second = done.stderr.splitlines()
    assert re.match(r"hex: .*'z9'.* a1 to c3;.*\?", first)
    assert re.search(r"\(a1\) .* seat 0 at ply 3: .*own opening", second)
    assert done.stdout.endswith("random (seat 1) wins, human (seat 0) resigned.\n")


def test_the_end_of_the_input_resigns():
    done = piped("b2")
    assert done.returncode == 0
    assert "ply 1: human (seat 0) plays b2" in done.stdout
    assert re.search(r"human \(seat 0\) resigned, .*input.*\.\n$", done.stdout)


def test_wishes_are_answered_beside_the_boards(tmp_path):
    record = tmp_path / "game.jsonl"
    done = piped("?\nmoves\nb2\nhint\nundo\nc1\nquit\n", "--record", record)
    assert done.returncode == 0
    assert "free cell" in done.stderr
    assert "#9 c3" in done.stderr
    assert "hint: " in done.stderr
    assert re.search(r"human \(seat 0\) .* to ply 0\n", done.stdout)
    assert re.search(rf" 2 moves; --resume {record} ", done.stdout.splitlines()[-1])
    kept = read_record(record)
    assert [kept.start.text(event.move) for event in kept.events][:1] == ["c1"]


@pytest.mark.slow
def test_a_clock_runs_where_nobody_writes():
    options = (*SMALL["hex"], "human", "random", *FAST, "--clock", "300ms", "-q")
    process = spawn(*options, stdin=subprocess.PIPE)
    try:
        assert "human (seat 0) forfeits: timeout" in process.stdout.read()
        assert process.wait(60) == 0
    finally:
        process.communicate()


def test_endless_lines_and_bytes_that_are_no_text():
    done = run(
        *SMALL["hex"],
        "human",
        "random",
        *FAST,
        "-q",
        input="x" * 20_000 + "\nb\udcff2\nresign\n",
    )
    assert done.returncode == 0
    assert max(map(len, done.stderr.splitlines())) < 300
    assert "Traceback" not in done.stderr


def test_quiet_and_json():
    assert piped("b2\n", "-q").stdout.count("\n") == 1
    found = json.loads(piped("b2\n", "--json").stdout)
    assert found["players"][0]["player"] == "human"
    assert found["moves"][0]["move"] == "b2"
    assert found["reason"] == "resign"


@pytest.mark.parametrize("name", names())
def test_every_game_lists_it(name):
    assert succeed("strategies", name).startswith("human ")
    assert "(human)" in invoke(name, "--help").stdout


def test_the_beginning_of_a_color_that_is_not_legal_is_told_why():
    done = run("flood", "-m", 4, "human", "greedy", *FAST, input="b\nb\nquit\n")
    assert re.search(r"color 0 \(blue\) .* seat 0 at ply .*zone", done.stderr)


@pytest.mark.slow
def test_people_play_carcassonne_with_meeples():
    done = run("carcassonne", "human", "greedy", *FAST, input="quit\n")
    assert "7 meeples" in done.stdout
    done = run("carcassonne", "-m", 0, "human", "greedy", *FAST, input="quit\n")
    assert "NO_MEEPLE" in done.stdout


def test_a_meeple_says_what_it_stands_on():
    words = ("carcassonne", "--deck", "course:12", "human", "random", *FAST)
    told = run(*words, input="moves\nquit\n").stderr
    assert re.search(r"#\d+ \S+ r\d m\d+ \(.* (road|field|castle) ", told)
