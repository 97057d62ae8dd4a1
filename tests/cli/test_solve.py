"""``ludograph solve``: what best play leads to."""

import json
import re

import pytest

from ludograph import boards, flood, penguins
from tests.cli.run import invoke, run, succeed


def solve(*arguments):
    return json.loads(succeed("solve", "flood", "--json", *arguments))


SMALL = {"flood": ("-m", 3, "-c", 3), "penguins": ("1", "full-hexa", "3", "3")}
START = {
    "flood": lambda seed: flood.position(boards.square(3), colors=3, seed=seed),
    "penguins": lambda seed: penguins.position(
        penguins.board("full-hexa", 3, 3), penguins=1, seed=seed
    ),
}
HEADING = {
    "flood": "flood on square 3x3, 3 colors, seed 1",
    "penguins": "penguins on full-hexa 3x3, 1 penguin each, seed 1",
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", SMALL)
def test_the_line_leads_where_the_verdict_says(game, seed):
    found = json.loads(succeed("solve", game, *SMALL[game], "--json", "--seed", seed))
    position = START[game](seed)
    for move in found["line"]:
        position.play(move)
    assert position.is_over
    first, second = position.scores()
    assert found["verdict"] == ("win" if first > second else "loss" if first < second else "draw")
    if game == "penguins":
        assert (found["fish"], found["margin"]) == ([first, second], first - second)
        assert found["turn"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL)
def test_text(game):
    *_, heading, told, line, cost = succeed("solve", game, *SMALL[game], "--seed", 1).splitlines()
    assert heading == HEADING[game]
    assert re.match("Seat 0, .* wins |.* draw, 7 fish ", told)
    assert line.startswith("Best line: ")
    assert cost.endswith(")")
    assert succeed("solve", game, *SMALL[game], "--seed", 1, "-q") == f"{told}\n"


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
@pytest.mark.parametrize(
    "words",
    [
        ("flood", *BIG, "--seats", 1),
        ("flood", *BIG, "--seats", 2),
        ("penguins", 2, "full-hexa", 8, 8),
    ],
)
def test_when_the_time_is_over(words):
    result = invoke("solve", *words, "--time", 0.05, "-q")
    assert result.exit_code == 1
    assert "--time" in result.stdout
    assert result.stdout.count("\n") == 1


@pytest.mark.slow
def test_as_a_process():
    done = run("solve", "flood", "-m", 3, "-c", 3, "-q")
    assert done.returncode == 0
    assert done.stdout.endswith(".\n")
