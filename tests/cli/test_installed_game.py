"""A stranger's game, built, installed by pip, and played by every door."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from ludograph import read_record
from tests.cli.installed import EXAMPLES, install, program, with_packages

pytestmark = pytest.mark.slow

BOT = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder of packages with the game in it."""
    return install(tmp_path_factory.mktemp("installed"), "snort")


@pytest.fixture
def ludograph(installed, tmp_path):
    """Run the program where the game is installed; return what it prints."""
    return program(installed, tmp_path)


def test_it_stands_among_the_games(ludograph) -> None:
    assert re.search(r"(?m)^snort +claim vertices, ", ludograph("games"))
    assert re.search(r"(?m)^ +snort .*Snort", ludograph("--help"))
    text = ludograph("snort", "--help")
    assert "Claim vertices, " in text
    assert "torus:5" in text
    assert "mcts" in ludograph("strategies", "snort")


def test_it_is_played_recorded_and_replayed(ludograph, tmp_path, installed, monkeypatch) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    match = ("snort", "--board", "torus:4", "--seed", 1, "--record", "game.jsonl", "-q")
    assert "wins" in ludograph(*match, "random", "bot.py")
    assert "ply 1: " in ludograph("replay", "game.jsonl")
    ludograph("player", "new", "snort", "program.py", "--program")
    program = f"cmd: {sys.executable} program.py"
    assert "wins" in ludograph("snort", "--board", "torus:4", "-q", program, program)
    ludograph("replay", "game.jsonl", "--svg", "end.svg")
    assert (tmp_path / "end.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize("options", [(), ("--bare",)])
def test_a_new_player_plays_it(options, ludograph) -> None:
    written = ludograph("player", "new", "snort", "mine.py", *options)
    assert "ludograph snort mine.py random" in written
    won = ludograph("snort", "--board", "square:4", "-r", 10, "-q", "--json", "mine.py", "random")
    points = json.loads(won.splitlines()[0])["players"][0]["points"]["mean"]
    assert points >= 0.8 or options


def test_it_is_searched_and_played_in_bulk(ludograph) -> None:
    assert "wins" in ludograph("snort", "--board", "torus:4", "-q", "mcts:sims=50", "random")
    assert "20 games" in ludograph("snort", "-r", 20, "-q", "random", "random")


def test_it_is_solved_and_checked(ludograph) -> None:
    solved = json.loads(
        ludograph("solve", "snort", "--board", "square:3", "--json").splitlines()[0]
    )
    assert solved["verdict"] in ("win", "loss")
    assert re.match("snort .* 4 random games", ludograph("check-game", "snort", "--games", 2))


def test_a_game_is_checked_in_its_folder_before_it_is_installed(tmp_path) -> None:
    folder = tmp_path / "snort"
    shutil.copytree(EXAMPLES / "snort", folder)
    command = [sys.executable, "-m", "ludograph", "check-game"]
    done = subprocess.run([*command, folder], capture_output=True, text=True, check=False)
    assert re.fullmatch(r"snort .* 10 random games\.\n", done.stdout), done.stderr
    done = subprocess.run([*command, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(f"ludograph: {tmp_path}: .* pyproject.toml.*\n", done.stderr)


def test_what_is_wrong_is_told(ludograph) -> None:
    said = ludograph("snort", "--board", "cube:3", "random", "random", code=2)
    families = r"\(square, torus, hexagonal, penrose\)"
    assert re.fullmatch(f"ludograph: snort: board .*{families}.*'cube:3'\n", said)
    assert "snort has no C " in ludograph("player", "new", "snort", "my.c", code=2)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("check-game", "snort"), 1), (("snort", "-q", "random", "random"), 2)],
)
@pytest.mark.parametrize(
    ("wrong", "named"), [("state[TURN] = seats", "'seats'"), ("yield seat", "yield\n")]
)
def test_a_rule_that_cannot_be_compiled_is_told(
    arguments, code, wrong, named, installed, tmp_path
) -> None:
    shutil.copytree(installed, tmp_path / "packages")
    rules = tmp_path / "packages" / "snort" / "game.py"
    rules.write_text(rules.read_text().replace("state[TURN] = 1 - seat", wrong))
    line = rules.read_text().split(wrong)[0].count("\n") + 1
    said = program(tmp_path / "packages", tmp_path)(*arguments, code=code)
    assert re.search(f"{rules}, line {line}: snort_play .*{named}", said)
    assert "Traceback" not in said


def test_it_is_made_by_name(installed) -> None:
    code = (
        "import ludograph; print(repr(ludograph.make('snort', board='square:4')), ludograph.snort)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=with_packages(installed),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("<snort on square 4x4, ply 0, seat 0>")


def test_without_it_its_records_say_what_is_missing(tmp_path, ludograph) -> None:
    ludograph("snort", "--board", "square:3", "--record", "game.jsonl", "-q", "random", "random")
    with pytest.raises(ValueError, match="'snort'"):
        read_record(tmp_path / "game.jsonl")
