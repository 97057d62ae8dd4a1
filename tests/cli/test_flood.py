"""``ludograph flood``: one match, in all the forms of its output."""

import json
import re
import time

import pytest

from ludograph import boards
from tests.cli.run import invoke, run, spawn, succeed


@pytest.mark.slow
def test_a_refusal_gives_its_reason_everywhere(tmp_path):
    """On the terminal, in JSON, in the record and in a series it is the same sentence."""
    bot, record = tmp_path / "own.py", tmp_path / "record.jsonl"
    bot.write_text(
        "def choose(position):\n    return next(c for c in range(6) if not position.is_legal(c))\n"
    )
    game = ("flood", "-m", 4, "--seed", 1, "--starter", 0, bot, "greedy")
    found = json.loads(succeed(*game, "--json", "--record", record))
    message = found["faults"][0]["message"]
    assert re.fullmatch(r"color \d \(\w+\) .* seat 0 at ply 1: .*; legal: .*", message)
    assert message in found["result"]
    assert message in succeed(*game, "-q")
    assert message in record.read_text()
    series = json.loads(succeed(*game, "-r", 1, "--json"))
    assert series["players"][0]["first_faults"] == {"illegal-move": message}


def moves(*arguments):
    found = json.loads(succeed("flood", "--json", *arguments))
    return [move["move"] for move in found["moves"]], found


def test_the_seed_that_is_shown_plays_the_same_game_again():
    first, found = moves("-m", 8, "random", "greedy")
    again, same = moves("-m", 8, "--seed", found["seed"], "random", "greedy")
    assert first == again
    assert found["players"] == same["players"]


@pytest.mark.slow
def test_starter():
    for starter in (0, 1, 2):
        _, found = moves("-m", 4, "--starter", starter, "greedy", "random", "mcts:sims=10")
        names = ["greedy", "random", "mcts:sims=10"]
        seated = [player["player"] for player in found["players"]]
        assert seated == names[starter:] + names[:starter]
    drawn = {moves("-m", 3, "--seed", seed, "greedy", "random")[1]["starter"] for seed in range(8)}
    assert drawn == {0, 1}
    assert moves("-m", 3, "--starter", "random", "--seed", 5, "greedy", "random")[1] != {}


@pytest.mark.parametrize(
    ("options", "board"),
    [
        (["-t", "c", "-m", 9], "square 9x9"),
        (["-t", "d", "-m", 9], "donut 9x9"),
        (["-t", "h", "-m", 9], "hatched 9x9"),
        (["-t", "t", "-m", 9], "torus 9x9"),
        (["--type", "Hexagonal", "--width", 4, "--height", 5], "hexagonal 4x5"),
        ([], "square 12x12"),
    ],
)
def test_boards(options, board):
    assert moves(*options, "greedy", "random")[1]["board"]["name"] == board


@pytest.mark.parametrize("coloring", ["0", "1", "2", "3", "cyclic", "Random", "blocks", "balanced"])
def test_colorings(coloring):
    assert moves("-m", 6, "-a", coloring, "-f", 2, "greedy", "random")[1]["reason"] == "finished"


def test_the_order_of_options_and_players_does_not_matter():
    orders = (
        ["-m", 6, "-t", "h", "-c", 5, "greedy", "random", "--seed", 4],
        ["greedy", "-c5", "--seed=4", "random", "-th", "-m6"],
        ["--seed", 4, "greedy", "random", "--colors", 5, "--type", "hatched", "--width", 6],
    )
    first, *others = [moves(*order)[0] for order in orders]
    assert others == [first, first]


@pytest.mark.parametrize("suffix", ["json", "edgelist"])
def test_a_board_from_a_file(tmp_path, suffix):
    path = tmp_path / f"town.{suffix}"
    if suffix == "json":
        boards.save(boards.hexagonal(4), path)
    else:
        path.write_text("".join(f"{v} {v + 1}\n{v} {v + 2}\n" for v in range(12)))
    _, found = moves("--board", path, "-c", 4, "greedy", "random")
    assert found["board"]["vertices"] == (16 if suffix == "json" else 14)


def test_a_dense_board_from_a_file(tmp_path):
    edges = tmp_path / "k80.edgelist"
    edges.write_text("".join(f"{u} {v}\n" for u in range(80) for v in range(u)))
    _, found = moves("--board", edges, "greedy", "random")
    assert found["board"]["vertices"] == 80


@pytest.mark.slow
def test_hostile_names_reach_no_terminal(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Bot:\n"
        "    name = '\\x1b[2J\\x1b[31mred\\r\\n#'\n"
        "    def choose(self, position):\n"
        "        print('\\x1b]0;owned\\x07')\n"
        "        raise SystemError('\\x1b[2J')\n"
    )
    done = run("flood", "-m", 4, bot, "greedy")
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x07" not in done.stdout + done.stderr


def test_a_closed_pipe_is_silent():
    process = spawn("flood", "-m", 60, "-c", 12, "random", "random", "random")
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    said = [line for line in process.stderr if not line.startswith("preparing")]
    process.stderr.close()
    assert said == []


def test_delay_is_obeyed_when_asked_for():

    began = time.monotonic()
    result = invoke("flood", "-m", 3, "-c", 2, "--delay", 0.1, "--seed", 1, "greedy")
    count = result.stdout.count("#")
    assert time.monotonic() - began >= 0.1 * count > 0
