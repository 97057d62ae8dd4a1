"""``ludograph compare``: one sentence tells which of two players is better, or that none is."""

import json
import re
import signal
import time

import pytest

from ludograph.cli.shared_options import RUN_AGAIN
from tests.amounts import slow_but
from tests.cli.run import invoke, spawn, succeed
from tests.cli.test_series_kept import games_in
from tests.processes import descendants, gone

SMALL = ("compare", "flood", "-m", 5, "--seed", 1)


def test_who_is_better_is_said_the_same_in_either_order():
    there = json.loads(succeed(*SMALL, "--json", "greedy", "random"))
    back = json.loads(succeed(*SMALL, "--json", "random", "greedy"))
    assert there["better"] == back["better"] == "greedy"
    assert (there["answer"], back["answer"]) == ("first", "second")
    for found, own in ((there, "first"), (back, "second")):
        pairs = found["pairs"]
        total = sum(pairs.values())
        assert found["games"] == 2 * total < 1000
        decided = f"{pairs[own]} of {total} .* {total - pairs[own] - pairs['even']} against it,"
        assert re.match(f"greedy is better than random: {decided} 95 %", found["sentence"])


def test_no_difference_is_said_at_the_limit():
    found = json.loads(succeed(*SMALL, "-r", 6, "--json", "random", "random"))
    assert (found["better"], found["games"]) == (None, 6)
    assert succeed(*SMALL, "-r", 6, "random", "random").startswith(found["sentence"])


@pytest.mark.slow
def test_games_that_repeat_earlier_ones_are_named(tmp_path):
    for name, place in (("first.py", 0), ("last.py", -1)):
        (tmp_path / name).write_text(
            f"def choose(position):\n    return position.legal_moves()[{place}]\n"
        )
    players = [str(tmp_path / "first.py"), str(tmp_path / "last.py")]
    for command in (("compare", "hex"), ("hex",)):
        same = invoke(*command, "--size", 3, "--no-pie", "-r", 6, *players)
        assert "4 games" in same.stderr
        assert "openings drawn" in same.stderr
    assert "openings drawn" not in invoke(*SMALL, "-r", 6, "random", "random").stderr


def test_the_answer_of_several_processes_is_that_of_one():
    one = succeed(*SMALL, "--json", "greedy", "random")
    assert succeed(*SMALL, "--json", "-j", 2, "greedy", "random") == one


@pytest.mark.slow
def test_settings_of_one_file_are_compared(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Bot:\n"
        "    def __init__(self, plays=True):\n"
        "        self.plays = plays\n"
        "    def choose(self, position):\n"
        "        return position.legal_moves()[0] if self.plays else 'resign'\n"
    )
    result = invoke(*SMALL, f"{bot}:plays=no", bot)
    assert result.exit_code == 0
    assert re.match("bot.py is better than bot.py:plays=no: ", result.stdout)
    assert "bot.py:plays=no, the first resign: " in result.output


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_in_a_store_are_not_played_again(tmp_path, jobs):
    """Neither after a limit, nor when the answer is known."""
    store = tmp_path / "games.db"
    kept = ("--store", store, "-j", jobs)
    short = invoke(*SMALL, *kept, "-r", 6, "greedy", "random")
    assert short.exit_code == 0
    before = games_in(store)
    assert len(before) == 6
    went_on = invoke(*SMALL, *kept, "--json", "greedy", "random")
    assert went_on.exit_code == 0
    assert went_on.stdout == succeed(*SMALL, "--json", "greedy", "random")
    whole = games_in(store)
    assert whole.items() > before.items()
    assert len(whole) >= json.loads(went_on.stdout)["games"]
    assert succeed(*SMALL, *kept, "--json", "greedy", "random") == went_on.stdout
    assert games_in(store) == whole
    assert json.loads(went_on.stdout)["sentence"] in succeed("results", "--store", store)


def test_a_comparison_uses_the_games_of_a_series(tmp_path):
    kept = ("--store", tmp_path / "games.db")
    succeed(*SMALL[1:], "-r", 7, *kept, "greedy", "random")
    found = json.loads(succeed(*SMALL, "-r", 6, *kept, "--json", "greedy", "random"))
    assert found["games"] == 6
    assert len(games_in(tmp_path / "games.db")) == 7


LONG = ("-r", 199998, "--elo", 1)


@pytest.mark.slow
@pytest.mark.parametrize("keeps", slow_but([True], [True, False]))
def test_ctrl_c_ends_it_with_the_answer_so_far(tmp_path, keeps):
    """A real interrupt to a real process with players and workers of its own."""
    bot, begun = tmp_path / "bot.py", tmp_path / "begun"
    begun.mkdir()
    bot.write_text(
        "import random, tempfile, time\n"
        "class Bot:\n"
        "    def choose(self, position):\n"
        "        if position.ply < 2:\n"
        f"            tempfile.mkstemp(dir={str(begun)!r})\n"
        "        time.sleep(0.01)\n"
        "        return random.choice(position.legal_moves())\n"
    )
    store = tmp_path / "games.db"
    kept = ("--store", store) if keeps else ()
    both = (f"{bot}", f"{bot}:Bot")
    process = spawn(*SMALL, "-j", 2, "--isolation", "none", *LONG, *kept, *both)
    try:
        end = time.monotonic() + 120
        while len(list(begun.iterdir())) < 2 * 8:  # twice in each game, two at a time
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        children = descendants(process.pid)
        assert len(children) >= 2
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert re.match("No difference between bot.py and bot.py:Bot .* after [1-9]", out)
    again = RUN_AGAIN if keeps else "--seed 1 "
    assert f"of 99999 pairs; {again}" in errors
    assert "Traceback" not in errors
    assert gone(children)
    assert not keeps or len(games_in(store)) > 4
