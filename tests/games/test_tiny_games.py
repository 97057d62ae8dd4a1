"""The tiny games among the examples pass the checks of every game, each from its file."""

import json
import subprocess
import sys

import pytest

from tests.cli.installed import EXAMPLES

QUICK = "col.py"
FILES = sorted((EXAMPLES / "tiny").glob("*.py"))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=() if path.name == QUICK else pytest.mark.slow)
        for path in [*FILES, EXAMPLES / "snort"]
    ],
)
def test_it_keeps_the_contract(path):
    """One of them is compiled by ``make test``, the others by ``make test-all``.

    Three games each from the small board for solving and from the usual one, if they are two.
    """
    command = [sys.executable, "-m", "ludograph", "check-game", path, "--games", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    games = 3 if path.stem == "kayles" else 6
    assert f"passes all checks in {games} random games" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_less_than_80_lines_of_code(path):
    lines = path.read_text().split('"""', 2)[2].splitlines()
    assert len([line for line in lines if line and not line.lstrip().startswith("#")]) < 80


def test_it_is_played_from_its_file_as_the_program_writes_it(tmp_path):
    ludograph = [sys.executable, "-m", "ludograph"]
    subprocess.run([*ludograph, "games", "--examples", tmp_path], timeout=300, check=True)
    command = [*ludograph, tmp_path / "tiny" / "gomoku.py", "--row", "3"]
    played = [*command, "--board", "square:3", "random", "random", "--seed", "1", "--json"]
    done = subprocess.run(played, capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(done.stdout)["game"] == "gomoku"


def test_a_player_in_a_file_is_refused_before_its_process_misses_the_game(tmp_path):
    (tmp_path / "bot.py").write_text(
        "def choose(position):\n    return position.legal_moves()[0]\n"
    )
    command = [sys.executable, "-m", "ludograph", EXAMPLES / "tiny" / "gomoku.py"]
    played = [*command, tmp_path / "bot.py", "random"]
    done = subprocess.run(played, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, "install gomoku" in done.stderr) == (2, True), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("board", "verdict"), [("hexagonal:2x3", "win"), ("square:3", "loss")])
def test_one_cop_catches_the_robber_on_triangles_but_not_on_squares(board, verdict):
    """The cop moves first."""
    command = [sys.executable, "-m", "ludograph", "solve", EXAMPLES / "tiny" / "cops.py"]
    solved = [*command, "--board", board, "--json"]
    done = subprocess.run(solved, capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(done.stdout)["verdict"] == verdict
