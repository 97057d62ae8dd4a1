"""Series in a store and in files: a kill at any instant loses nothing and doubles nothing."""

import contextlib
import json
import os
import random
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from ludograph import read_record
from ludograph.arena.store import Store
from ludograph.cli import series
from ludograph.cli.shared_options import RUN_AGAIN
from tests.cli.run import invoke, refuse, run, spawn, succeed
from tests.processes import alive, descendants, gone

SLOW = "import time\ndef choose(position):\n    time.sleep(0.01)\n    return 'pass'\n"
SERIES = ("flood", "-m", 5, "--seed", 3)


def games_in(store):
    """Return all games of a store, by number of series, start and seats."""
    if not store.exists():
        return {}
    with Store(store) as opened:
        games = list(opened.games())
    found = {(one.tournament, one.start, *(s.player for s in one.seats)): one for one in games}
    assert len(found) == len(games)
    return found


def counted(text):
    """Return what a series says in JSON, without times."""
    return re.sub(r'"mean_time": [\d.e-]+', "", text)


def records_in(store, folder):
    """Return the records of all games of a store."""
    folder.mkdir()
    for number in range(1, len(games_in(store)) + 1):
        file = folder / f"{number}.jsonl"
        succeed("results", "games", "--store", store, "--game", number, "--record", file)
    return [read_record(path) for path in folder.iterdir()]


def test_options_that_are_gone_name_the_store(tmp_path):
    for option in ("--games-file", "--records"):
        said = refuse(*SERIES, "-r", 2, option, tmp_path / "games", "greedy", "random")
        assert re.match(f"there is no option {option}; --store .* --export", said)


@pytest.mark.slow
def test_a_longer_series_plays_what_is_missing(tmp_path):
    store = tmp_path / "games.db"
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position):\n    raise ValueError('line\\none, \"quoted\"')\n")
    both = (bot, "random")
    succeed(*SERIES, "-r", 3, "--store", store, *both)
    before = games_in(store)
    longer = invoke(*SERIES, "-r", 5, "--json", "--store", store, *both)
    assert counted(longer.stdout) == counted(succeed(*SERIES, "-r", 5, "--json", *both))
    assert games_in(store).items() > before.items()
    assert len(records_in(store, tmp_path / "kept")) == 5
    again = (*SERIES, "-r", 5, "--json", "--store", store, *both)
    assert succeed(*again) == longer.stdout
    assert len(games_in(store)) == 5


@pytest.mark.slow
def test_the_store_keeps_a_drawn_seed(tmp_path):
    command = ("flood", "-m", 5, "--json", "--store", tmp_path / "games.db", "random", "random")
    seeds = [json.loads(succeed(*command, "-r", games))["seed"] for games in (2, 4)]
    assert seeds[0] == seeds[1]
    alone = ("flood", "-m", 5, "--json", "-r", 4, "--seed", seeds[0], "random", "random")
    assert counted(succeed(*alone)) == counted(succeed(*command, "-r", 4))


def test_results_and_played_show_a_series(tmp_path):
    kept = ("--store", tmp_path / "games.db")
    for players in (["greedy", "random"], ["greedy"], ["greedy", "greedy", "random"]):
        series = succeed(*SERIES, "-r", 6, *kept, *players)
        shown = succeed("results", *kept)
        assert shown.splitlines()[1:] == series.splitlines()[1:]
        found = json.loads(succeed("results", *kept, "--json"))["pairing"]
        data = json.loads(succeed(*SERIES, "-r", 6, *kept, *players, "--json"))
        assert {name: data[name] for name in found} == found
    assert len(succeed("results", "games", *kept, "--json").splitlines()) == 18


@pytest.mark.slow
def test_another_series_is_another_one_in_the_store(tmp_path):
    store, bot = tmp_path / "games.db", tmp_path / "bot.py"
    code = "def choose(position): return 'pass'\n"
    bot.write_text(code)
    succeed("player", "new", "flood", tmp_path / "program.py", "--program")
    program = f"cmd: {sys.executable} {tmp_path / 'program.py'}"
    ends = ("-r", 2, "-q", "--store", store)
    for number, other in enumerate(
        [
            (*SERIES, bot, "random"),
            ("flood", "-m", 5, "--seed", 4, bot, "random"),
            ("flood", "-m", 5, "--seed", "0" * 32, bot, "random"),
            ("flood", "-m", 5, "--seed", "1" * 32, bot, "random"),
            ("flood", "-m", 5, bot, "random"),
            ("flood", "-m", 6, "--seed", 3, bot, "random"),
            (*SERIES, bot, "greedy"),
            (*SERIES, "random", bot),
            (*SERIES, bot, bot),
            (*SERIES, "--clock", "9s", bot, "random"),
            (*SERIES, "--opening", "pass", bot, "random"),
            (*SERIES, "--starter", 0, bot, "random"),
            (*SERIES, "--starter", "random", bot, "random"),
            (*SERIES, program, "random"),
        ],
        1,
    ):
        succeed(*other, *ends)
        assert {key[0] for key in games_in(store)} == set(range(1, number + 1))
    before = len(games_in(store))
    bot.write_text(f"{code}# better\n")
    (tmp_path / "program.py").write_text("print(1)")
    told = invoke(*SERIES, bot, "random", "-r", 2, "--store", store).stderr
    assert re.search(r"bot\.py changed since .* 1: ", told)
    succeed(*SERIES, program, "random", *ends)
    assert len(games_in(store)) == before + 4


def test_what_is_for_series_needs_one(tmp_path):
    for option, value in (("-j", 2), ("--store", tmp_path / "a")):
        assert refuse("flood", option, value, "random", "random").endswith(" -r")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_any_instant(tmp_path, jobs):
    """Every game that was finished stays as it was, and in the end each is there once."""
    store, bot = tmp_path / "games.db", tmp_path / "slow.py"
    bot.write_text(SLOW)
    command = [*SERIES, "-j", jobs, "-r", 24, "--store", store, "-q", bot, "random"]
    luck, kept = random.Random(jobs), {}
    for _ in range(4):
        process = spawn(*command)
        deadline = time.monotonic() + 300
        while len(games_in(store)) < len(kept) + 2 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(luck.random() * 0.2)
        children = descendants(process.pid)
        process.kill()
        process.communicate()
        assert gone(children)
        now = games_in(store)
        assert now.items() >= kept.items()
        kept = now
    done = run(*command)
    assert done.returncode == 0, done.stderr
    final = games_in(store)
    assert len(final) == 24
    assert final.items() >= kept.items()
    assert not any(record.warning for record in records_in(store, tmp_path / "kept"))
    played = json.loads(succeed(*SERIES, "-r", 24, "--store", store, "--json", bot, "random"))
    whole = json.loads(succeed(*SERIES, "-r", 24, "--json", bot, "random"))
    assert counted(json.dumps(played)) == counted(json.dumps(whole))


def slow_series(tmp_path):
    """Start a series in two processes; return it when it has played some, with its children."""
    bot, store = tmp_path / "slow.py", tmp_path / "games.db"
    bot.write_text(SLOW)
    process = spawn(*SERIES, "-j", 2, "-r", 5000, "--store", store, bot, "random")
    deadline = time.monotonic() + 300
    while len(games_in(store)) < 4:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process, descendants(process.pid), store


@pytest.mark.slow
def test_ctrl_c_ends_all_processes(tmp_path):
    process, children, store = slow_series(tmp_path)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    games = int(re.search(rf" (\d+) of 5000 games; {RUN_AGAIN}\n", errors)[1])
    assert games <= len(games_in(store)) <= games + 1  # it may come between a row and its count
    assert out.startswith(f"flood on square 5x5, 6 colors, seed 3, {games} games\n")
    assert gone(children)


@pytest.mark.slow
def test_an_interrupted_series_in_memory_says_what_plays_it_again_and_what_would_keep_it(tmp_path):
    bot = tmp_path / "slow.py"
    bot.write_text(f"{SLOW}print('begins', flush=True)\n")
    process = spawn("flood", "-m", 5, "-r", 5000, "--show-output", "all", bot, "random")
    told = ""
    while told.count(": begins\n") < 5:
        assert process.poll() is None
        told += process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    games = int(re.search(r" (\d+) of 5000 games; --seed [0-9a-f]{32} .*--store", errors)[1])
    assert f", {games} games\n" in out


@pytest.mark.slow
def test_a_process_that_dies_is_told(tmp_path):
    """Its game is played again by the process that takes its place, and then never more."""
    process, _, store = slow_series(tmp_path)
    workers = set()
    end = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        children = [each for each in descendants(process.pid) if parent_of(each) == process.pid]
        if new := set(children) - workers:
            workers |= new
            with contextlib.suppress(ProcessLookupError):
                os.kill(max(new), signal.SIGKILL)
        time.sleep(0.01)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 3
    assert re.search(rf"game \d+ .* SIGKILL; {len(games_in(store))} of 5000 games; ", errors)
    assert not any(map(alive, workers))
    assert "losses" in out


def parent_of(process):
    """Return the number of a process's parent; 0 if the process has ended meanwhile."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(stat.rpartition(")")[2].split()[1])


@pytest.mark.slow
def test_one_writer(tmp_path):
    process, _, store = slow_series(tmp_path)
    said = run(*SERIES, "-r", 5000, "--store", store, tmp_path / "slow.py", "random")
    assert said.returncode == 2
    assert re.search(f"{store}: another process .* 1 now", said.stderr)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)


def test_games_that_another_process_plays_before_this_one_begins_are_not_played_twice(
    tmp_path, monkeypatch
):
    """Both have read the store while it was empty."""
    store = tmp_path / "series.db"
    command = (*SERIES, "-r", 4, "--store", store, "greedy", "random")
    entered = series.enter

    def slowly(one, arguments):
        found = entered(one, arguments)
        monkeypatch.undo()
        succeed(*command)
        return found

    monkeypatch.setattr(series, "enter", slowly)
    result = invoke(*command)
    assert result.exit_code == 3
    assert str(store) in result.stderr
    assert len(games_in(store)) == 4
    succeed(*command)
