"""``ludograph player new``: what it writes compiles without a warning and plays at once."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import pytest

from ludograph.games.carcassonne.setup import MODES
from ludograph.games.penguins.options import TILINGS
from ludograph.games.registry import game
from tests.amounts import slow_but
from tests.cli.run import refuse, run, succeed

EXAMPLES = Path(__file__).parents[2] / "examples"
HARNESSES = Path(__file__).with_name("harnesses")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_python_player_plays_at_once(folder):
    text = succeed("player", "new", "flood", "my_bot.py")
    assert text == "wrote my_bot.py\nNext:\n  ludograph flood my_bot.py random\n"
    source = (folder / "my_bot.py").read_text()
    assert "class MyBot:" in source
    assert "@" not in source
    done = run("flood", "-m", 8, "--json", "my_bot.py", "random", cwd=folder)
    assert json.loads(done.stdout)["reason"] == "finished"


def test_a_player_of_a_game_for_three_names_two_opponents(folder, registered):
    text = succeed("player", "new", EXAMPLES / "hex_for_three", "my_bot.py", "--bare")
    assert text.endswith(" my_bot.py random random\n")
    assert "ludograph hex3 my_bot.py random random" in (folder / "my_bot.py").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("options", [["greedy"], ["greedy", "random"], []])
def test_the_python_player_plays_with_any_number_of_seats(folder, options):
    succeed("player", "new", "flood", "bot.py")
    text = succeed("flood", "-m", 5, "-f", 1, "-t", "t", "--json", "bot.py", *options)
    assert json.loads(text)["reason"] == "finished"


C_GAMES = ["carcassonne", "flood", "hex", "penguins"]
LIBRARIES = {"flood": "-lgsl -lgslcblas -lm", "hex": "-lgsl -lgslcblas -lm"}


@pytest.mark.parametrize("game_name", C_GAMES)
def test_a_makefile_links_what_the_header_of_the_game_needs(folder, game_name):
    succeed("player", "new", game_name, "bot.c")
    libraries = LIBRARIES.get(game_name, "-lm")
    assert f"\nLDLIBS = {libraries}\n" in (folder / "Makefile").read_text()


class Trial(NamedTuple):
    """A series against random: how many games a player in Python wins at least, and one in C."""

    options: tuple
    games: int
    python: int
    c: int


TRIALS = {
    "carcassonne": [
        Trial(("--deck", deck, "-m", mode, "--discard"), 4, 4, 4)
        for mode in MODES
        for deck in ("course", "classic")
    ],
    "flood": [
        Trial(options, 4, 2, 3)
        for options in (("-m", 9, "-t", "d", "-f", 2), ("-c", 8, "-a", 2), ("-t", "t", "-c", 3))
    ],
    "hex": [Trial(("-m", 5, "-t", kind), 4, 3, 2) for kind in "hct"],
    "penguins": [Trial((3, tiling, 8, 7), 6, 5, 5) for tiling in TILINGS],
}
OTHERS = {
    "carcassonne": [
        *(("-m", mode, "-r", 2, "my_bot.so", "my_bot.so") for mode in MODES),
        ("-m", "finite", "--meeples", 1, "-r", 2, "my_bot.so", "my_bot.so"),
        ("--deck", "course:400", "-r", 1, "my_bot.so", "random"),
        *(("--deck", "course:6", *more, "-r", 1, "my_bot.so", "random")
          for more in ((), ("--discard",))),
    ],
    "hex": [("--size", 6, "-r", 2, "my_bot.so", "my_bot.so")],
    "penguins": [
        (3, "full-hexa", 8, 7, "-r", 20, "my_bot.so", "line"),
        # lines come back to their start
        ("--board", "torus:5", "--penguins", 2, "-r", 1, "my_bot.so", "random"),
        (3, "penrose", 8, 7, "-r", 3, "my_bot.so", "my_bot.so", "my_bot.so"),
    ],
}  # fmt: skip
"""Series that a player in C plays to their ends: against itself, and on odd boards."""


def wins(game_name, *options):
    """Play a series in which nobody forfeits; return how many games the first player wins."""
    found = json.loads(succeed(game_name, "--seed", 1, "--json", *options))
    assert [player["forfeits"] for player in found["players"]] == [{}] * len(found["players"])
    return sum(found["players"][0]["wins"].values())


@pytest.mark.slow
@pytest.mark.parametrize("game_name", TRIALS)
def test_the_python_player_beats_random_on_every_board(folder, game_name):
    text = succeed("player", "new", game_name, "my_bot.py")
    assert text.endswith(f"Next:\n  ludograph {game_name} my_bot.py random\n")
    for options, games, least, _ in TRIALS[game_name]:
        assert wins(game_name, *options, "-r", games, "my_bot.py", "random") >= least


@needs_gcc
@pytest.mark.parametrize("game_name", slow_but(["flood"], TRIALS))
def test_the_c_player_beats_random_on_every_board(folder, game_name):
    text = succeed("player", "new", game_name, "my_bot.c")
    command = f"ludograph {game_name} my_bot.so random"
    assert text.endswith(f"Next:\n  make\n  {command}\n  make check\n")
    assert names(folder) == ["Makefile", "my_bot.c", "player.h"]
    assert (folder / "player.h").read_text() == game(game_name).interop.library.header
    done = subprocess.run(["make"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for options, games, _, least in TRIALS[game_name]:
        assert wins(game_name, *options, "-r", games, "my_bot.so", "random") >= least
    for options in OTHERS.get(game_name, ()):
        assert wins(game_name, *options) >= (12 if "line" in options else 0)


TWICE = ("initialize", "play", "finalize", "get_player_name")
WATCHED = [
    ("carcassonne", [f"-D{name}=other_{name}" for name in TWICE], []),
    ("flood", [], []),
    *(("hex", [], arguments) for arguments in ([], ["p"], ["p", "a"])),
    ("penguins", [], []),
]


@needs_gcc
@pytest.mark.every_case
@pytest.mark.parametrize(
    ("game_name", "again", "arguments"),
    [
        pytest.param(*each, marks=() if each[0] == "penguins" else pytest.mark.slow)
        for each in WATCHED
    ],
)
def test_the_c_player_leaks_nothing_and_keeps_nothing_that_is_not_its_own(
    folder, game_name, again, arguments
):
    """It is compiled with a program of ``harnesses`` and sanitizers, perhaps once more."""
    succeed("player", "new", game_name, "bot.c")
    watched = ["gcc", "-std=c99", "-g", "-I.", "-fsanitize=address,undefined"]
    steps = [[*watched, *again, "-c", "bot.c", "-o", "other.o"]] if again else []
    sources = ["bot.c", HARNESSES / f"{game_name}.c", *(["other.o"] if again else [])]
    libraries = LIBRARIES.get(game_name, "-lm").split()
    steps.append([*watched, *sources, "-o", "harness", *libraries])
    for step in steps:
        built = subprocess.run(step, capture_output=True, text=True, check=False)
        if built.returncode:
            pytest.skip(f"no sanitizers, or a library is missing: {built.stderr[-200:]}")
    done = subprocess.run(["./harness", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_second_c_player_shares_the_header(folder):
    succeed("player", "new", "flood", "one.c")
    text = succeed("player", "new", "flood", "two.c")
    assert text.startswith("wrote two.c\nkept player.h\nkept Makefile\n")


@pytest.mark.parametrize("file", ["bot.py", "bot.c"])
def test_nothing_is_overwritten(folder, file):
    (folder / file).write_text("mine")
    assert refuse("player", "new", "flood", file).startswith(f"{file}: ")
    assert (folder / file).read_text() == "mine"
    assert names(folder) == [file]


@pytest.mark.parametrize("there", [False, True])
def test_another_makefile_is_left_alone(folder, there):
    """Even one that is a symbolic link to nothing yet."""
    if there:
        (folder / "Makefile").write_text("all:\n")
    else:
        (folder / "Makefile").symlink_to("nowhere")
    assert refuse("player", "new", "flood", "bot.c").startswith("Makefile: ")
    assert names(folder) == ["Makefile"]


def test_a_game_without_a_c_interface_takes_programs(folder):
    assert re.search("amazons .*--program", refuse("player", "new", "amazons", "bot.c"))
    assert names(folder) == []
    assert "wrote bot.c" in succeed("player", "new", "amazons", "bot.c", "--program")


def test_in_another_folder(folder):
    (folder / "bots").mkdir()
    text = succeed("player", "new", "flood", "bots/bot.c")
    last = "  make -C bots\n  ludograph flood bots/bot.so random\n  make -C bots check\n"
    assert text.endswith(last)
    assert names(folder / "bots") == ["Makefile", "bot.c", "player.h"]


@pytest.mark.parametrize("stem", ["_", "_1", "x", "a__b", "Clever"])
def test_names_that_make_no_class_as_they_are(folder, stem):
    succeed("player", "new", "flood", f"{stem}.py")
    compile((folder / f"{stem}.py").read_text(), stem, "exec")


SMALL_GAMES = {
    "amazons": ["--board", "square:4", "--queens", 1],
    "carcassonne": ["--deck", "course:20"],
    "flood": ["-m", 6],
    "hex": ["--size", 3],
    "penguins": ["--board", "full-hexa:4x4", "--penguins", 1],
}
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fPIC", "-shared"]


@pytest.mark.parametrize("game_name", C_GAMES)
def test_header(game_name):
    assert succeed("header", game_name) == game(game_name).interop.library.header


@needs_gcc
@pytest.mark.parametrize("game_name", C_GAMES)
def test_the_c_player_compiles_pedantically(folder, game_name):
    succeed("player", "new", game_name, "bot.c")
    subprocess.run(["gcc", *WARNINGS, "-fsyntax-only", "bot.c"], check=True)


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("game_name", slow_but(["hex"], C_GAMES))
def test_a_bare_c_player_plays_on_both_seats(folder, game_name):
    succeed("player", "new", game_name, "bot.c", "--bare")
    assert names(folder) == ["Makefile", "bot.c", "player.h"]
    subprocess.run(["gcc", *WARNINGS, "bot.c", "-o", "bot.so"], check=True)
    options = ["-r", 4, "--seed", 3, "--json", *SMALL_GAMES[game_name]]
    found = json.loads(succeed(game_name, *options, "./bot.so", "random"))
    assert found["players"][0]["forfeits"] == {}
    assert found["players"][0]["finish_faults"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("game_name", slow_but(["flood"], SMALL_GAMES))
def test_a_bare_python_player_plays(folder, game_name):
    succeed("player", "new", game_name, "bot.py", "--bare")
    text = succeed(game_name, "--seed", 3, "--json", *SMALL_GAMES[game_name], "bot.py", "random")
    assert json.loads(text)["reason"] == "finished"


@pytest.mark.slow
@pytest.mark.parametrize("game_name", slow_but(["flood"], SMALL_GAMES))
def test_a_compiled_player_loses_no_time_and_beats_random(folder, game_name):
    """The kernels are compiled before any clock runs, and the isolated process finds them."""
    text = succeed("player", "new", game_name, "bot.py", "--compiled")
    assert text.startswith("wrote bot.py\nNext:\n")
    source = (folder / "bot.py").read_text()
    assert "@CLASS@" not in source
    options = ["-r", 4, "--seed", 3, "--clock", "1s", "--json", *SMALL_GAMES[game_name]]
    found = json.loads(succeed(game_name, *options, "bot.py", "random"))
    assert found["players"][0]["forfeits"] == {}
    mine, other = (sum(player["wins"].values()) for player in found["players"])
    assert mine > other


@pytest.mark.slow
@pytest.mark.parametrize("game_name", SMALL_GAMES)
def test_a_compiled_player_passes_its_check(folder, game_name):
    succeed("player", "new", game_name, "bot.py", "--compiled")
    text = succeed("player", "check", "bot.py", game_name, "--games", 12, "--time", 600, "--json")
    report = json.loads(text)
    assert report["problems"] == []


@pytest.mark.slow
def test_the_compiled_player_of_ones_own_game_builds_on_its_evaluation(folder):
    """A game without a template of its own gets the one that stands with all games."""
    shared = resources.files("ludograph.games") / "templates" / "compiled.py.txt"
    text = shared.read_text().replace("@CLASS@", "Bot").replace("@NAME@", "bot")
    (folder / "bot.py").write_text(text.replace("@GAME@", "flood"))
    found = json.loads(succeed("flood", "-m", 6, "--seed", 3, "--json", "bot.py", "random"))
    assert found["reason"] == "finished"


def made(folder, *arguments):
    program = folder / "ludograph"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ludograph "$@"\n')
    program.chmod(0o755)
    command = ["make", *arguments, f"LUDOGRAPH={program}"]
    # Tests may be run by make: what it hands down would make this one talk.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.slow
@needs_gcc
def test_make_check_plays_on_both_seats_and_says_what_it_did(folder):
    succeed("player", "new", "hex", "bot.c", "--bare")
    with (folder / "bot.c").open("a") as file:
        file.write("static int unused;\n")
    done = made(folder, "check")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("[-Wunused-variable]") == 1
    first, *results = done.stdout.splitlines()
    assert re.match("bot.c: .*AddressSanitizer .*UndefinedBehaviorSanitizer.*make leaks", first)
    assert [("seat 0" in line or "seat 1" in line) for line in results] == 6 * [True]


@pytest.mark.slow
@needs_gcc
def test_make_check_plays_all_games_behind_an_illegal_move(folder):
    succeed("player", "new", "flood", "bot.c", "--bare")
    source = (folder / "bot.c").read_text()
    (folder / "wrong.c").write_text(source.replace("NO_COLOR", "7"))
    (folder / "another.c").write_text(source)
    done = made(folder, "check")
    assert done.returncode != 0
    wins = [line for line in done.stdout.splitlines() if "forfeits: illegal-move" in line]
    assert len(wins) == 6, done.stdout
    for name in ("another", "bot", "wrong"):
        assert re.search(rf"(?m)^{name}\.c: .*AddressSanitizer", done.stdout)


@needs_gcc
@pytest.mark.slow
def test_make_check_finds_what_is_wrong(folder):
    succeed("player", "new", "hex", "bot.c", "--bare")
    source = (folder / "bot.c").read_text()
    (folder / "bot.c").write_text(source.replace("  free(owner);\n", "  free(owner);\n" * 2))
    done = made(folder, "check")
    assert done.returncode != 0
    assert "ERROR: AddressSanitizer: attempting double-free" in done.stderr


@pytest.mark.slow
@needs_gcc
def test_make_check_without_sanitizers_says_so(folder):
    succeed("player", "new", "hex", "bot.c", "--bare")
    done = made(folder, "check", "SANITIZE=-fno-such-thing")
    assert done.returncode == 0, done.stderr
    assert re.search(r"(?m)^bot\.c: .*without sanitizers", done.stdout)


@needs_gcc
@pytest.mark.parametrize(
    ("error", "options", "said"),
    [
        ("return 1", [], "error: "),
        ("return undeclared;", [], "error: "),
        ('#include "nowhere.h"', [], "error: "),
        ("return 1", ["SANITIZE=-fno-such-thing"], "error: "),
        ("return 1;", ["LDLIBS=-lno_such_library"], "no_such_library"),
    ],
)
def test_make_check_shows_errors_and_does_not_blame_sanitizers(folder, error, options, said):
    succeed("player", "new", "hex", "bot.c", "--bare")
    with (folder / "bot.c").open("a") as file:
        file.write(f"\nint wrong(void) {{\n{error}\n}}\n")
    done = made(folder, "check", *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert "sanitizer" not in (done.stdout + done.stderr).lower()


@pytest.mark.slow
@needs_gcc
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="unavoidable: no valgrind")
def test_make_leaks_finds_what_is_never_freed(folder):
    succeed("player", "new", "hex", "bot.c", "--bare")
    assert made(folder, "leaks").returncode == 0
    source = (folder / "bot.c").read_text()
    (folder / "bot.c").write_text(source.replace("  free(owner);\n", ""))
    done = made(folder, "leaks")
    assert done.returncode != 0
    assert "bot.c:" in done.stderr
