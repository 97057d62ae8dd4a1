"""``ludograph solve``: what best play leads to."""

import json
import re

import pytest

from ludograph import boards, flood
from tests.cli.run import invoke, run, succeed


def solve(*arguments):
    return json.loads(succeed("solve", "flood", "--json", *arguments))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_the_line_leads_where_the_verdict_says(seed):
    found = solve("-m", 3, "-c", 3, "--seed", seed)
    position = flood.position(boards.square(3), colors=3, seed=seed)
    for move in found["line"]:
        position.play(move)
    assert position.is_over
    first, second = position.scores()
    assert found["verdict"] == ("win" if first > second else "loss" if first < second else "draw")


@pytest.mark.slow
def test_text():
    lines = succeed("solve", "flood", "-m", 3, "-c", 3, "--seed", 1).splitlines()
    assert lines[3] == "flood on square 3x3, 3 colors, seed 1"
    assert re.match("Seat 0, .* wins ", lines[4])
    assert lines[5].startswith("Best line: ")
    assert lines[6].endswith(")")
    text = succeed("solve", "flood", "-m", 3, "-c", 3, "--seed", 1, "-q")
    assert text == f"{lines[4]}\n"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_alone(seed):
    found = solve("-m", 5, "-c", 3, "--seed", seed, "--seats", 1)
    position = flood.position(boards.square(5), colors=3, seats=1, seed=seed)
    for move in found["line"]:
        assert not position.is_over
        position.play(move)
    assert position.is_over
    assert found["verdict"] == "solved"
    text = succeed("solve", "flood", "-m", 5, "-c", 3, "--seed", seed, "--seats", 1, "-q")
    assert re.fullmatch(rf".* {len(found['line'])} moves.*\.\n", text)


def test_a_board_that_cannot_be_solved():
    found = solve("-m", 5, "-c", 3, "-f", 2, "--seats", 1, "--seed", 1)
    assert found["verdict"] == "unsolvable"
    assert found["line"] == []


BIG = ("-m", 20, "-c", 12, "--seed", 1)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2])
def test_when_the_time_is_over(seats):
    result = invoke("solve", "flood", *BIG, "--seats", seats, "--time", 0.05, "-q")
    assert result.exit_code == 1
    assert "--time" in result.stdout
    assert result.stdout.count("\n") == 1


@pytest.mark.slow
def test_as_a_process():
    done = run("solve", "flood", "-m", 3, "-c", 3, "-q")
    assert done.returncode == 0
    assert done.stdout.endswith(".\n")
