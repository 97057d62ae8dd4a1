"""``ludograph solve penguins``: small games and ends of recorded ones."""

import json
import re

import pytest

from ludograph import boards, penguins
from ludograph.games.penguins.solving import BestLine, sentence
from ludograph.referee import read_record
from tests.cli.run import invoke, succeed

pytestmark = pytest.mark.usefixtures("plain_in_make_test")

SMALL = ("1", "full-hexa", "3", "3")


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A recorded game of two."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    options = ("--seed", 3, "--starter", 0, "--record", path, "-q")
    succeed("penguins", 2, "full-hexa", 6, 6, *options, "line", "random")
    return path


def test_the_end_of_a_recorded_game(game):
    ply = read_record(game).plies - 8
    found = json.loads(succeed("solve", "penguins", "--record", game, "--ply", ply, "--json"))
    position = read_record(game).position_at(ply)
    assert found["turn"] == position.turn
    for move in found["line"]:
        position.play(move)
    assert position.is_over
    assert found["fish"] == list(position.scores())
    lines = succeed("solve", "penguins", "--record", game, "--ply", ply).splitlines()
    assert f"penguins on full-hexa 6x6, ply {ply} of {game}" in lines


def test_a_board_of_a_file(tmp_path):
    path = tmp_path / "ice.json"
    boards.save(penguins.board("full-tetra", 3, 2), path)
    text = succeed("solve", "penguins", 1, "--board", path, "--seed", 1, "-q")
    assert re.match("Seat [01]|.* draw", text)


def test_when_the_time_is_over():
    result = invoke("solve", "penguins", 2, "full-hexa", 8, 8, "--time", 0.05, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["verdict"], found["margin"], found["fish"]) == ("unknown", None, None)


@pytest.mark.parametrize(
    ("seats", "margin", "fish", "says"),
    [
        (2, 4, (9, 5), "Seat 0, which moves first, wins with best play, 9 fish to 5."),
        (2, -4, (5, 9), "Seat 1, which moves second, wins with best play, 9 fish to 5."),
        (2, 0, (7, 7), "Best play leads to a draw, 7 fish each."),
        (2, 3, None, "Seat 0, which moves first, wins with best play, by 3 fish."),
        (2, -3, None, "Seat 0, which moves first, loses with best play, by 3 fish."),
        (2, 0, None, "Best play leads to a draw."),
        (2, None, None, "Nothing is proven after 5 s; --time gives more."),
        (3, 0, (7, 7, 2), "Best play leads to a draw between seats 0 and 1, 7 fish each."),
        (3, 2, (9, -1, 7), "Seat 0, which moves first, wins with best play, 9 fish to none (out)"),
    ],
)
def test_sentences(seats, margin, fish, says):
    position = penguins.position(seats=seats)
    assert sentence(position, BestLine(margin, fish, (), 0, 0.0), 5.0).startswith(says)
