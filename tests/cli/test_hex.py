"""``ludograph hex`` and ``ludograph htp``: matches, their options, pictures, SGF, new players."""

import json
import sys

import pytest

from ludograph import boards
from ludograph.boards import save
from ludograph.games.hex import hex_board
from tests.cli.run import in_terminal, refuse, run, succeed


def played(*arguments):
    return json.loads(succeed("hex", "--json", "--seed", 1, *arguments))


@pytest.mark.parametrize(
    ("options", "name", "vertices"),
    [
        ([], "hexagonal:11", 169),
        (["-m", 4], "hexagonal:3", 25),
        (["--size", 4], "hexagonal:4", 36),
        (["-m", 4, "-t", "c"], "square:3", 25),
        (["--size", 4, "-t", "c"], "square:4", 36),
        (["-m", 4, "-t", "t"], "triangular:4", 96),
    ],
)
def test_boards(options, name, vertices):
    found = played(*options, "random", "random")
    assert found["board"] == {"name": name, "vertices": vertices}
    assert found["reason"] == "finished"


def test_a_board_from_a_file(folder):
    save(hex_board(4, "t").with_marks(hex_board(4, "t").marks, name="mine"), folder / "mine.json")
    save(boards.square(4), folder / "square.json")
    found = played("--board", "mine.json", "random", "random")
    assert found["board"]["vertices"] == 96
    assert "'black'" in refuse("hex", "--board", "square.json", "random", "mcts")


def test_in_a_terminal():
    seen = in_terminal(
        "hex", "--size", 4, "--seed", 1, "--delay", 0, "random", "random", columns=70, lines=30
    )
    assert seen.code == 0
    empty = seen.frames[0].splitlines()  # stones cover the numbers of their rows
    rows = [row for row in empty if row.lstrip()[:1] in tuple("1234")][:4]
    indents = [len(row) - len(row.lstrip()) for row in rows]
    assert indents == sorted(set(indents))
    assert {"0 random, black", "1 random, white"} <= {row.strip(" ▸") for row in seats(seen.frames)}


def seats(frames):
    return [row for frame in frames for row in frame.splitlines() if "random," in row]


@pytest.mark.slow
def test_a_program_that_speaks_htp():
    engine = f"htp: {sys.executable} -m ludograph htp --strategy random"
    found = played("--size", 4, engine, engine)
    assert found["reason"] == "finished"
    assert all("“Ludograph”" in player["name"] for player in found["players"])


def test_interrupting_an_engine_leaves_no_trace():
    done = run("htp", "--strategy", "random", input="name\n")
    assert (done.returncode, done.stdout) == (0, "= Ludograph\n\n")
