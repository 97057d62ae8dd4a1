"""The programs that ``ludograph player new`` writes play every game, in four languages."""

import shlex
import shutil
import subprocess
import sys

import pytest

from ludograph.games.registry import game, names
from ludograph.hosting.sandbox.sandbox import strongest
from ludograph.players.isolation import Level
from tests.amounts import slow_but
from tests.cli.run import refuse, succeed

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
LANGUAGES = {"py": sys.executable, "c": "gcc", "js": "node", "java": "java"}
AVOIDABLE = ("py", "c", "js")
"""What `scripts/system-packages` installs where it is missing."""


def needs(suffix):
    program = LANGUAGES[suffix]
    prefix = "" if suffix in AVOIDABLE else "unavoidable: "
    missing = shutil.which(program) is None
    return pytest.mark.skipif(missing, reason=f"{prefix}{program} is not installed")


EACH = [pytest.param(suffix, marks=needs(suffix)) for suffix in LANGUAGES]
QUICK = [pytest.param(suffix, marks=needs(suffix)) for suffix in LANGUAGES if suffix != "java"]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Return a function that writes the program of a language once, and returns its name."""
    folder = tmp_path_factory.mktemp("clients")
    written = {}

    def write(suffix):
        if suffix not in written:
            path = folder / f"wanderer.{suffix}"
            succeed("player", "new", "hex", path, "--program")
            written[suffix] = named(path)
        return written[suffix]

    return write


def named(path):
    """Return a program's name as a player; in C it is compiled, without a warning."""
    if path.suffix == ".c":
        built = path.with_suffix("")
        subprocess.run(["gcc", *WARNINGS, path, "-o", built], check=True)
        built.chmod(0o755)  # whatever the mask of who runs the tests
        return f"cmd: {shlex.quote(str(built))}"
    return f"cmd: {LANGUAGES[path.suffix[1:]]} {shlex.quote(str(path))}"


@pytest.mark.parametrize("suffix", EACH)
def test_they_are_short(suffix, tmp_path):
    path = tmp_path / f"bot.{suffix}"
    succeed("player", "new", "flood", path, "--program")
    lines = path.read_text().splitlines()
    assert len(lines) < 100
    assert max(map(len, lines)) <= 100
    assert "@" not in path.read_text()
    assert "ludograph flood 'cmd: " in path.read_text()


@pytest.mark.parametrize("name", sorted(names()))
@pytest.mark.parametrize("suffix", QUICK)
def test_each_plays_every_game(suffix, name, client, referee):
    start = next(game(name).samples())
    players = [client(suffix), *["random"] * (start.seats - 1)]
    result = referee(start, players, clock="60s")
    assert (result.reason, result.faults, result.finish_faults) == ("finished", [], [])
    assert "wanderer" in result.names[0]


@pytest.mark.slow  # it compiles itself in every game
@needs("java")
@pytest.mark.parametrize("name", sorted(names()))
def test_java_plays_every_game(name, client, referee):
    start = next(game(name).samples())
    result = referee(start, [client("java"), *["random"] * (start.seats - 1)])
    assert (result.reason, result.faults, result.finish_faults) == ("finished", [], [])


@pytest.mark.parametrize("level", slow_but(["strict"], ["strict", "basic"]))
@pytest.mark.parametrize("suffix", EACH)
def test_they_run_isolated(suffix, level, client, referee):
    if strongest([Level(level)])[0] is None:
        pytest.skip(f"unavoidable: no {level} isolation here")
    start = game("hex").position(2)
    result = referee(start, [client(suffix), "random"], isolation=level)
    assert (result.reason, result.faults) == ("finished", [])
    assert result.usage[0].isolation == level


@pytest.mark.parametrize("suffix", QUICK)
def test_the_same_seed_gives_the_same_game(suffix, client, referee):
    start = game("hex").position(4)
    games = [referee(start, [client(suffix), "random"], seed=seed).moves for seed in (1, 1, 2)]
    first, again, other = ([played.move for played in moves] for moves in games)
    assert first == again != other


def test_what_comes_next_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bots").mkdir()
    for arguments, commands in {
        ("a.js",): ["ludograph flood 'cmd: node a.js' random"],
        ("a.java",): ["ludograph flood 'cmd: java a.java' random"],
        ("a.py", "--program"): ["ludograph flood 'cmd: python3 a.py' random"],
        ("a.c", "--program"): [
            "gcc -O2 -Wall -Wextra a.c -o a",
            "ludograph flood 'cmd: ./a' random",
        ],
    }.items():
        text = succeed("player", "new", "flood", *arguments)
        assert text.splitlines()[2:] == [f"  {command}" for command in commands]
    *_, last = succeed("player", "new", "flood", "my bots/b.js").splitlines()
    assert shlex.split(last)[2] == "cmd: node 'my bots/b.js'"


def test_there_is_no_skeleton_of_a_program(tmp_path):
    assert "--bare" in refuse("player", "new", "hex", tmp_path / "a.js", "--bare")
    assert "--bare" in refuse("player", "new", "hex", tmp_path / "a.py", "--bare", "--program")
    assert list(tmp_path.iterdir()) == []


def test_other_suffixes_are_refused(tmp_path):
    text = refuse("player", "new", "hex", tmp_path / "a.rb")
    assert "ends with .py, .c, .js or .java" in text
