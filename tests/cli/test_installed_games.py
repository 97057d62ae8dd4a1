"""The examples as packages of strangers: installed by pip, and played by every door."""

import json
import re
import shutil
import subprocess
import sys

import httpx2 as httpx
import pytest

from ludograph import read_record
from tests.cli.installed import EXAMPLES, install, program, with_packages

pytestmark = pytest.mark.slow

BOARD = {"rex": "hexagonal:3", "hill": "square:5", "hex3": "hexagon:3", "snort": "square:3"}
SEATS = {"rex": 2, "hill": 2, "hex3": 3, "snort": 2}
FORM = {
    "hex3": {"board": "hexagon", "board.width": "3"},
    "rex": {"board": "hexagonal", "board.width": "3"},
    "hill": {"board": "square", "board.width": "5"},
    "snort": {"board": "square", "board.width": "3"},
}
GAMES = sorted(BOARD)
END = re.compile(r"wins after \d+ moves\.|wins, scores|A draw: all have passed")
BOT = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder of packages with the examples in it."""
    folder = tmp_path_factory.mktemp("installed")
    return install(folder, "misere_hex", "hill_flood", "hex_for_three", "snort")


@pytest.fixture
def ludograph(installed, tmp_path):
    """Run the program where they are installed; return what it prints."""
    return program(installed, tmp_path)


def others(name):
    """Return as many random players as a game needs beside one."""
    return ["random"] * (SEATS[name] - 1)


def test_they_stand_among_the_games(ludograph) -> None:
    listed = re.findall(r"(?m)^(\w+) +\w", ludograph("games"))
    assert {*GAMES, "hex", "flood"} <= set(listed)
    assert re.search(r"(?m)^ +snort .*Snort", ludograph("--help"))


@pytest.mark.parametrize("name", GAMES)
def test_they_have_options_and_no_strategies_of_the_game(name, ludograph) -> None:
    assert re.search(r"--board BOARD|--size N", ludograph(name, "--help"))
    listed = re.findall(r"(?m)^\w+", ludograph("strategies", name))
    assert listed[:5] == ["human", "mcts", "minimax", "net", "random"]
    unknown = "greedy" if name == "hill" else "connex"
    said = ludograph(name, unknown, *others(name), code=2)
    assert f"'{unknown}'" in said
    assert "mcts, minimax, net, random" in said


@pytest.mark.parametrize("name", GAMES)
def test_they_are_played_recorded_and_replayed(name, ludograph, tmp_path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    match = (name, "--board", BOARD[name], "--seed", 1, "--record", "game.jsonl", "-q")
    players = ("mcts:sims=50", "bot.py", *others(name)[1:])
    sentence, _, _ = ludograph(*match, *players).partition("\n")
    assert END.search(sentence)
    assert sentence in ludograph("replay", "game.jsonl")
    ludograph("replay", "game.jsonl", "--svg", "end.svg")
    assert (tmp_path / "end.svg").read_text().startswith("<svg ")
    series = (name, "--board", BOARD[name], "-r", 6, "-q", "random", *others(name))
    assert "6 games" in ludograph(*series)


@pytest.mark.parametrize("name", GAMES)
def test_they_are_solved_and_checked(name, ludograph) -> None:
    if SEATS[name] == 2:
        told, *_ = ludograph("solve", name, "--json").splitlines()  # of a start that chance draws
        found = json.loads(told)
        assert found["verdict"] in ("win", "loss", "draw")
    else:
        assert re.fullmatch(rf"ludograph: {name}: .*\n", ludograph("solve", name, "-q", code=2))
    assert re.match(f"{name} .* 4 random games", ludograph("check-game", name, "--games", 2))


def test_a_new_player_gets_as_many_others_as_the_game_needs(ludograph) -> None:
    said = ludograph("player", "new", "hex3", "fresh.py", "--compiled")
    assert said.endswith("Next:\n  ludograph hex3 fresh.py random random\n")
    match = ("hex3", "--board", BOARD["hex3"], "-q", "fresh.py")
    assert END.search(ludograph(*match, *others("hex3")))


def test_players_in_c_for_hex_play_its_variant(ludograph, tmp_path) -> None:
    ludograph("player", "new", "hex", "player.c")
    shared = ["gcc", "-std=c99", "-shared", "-fPIC", "player.c", "-o", "player.so"]
    subprocess.run([*shared, "-lgsl", "-lgslcblas", "-lm"], cwd=tmp_path, check=True)
    said = ludograph("rex", "--board", "hexagonal:3", "-q", "./player.so", "random")
    assert END.search(said)
    said = ludograph("rex", "-q", "htp: program", "random", code=2)
    assert re.search("HTP .*rex", said)


@pytest.mark.parametrize("name", GAMES)
def test_they_are_played_on_pages(name, installed, tmp_path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "ludograph", "serve", "--port", "0", "--records", str(tmp_path)],
        env=with_packages(installed),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.search(r"http://\S+:\d+", server.stdout.readline())[0]
        with httpx.Client(base_url=address, headers={"origin": address}, timeout=100) as client:
            assert f'href="/games/{name}"' in client.get("/").text
            players = {f"player{seat}": "random" for seat in range(SEATS[name])}
            form = {**players, "seed": "1", **FORM[name]}
            begun = client.post(f"/games/{name}", data=form)
            match = httpx.URL(begun.headers["location"]).path
            with client.stream("GET", f"{match}/events") as lines:
                told = (line[6:] for line in lines.iter_lines() if line.startswith("data: "))
                ended = next(event for event in map(json.loads, told) if event["type"] == "end")
        assert END.search(ended["status"]["text"])
    finally:
        server.kill()
        server.communicate()


def test_a_variant_without_rules_that_it_needs_is_refused_in_a_sentence(installed, tmp_path):
    packages = shutil.copytree(installed, tmp_path / "packages")
    rules = packages / "rex" / "game.py"
    rules.write_text(rules.read_text().replace(", otherwise=HexSetup", ""))
    said = program(packages, tmp_path)("rex", "random", "random", code=2)
    assert re.match(r"ludograph: game rex: .*: RexSetup .* info, legal_moves, play, start\n", said)
    assert said in (EXAMPLES.parent / "docs" / "variants.md").read_text()


def test_a_program_plays_it(ludograph) -> None:
    ludograph("player", "new", "snort", "program.py", "--program")
    program = f"cmd: {sys.executable} program.py"
    assert "wins" in ludograph("snort", "--board", "torus:4", "-q", program, program)


@pytest.mark.parametrize("options", [(), ("--bare",)])
def test_a_new_player_plays_it(options, ludograph) -> None:
    written = ludograph("player", "new", "snort", "mine.py", *options)
    assert "ludograph snort mine.py random" in written
    won = ludograph("snort", "--board", "square:4", "-r", 10, "-q", "--json", "mine.py", "random")
    points = json.loads(won.splitlines()[0])["players"][0]["points"]["mean"]
    assert points >= 0.8 or options


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
