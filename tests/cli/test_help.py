"""Help, versions and complaints come at once: without the compiler, mostly without numpy."""

import json
import shlex
import subprocess
import sys
from functools import cache

import pytest
from click.testing import CliRunner

from ludograph.arena.store import Store
from ludograph.cli.game_options import game_subcommand
from ludograph.games.registry import declaration, game, names
from ludograph.version import VERSION
from tests.cli.run import run, succeed
from tests.golden import transcripts

HEAVY = ("numba", "networkx", "scipy", "rich", "cffi", "sqlalchemy")

HELPS = [
    shlex.split(command)[1:]
    for name in transcripts.names()
    if name.startswith("help/")
    for command in transcripts.commands(name)
]

LIGHT = [
    *((words, 0) for words in ([], ["--version"], *HELPS)),
    (["flood", "--frobnicate", "greedy", "random"], 2),
    (["flood", "-m", "none", "greedy", "random"], 2),
    (["flood", "-c", "99", "greedy", "random"], 2),
    (["hex", "-m", "1", "random", "random"], 2),
    (["hex", "-t", "q", "random", "random"], 2),
    (["hex", "random"], 2),
    (["penguins", "3", "hexa", "8", "7", "line", "random"], 2),
    (["penguins", "3", "full-hexa", "8", "7", "line"], 2),
    (["htp", "--size", "0"], 2),
    (["flud"], 2),
    (["flood", "greedy", "no-such-strategy"], 2),
    (["flood", "greedy", "no-such-file.so"], 2),
    (["hex", "random", "no-such-strategy"], 2),
    (["hex", "random", "htp: no-such-program"], 2),
    (["penguins", "3", "full-hexa", "8", "7", "line", "no-such-strategy"], 2),
]
"""Commands that need nothing heavy, and how they end."""

UNKNOWN = [
    ["flood", "-t", "q", "greedy", "random"],
    ["flood", "-a", "9", "greedy", "random"],
    ["flood", "--clock", "soon", "greedy", "random"],
    ["htp", "--strategy", "no-such-strategy"],
]

SCRIPT = """
import json, os, sys

def run(arguments):
    sys.stdout = open(os.devnull, "w")
    sys.stderr = sys.stdout
    sys.argv = ["ludograph", *arguments]
    from ludograph.cli.main import main
    try:
        main()
    except SystemExit as end:
        return end.code

for arguments in json.load(sys.stdin):
    if os.fork() == 0:
        code = run(arguments)
        names = sorted(name for name in sys.modules if "." not in name)
        print(json.dumps([code, names]), file=sys.__stdout__, flush=True)
        os._exit(0)
    os.wait()
"""
"""Forks a fresh interpreter for each command: to start them one by one takes longer."""


def imported(commands):
    """Run commands, each in a fresh interpreter; return their codes and what they imported."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(map(tuple, commands), map(json.loads, done.stdout.splitlines()), strict=True))


@cache
def found():
    """Return what is imported by all commands of the lists."""
    return imported([arguments for arguments, _ in LIGHT] + UNKNOWN)


def modules(arguments):
    """Return the exit code of a command and the modules that it imported."""
    code, names = found()[tuple(arguments)]
    return code, set(names)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "code"), LIGHT)
def test_imports_nothing_heavy(arguments, code):
    ended, names = modules(arguments)
    assert ended == code
    assert not names & {*HEAVY, "numpy"}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", UNKNOWN)
def test_unknown_names_import_no_compiler(arguments):
    code, names = modules(arguments)
    assert code == 2
    assert not names & set(HEAVY)


@pytest.mark.slow
def test_results_are_read_without_what_plays_games(tmp_path):
    """All that is heavy and is loaded is what reads a store."""
    path = tmp_path / "store.db"
    with Store(path) as store:
        store.enroll("key", "flood", {"names": ["a", "b"], "seats": 2, "format": "?", "title": "?"})
    ((code, names),) = imported([["results", "--store", str(path)]]).values()
    assert code == 0
    assert set(names) & set(HEAVY) == {"sqlalchemy"}


@pytest.mark.parametrize("name", names())
def test_a_declaration_names_the_strategies_that_there_are(name):
    """By these names a wrong one is refused before the game is loaded."""
    assert set(declaration(name).strategies) == set(game(name).strategies)


def test_version():
    assert succeed("--version") == f"ludograph {VERSION}\n"


def test_no_arguments_is_help():
    assert succeed() == succeed("--help")


def test_a_folder_may_be_called_as_a_command(folder):
    (folder / "boards").mkdir()
    assert "octo-tetra" in succeed("boards")


def test_is_a_module_too():
    assert run("--version").stdout == f"ludograph {VERSION}\n"


@pytest.mark.parametrize("command", [(), ("flood",), ("solve",), ("solve", "hex"), ("why",)])
def test_h_is_help(command):
    assert succeed(*command, "-h") == succeed(*command, "--help")


def test_a_default_of_a_command_is_shown_and_turns_no_flag_round():
    seen, defaults = [], {"pie": False, "board": "square:3"}
    command = game_subcommand(
        declaration("hex"),
        lambda game, given, players: seen.append(given),
        (),
        about="",
        examples="",
        defaults=defaults,
    )
    assert "square:3" in CliRunner().invoke(command, ["--help"]).output
    CliRunner().invoke(command, ["--no-pie"])
    assert seen == [{"pie": False}]
