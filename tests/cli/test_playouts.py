"""``ludograph playouts``: how very many random games of a position end."""

import json

import pytest

import ludograph
from ludograph.games.registry import names
from tests.amounts import slow_but
from tests.cli.run import in_terminal, run, succeed


@pytest.mark.slow
@pytest.mark.parametrize("game", slow_but(["flood", "carcassonne"], names()))
def test_data_are_those_of_python(game):
    told = json.loads(succeed("playouts", game, "-r", 500, "--seed", 7, "--json"))
    found = ludograph.playouts(ludograph.make(game, seed=7), 500, seed=7)
    assert told["playouts"] == 500
    assert told["wins"] == found.wins.tolist()
    assert told["draws"] == found.draws
    assert told["mean"] == found.mean.tolist()
    for seat, each in enumerate(told["distribution"]):
        values, counts = found.distribution(seat)
        assert each == {"scores": values.tolist(), "counts": counts.tolist()}


@pytest.mark.slow
def test_options_of_the_game():
    arguments = ("penguins", 1, "penrose", 5, 5, "--seats", 3, "-r", 200, "--seed", 2)
    text = succeed("playouts", *arguments, "-q")
    position = ludograph.make("penguins", board="penrose:5", penguins=1, seats=3, seed=2)
    found = ludograph.playouts(position, 200, seed=2)
    rows = [line.split() for line in text.splitlines()]
    assert [int(row[2]) for row in rows[1:4]] == found.wins.tolist()
    assert int(rows[4][1]) == found.draws
    assert len(rows) == 5


@pytest.mark.slow
def test_threads_change_nothing():
    texts = [
        succeed("playouts", "hex", "--size", 4, "-r", 999, "--seed", 1, "-q", "--threads", count)
        for count in (1, 3)
    ]
    assert texts[0] == texts[1]


def test_uniform_moves():
    told = json.loads(
        succeed("playouts", "flood", "-m", 4, "-r", 99, "--seed", 1, "--json", "--uniform")
    )
    found = ludograph.random_games(ludograph.make("flood", board=4, seed=1), 99, seed=1)
    assert told["uniform"] is True
    assert told["mean"] == found.mean.tolist()


def test_the_text_tells_all():
    lines = succeed("playouts", "flood", "-m", 6, "-r", 1000, "--seed", 3).splitlines()
    assert lines[0].startswith("flood on square 6x6, 6 colors, seed 3: 1000 playouts in ")
    assert lines[2].split() == ["wins", "%", "mean", "score", "error"]
    heading = lines.index("Scores of seat 0:")
    told = [line.replace("..", " ").split() for line in lines[heading + 1 :]]
    assert sum(int(row[1]) for row in told) == 1000
    assert 1 < len(told) <= 16


def test_from_a_recorded_game(tmp_path):
    record = tmp_path / "game.jsonl"
    succeed("flood", "-m", 5, "--seed", 4, "--record", record, "-q", "greedy", "random")
    read = ludograph.read_record(record)
    for ply in (0, 3, read.plies):
        arguments = ("flood", "--record", record, "--ply", ply, "-r", 300, "--seed", 6, "--json")
        told = json.loads(succeed("playouts", *arguments))
        *_, position = (each.copy() for each, _ in read.positions() if each.ply == ply)
        assert told["mean"] == ludograph.playouts(position, 300, seed=6).mean.tolist()
        assert told["ply"] == ply


def test_the_seed_is_drawn_and_shown():
    told = json.loads(succeed("playouts", "flood", "-m", 4, "-r", 10, "--json"))
    again = succeed("playouts", "flood", "-m", 4, "-r", 10, "--json", "--seed", told["seed"])
    assert json.loads(again)["distribution"] == told["distribution"]


@pytest.mark.slow
def test_a_bar_in_a_terminal_and_nothing_in_a_pipe():
    arguments = ("playouts", "flood", "-m", 9, "-r", 30_000, "--seed", 1)
    assert "30000/30000" in in_terminal(*arguments).text
    assert "/30000" not in run(*arguments).stderr
