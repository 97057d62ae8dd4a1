"""``ludograph player check`` finds what is wrong, tells the smallest game, and how to repeat it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from types import SimpleNamespace

import pytest

from ludograph.cli.player import check
from ludograph.conformance.memory_checks import ToolFailure, finding, first_finding
from ludograph.conformance.player_cases import cases
from ludograph.conformance.player_checks import (
    Examination,
    PlayerTrial,
    Problem,
    SeenFault,
    further_trials,
    trials,
    usual,
)
from ludograph.conformance.player_report import TITLES, WHERE_KIND, look_at
from ludograph.games import registry
from ludograph.games.registry import names
from ludograph.hosting.debug_tools import own_player
from ludograph.players.spec import PlayerSpec
from tests.cli.run import invoke, succeed


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a Python player and returns its path."""

    def write(code, name="bot.py"):
        path = tmp_path / name
        path.write_text(code)
        return str(path)

    return write


GOOD = "def choose(position):\n    return position.legal_moves()[0]\n"

LATER = """
def choose(position):
    if position.turn == 1 and position.ply > 1:
        return position.legal_moves()[99]
    return position.legal_moves()[0]
"""

AT_THE_END = """
class Bot:
    def start(self, position, seat):
        self.position = position
    def play(self, moves, time_left):
        for move in moves:
            self.position.drop(-1 - move) if move < 0 else self.position.push(move)
        self.position.push(self.position.legal_moves()[0])
        return self.position.history[-1]
    def finish(self, outcome):
        print(outcome.ranks)
"""

IGNORES_DROPS = AT_THE_END.replace("drop(-1 - move) if move < 0 else", "text(move) and")

LEAKS = """
#include "player.h"
#include <stdlib.h>
static struct graph_t *graph;
static int *mine;
char const *get_player_name() { return "leaks"; }
void initialize(size_t id, struct graph_t *g, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
  graph = g; mine = malloc(40); mine[id] = 1; free(colors);
}
struct move_t play(struct move_t m) { mine[10 * SPOILED] = m.c; return (struct move_t){-1}; }
void finalize() { gsl_spmatrix_uint_free(graph->t); free(graph); }
"""


def checked(*words):
    """Return the exit code and the report of a check."""
    time = [] if "--time" in words else ["--time", "30"]
    result = invoke("player", "check", "--json", *time, *words)
    assert result.exit_code in (0, 1), result.output
    report = json.loads(result.stdout)
    assert result.exit_code == (1 if report["problems"] else 0)
    return report


def test_a_good_player_passes(file):
    said = succeed("player", "check", file(GOOD), "hex", "--only", "ends-early", "-q")
    assert "bot.py, hex: 4 games from 1 start" in said
    # No option would let it find more; on a busy machine its slowest move is told with the board's.
    assert not [line for line in said.splitlines() if "--" in line and "slowest" not in line]


def test_a_fault_that_shows_on_one_seat_comes_with_its_smallest_game(file):
    report = checked(file(LATER), "hex", "--games", "2")
    (problem,) = report["problems"]
    assert problem["reason"] == "crash"
    assert re.match(r"IndexError: .* \(bot\.py, line 4\)", problem["message"])
    assert problem["seat"] == 1
    assert problem["games"] < report["games"]
    assert problem["what"] == TITLES["crash"]


@pytest.mark.slow
def test_the_command_that_is_told_shows_the_same_again(file):
    report = checked(file(LATER), "hex", "--only", "games", "--games", "2")
    (problem,) = report["problems"]
    words = shlex.split(problem["again"])
    assert words[:2] == ["ludograph", "hex"]
    said = succeed(*words[1:], "-q")
    assert problem["message"].split(";")[0] in said
    assert f"at ply {problem['ply'] + 1}" in said


@pytest.mark.slow
def test_what_happens_at_the_end_only(file):
    bot = file(AT_THE_END.replace("outcome.ranks", "outcome.ranks[0] + None"))
    report = checked(bot, "hex", "--only", "ends-early", "--games", "2")
    (problem,) = report["problems"]
    assert problem["what"].startswith(f"{TITLES['crash']} at the end ")
    assert problem["what"].endswith(WHERE_KIND["ends-early"])
    words = shlex.split(problem["again"])[1:]
    assert words[:2] == ["player", "check"]
    assert invoke(*words, "-q").exit_code == 1


@pytest.mark.slow
def test_a_player_that_does_not_hear_who_drops_out(file):
    good = checked(file(AT_THE_END, "good.py"), "carcassonne", "--only", "drop-out")
    assert good["problems"] == []
    bad = checked(file(IGNORES_DROPS, "bad.py"), "carcassonne", "--only", "drop-out")
    assert bad["problems"][0]["what"].endswith(WHERE_KIND["drop-out"])


def test_a_slow_player_is_a_note(file):
    slow = GOOD.replace("    return", "    import time; time.sleep(0.2)\n    return")
    report = checked(file(slow), "hex", "--only", "tiny-clock", "--games", "1")
    assert report["problems"] == []
    assert "0.1 s " in report["notes"][0]
    assert "--only tiny-clock" in report["notes"][0]


@pytest.mark.slow
def test_who_never_starts_is_not_tried_for_long(file):
    report = checked(file("import no_such_module\n"), "hex")
    assert report["games"] == 3
    assert report["problems"][0]["reason"] == "no-start"


@pytest.mark.slow
def test_a_c_player_that_takes_the_other_seats_forbidden_colors(tmp_path):
    """On 4 x 4 with 3 colors that is never seen: it needs the starts that courses use."""
    path = tmp_path / "it.c"
    succeed("player", "new", "flood", str(path))
    right, wrong = "given_forbidden[me]", "given_forbidden[0]"
    code = path.read_text()
    assert right in code
    path.write_text(code.replace(right, wrong))
    report = checked(str(path), "flood", "--only", "games")
    (problem,) = report["problems"]
    assert problem["reason"] == "illegal-move"
    assert problem["options"]["forbidden"] in ("1", "2")
    assert "--forbidden (" in problem["look"]


def test_a_good_player_is_tried_as_long_as_there_is_time(file):
    spec = PlayerSpec("bot.py", "python", file(GOOD))
    planned = trials(cases(registry.game("hex"), spec)[:2], seed=0, only="games")[:2]
    examined = Examination(spec, "random", None)

    def advance(_):
        if len(examined.played) == 6:
            examined.end = time.monotonic()

    examined.run(planned, 600.0, advance, further_trials(planned))
    assert len(examined.played) == len(set(examined.played)) == 6
    assert {trial.seat for trial in examined.played} == {0, 1}
    assert max(trial.seed for trial in examined.played) > 0
    assert not examined.problems


def test_a_check_that_was_cut_short_says_so(file):
    said = succeed("player", "check", file(GOOD), "hex", "--games", "3", "-q")
    assert re.search(r"\b3 of \d+ trials .* --games\.", said)


@pytest.mark.slow
def test_a_slow_player_does_not_take_longer_than_the_time_given(file):
    slow = GOOD.replace("    return", "    import time; time.sleep(1.0)\n    return")
    found = invoke("player", "check", file(slow), "carcassonne", "--time", "5")  # a game takes 30 s
    assert found.exit_code == 2  # no game has come to its end
    assert "\nludograph: " in found.stderr  # behind the line on what is checked


def test_a_tool_that_checks_no_game_is_not_taken_for_one_that_finds_nothing(tmp_path, monkeypatch):
    source, broken = tmp_path / "bot.c", tmp_path / "valgrind"
    succeed("player", "new", "flood", str(source))
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    spec = own_player(str(source), registry.game("flood"), tmp_path)
    case = usual(cases(registry.game("flood"), spec))
    with pytest.raises(ToolFailure):
        finding("valgrind", spec, str(source), case, seat=0, seed=1, seconds=300.0)


@pytest.mark.slow
def test_a_memory_check_ends_in_its_time_with_all_that_it_has_started(tmp_path):
    """Though the player's own process still holds the pipe that its output is read from."""
    if shutil.which("gcc") is None:
        pytest.fail("this test needs gcc")
    path = tmp_path / "slow.c"
    succeed("player", "new", "flood", str(path))
    sleeping = "#define _POSIX_C_SOURCE 199309L\n#include <time.h>\n" + path.read_text()
    begin = "struct move_t best = { NO_COLOR };"
    assert begin in sleeping
    nap = "struct timespec nap = {1, 500000000}; nanosleep(&nap, 0);"
    path.write_text(sleeping.replace(begin, f"{begin} {nap}"))
    report = checked(str(path), "flood", "--only", "memory", "--time", "6")
    assert report["seconds"] < 20


def test_what_is_found_out_first_is_said_at_once(file, monkeypatch):
    monkeypatch.setattr(check, "_plays", lambda player, name, folder: False)
    bot = file(GOOD)
    result = invoke("player", "check", bot)
    assert result.stderr.startswith(f"which game does {bot} play? trying all\n")
    assert "which game? it plays none" in result.stderr
    assert "trying" not in invoke("player", "check", bot, "--json").stderr


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("was killed by SIGFPE in play (bot.c:3)", "SIGFPE: a division"),
        ("was killed by SIGSEGV in play, more than 100 calls deep", "calls deep: a recursion"),
        ("exited with code 3", "place named above$"),
    ],
)
def test_a_crash_is_explained(message, named):
    trial = PlayerTrial("games", None, 0, 0)
    crash = Problem(SeenFault(trial, "crash", message, 1, at_end=False, log=""))
    examined = SimpleNamespace(option_of=lambda problem: None)
    assert re.search(named, look_at(examined, crash, "bot.so"))


def test_every_game_has_starts_of_all_its_options_for_a_player():
    for name in names():
        game = registry.game(name)
        found = cases(game, PlayerSpec("bot.py", "python", "bot.py"))
        assert [case.size for case in found] == sorted(case.size for case in found)
        tried = {option for case in found for option in case.options}
        wanted = {option.name for option in game.declaration.options if option.type.trials}
        assert wanted <= tried
        assert any(case.sample for case in found)
        for case in found[:3]:
            assert case.position(1).seats == case.seats


def test_the_tools_words_in_one_line():
    text = (
        "==12== Invalid write\n==12==    at 0x4: play (bot.c:30)\n==12==    by 0x5: f\n"
        "bot.c:9:7: runtime error: load of null pointer\n"
    )
    assert first_finding(text) == "Invalid write at 0x4: play (bot.c:30)"
    assert first_finding("nothing\n") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoiled", "tool", "told"), [("0", "valgrind", "40 bytes in 1 blocks"), ("1", "asan", "ERROR")]
)
def test_memory_is_checked_by_the_tools_there_are(spoiled, tool, told, tmp_path):
    if shutil.which(tool if tool == "valgrind" else "gcc") is None:
        pytest.fail(f"this test needs {tool}")
    source = tmp_path / "leaks.c"
    source.write_text(LEAKS.replace("SPOILED", spoiled))
    report = json.loads(
        invoke(
            "player", "check", source, "flood", "--only", "memory", "--json", "--time", 300
        ).stdout
    )
    found = [problem for problem in report["problems"] if tool in problem["what"]]
    assert told in found[0]["message"]
    assert f"--{tool}" in found[0]["again"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_a_function_that_nobody_defines_is_named_though_no_game_calls_it(tmp_path):
    succeed("player", "new", "flood", tmp_path / "bot.c")
    with (tmp_path / "bot.c").open("a") as source:
        source.write("int my_own(void);\nint f(void) { return my_own(); }\n")
    words = ["gcc", "-w", "-shared", "-fPIC", tmp_path / "bot.c", "-o", tmp_path / "bot.so"]
    subprocess.run(words, check=True)
    problem = checked(tmp_path / "bot.so", "flood", "--games", 1, "--only", "games")["problems"][0]
    assert problem["reason"] == "no-start"
    assert problem["message"].startswith("bot.so needs my_own,")
