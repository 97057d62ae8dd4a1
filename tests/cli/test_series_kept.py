"""Series in files: a line per game, a record per game, and a kill at any instant loses nothing."""

import contextlib
import csv
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
from tests.cli.run import refuse, run, spawn, succeed
from tests.cli.test_interrupt import alive, descendants, gone

SLOW = "import time\ndef choose(position):\n    time.sleep(0.01)\n    return 'pass'\n"
SERIES = ("flood", "-m", 5, "--seed", 3)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def timeless(row):
    return {key: value for key, value in row.items() if key != "seconds"}


def counted(text):
    """Return what a series says in JSON, without times."""
    return re.sub(r'"mean_time": [\d.e-]+', "", text)


def test_both_files_hold_the_same_games(tmp_path):
    table, objects = tmp_path / "games.csv", tmp_path / "games.jsonl"
    for path in (table, objects):
        succeed(*SERIES, "-r", 6, "--games-file", path, "greedy", "random")
    cells = list(csv.DictReader(table.read_text().splitlines()[1:]))
    rows = lines(objects)
    assert len(cells) == len(rows) == 6
    for cell, row in zip(cells, rows, strict=True):
        assert cell["winner"] == ("" if row["winner"] is None else str(row["winner"]))
        assert [int(cell["seat_0"]), int(cell["seat_1"])] == row["seating"]
        assert [float(cell["score_0"]), float(cell["score_1"])] == row["scores"]
        assert int(cell["plies"]) == row["plies"] == sum(row["moves"])
        assert float(cell["seconds_0"]) > 0
        assert cell["reason"] == "finished"
        assert cell["seed"] == row["seed"]
        assert int(cell["start"]) == row["start"] == 3 + row["game"] // 2


def test_records_are_those_of_the_lines(tmp_path):
    folder = tmp_path / "kept"
    succeed(*SERIES, "-r", 5, "--records", folder, "greedy", "random")
    names = sorted(path.name for path in folder.iterdir())
    assert names == [*(f"game-{number:06}.jsonl" for number in range(5)), "games.jsonl"]
    for row in lines(folder / "games.jsonl"):
        record = read_record(folder / f"game-{row['game']:06}.jsonl")
        assert not record.warning
        assert record.plies == row["plies"]
        assert [record.end["scores"][row["seating"].index(p)] for p in (0, 1)] == row["scores"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["games.csv", "games.jsonl"])
def test_a_longer_series_plays_what_is_missing(tmp_path, kind):
    path = tmp_path / kind
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position):\n    raise ValueError('line\\none, \"quoted\"')\n")
    succeed(*SERIES, "-r", 3, "--games-file", path, bot, "random")
    before = path.read_bytes()
    found = succeed("flood", "-m", 5, "-r", 5, "--json", "--games-file", path, bot, "random")
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes().splitlines()) == len(before.splitlines()) + 2
    fresh = succeed(*SERIES, "-r", 5, "--json", bot, "random")
    assert counted(found) == counted(fresh)


@pytest.mark.slow
def test_another_series_is_refused(tmp_path):
    path, folder = tmp_path / "games.jsonl", tmp_path / "kept"
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position): return 'pass'\n")
    ends = ("-r", 2, "--games-file", path, "--records", folder)
    succeed(*SERIES, *ends, bot, "random")
    said = refuse("flood", "-m", 5, "--seed", 4, *ends, bot, "random")
    assert re.match(f"{folder / 'games.jsonl'}: .* seed 3.* 4$", said)
    assert "players" in refuse(*SERIES, *ends, bot, "greedy")
    assert "clock" in refuse(*SERIES, "--clock", "9s", *ends, bot, "random")
    assert "heading" in refuse("flood", "-m", 6, "--seed", 3, *ends, bot, "random")
    bot.write_text("def choose(position): return 'pass'  # better\n")
    assert re.search(r"bot\.py.* changed", refuse(*SERIES, *ends, bot, "random"))
    ends = ["-r", 2, "--games-file", tmp_path / "programs.csv", "-q"]
    succeed("new-player", "flood", tmp_path / "program.py", "--program")
    program = f"cmd: {sys.executable} {tmp_path / 'program.py'}"
    succeed(*SERIES, *ends, program, "random")
    (tmp_path / "program.py").write_text("print(1)")
    assert re.search(r"program\.py.* changed", refuse(*SERIES, *ends, program, "random"))
    path.write_text("my notes")
    said = refuse(*SERIES, "-r", 2, "--games-file", path, "random", "random")
    assert said.startswith(f"{path}: ")
    assert path.read_text() == "my notes"
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes").touch()
    assert f"{mine}: " in refuse(*SERIES, "-r", 2, "--records", mine, "random", "random")
    assert [path.name for path in mine.iterdir()] == ["notes"]


def test_what_is_for_series_needs_one(tmp_path):
    for option in (("-j", 2), ("--games-file", tmp_path / "a.csv"), ("--records", tmp_path / "a")):
        assert refuse("flood", *option, "random", "random").endswith(" -r")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_any_instant(tmp_path, jobs):
    """Every game that was finished stays as it was, and in the end each is there once."""
    folder, table = tmp_path / "kept", tmp_path / "games.csv"
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW)
    command = [*SERIES, "-j", jobs, "-r", 24, "--records", folder, "--games-file", table]
    command += ["-q", bot, "random"]
    luck, kept = random.Random(jobs), {}
    for _ in range(4):
        process = spawn(*command)
        deadline = time.monotonic() + 300
        while len(games_in(folder)) < len(kept) + 2 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(luck.random() * 0.2)
        children = descendants(process.pid)
        process.kill()
        process.communicate()
        assert gone(children)
        now = games_in(folder)
        assert now.items() >= kept.items()
        kept = now
    done = run(*command)
    assert done.returncode == 0, done.stderr
    final = games_in(folder)
    assert list(final) == list(range(24))  # in order, also where they ended in another
    assert final.items() >= kept.items()
    assert len(table.read_text().splitlines()) == 2 + 24
    records = sorted(path.name for path in folder.glob("game-*"))
    assert records == [f"game-{number:06}.jsonl" for number in range(24)]
    assert all(not read_record(folder / name).warning for name in records)


def games_in(folder):
    """Return the whole lines of a list, by the number of the game."""
    path = folder / "games.jsonl"
    text = path.read_text() if path.exists() else ""
    whole = text.rpartition("\n")[0].splitlines()[1:]
    rows = [json.loads(line) for line in whole]
    assert len({row["game"] for row in rows}) == len(rows)
    return {row["game"]: json.dumps(row) for row in rows}


@pytest.mark.parametrize("cut", [1, 30, 200, 10_000])
def test_half_a_line_goes(tmp_path, cut):
    for kind in ("games.csv", "games.jsonl"):
        path = tmp_path / kind
        succeed(*SERIES, "-r", 4, "--games-file", path, "greedy", "random")
        whole = path.read_bytes()
        path.write_bytes(whole[: max(0, len(whole) - cut)])
        succeed(*SERIES, "-r", 4, "--games-file", path, "greedy", "random")
        assert len(path.read_bytes().splitlines()) == len(whole.splitlines())
        path.unlink()


def slow_series(tmp_path, *options):
    """Start a series in two processes; return it when it has played some, with its children."""
    bot, path = tmp_path / "slow.py", tmp_path / "games.jsonl"
    bot.write_text(SLOW)
    process = spawn(*SERIES, "-j", 2, "-r", 5000, "--games-file", path, *options, bot, "random")
    deadline = time.monotonic() + 300
    while not path.exists() or path.read_bytes().count(b"\n") < 5:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process, descendants(process.pid), path


@pytest.mark.slow
def test_ctrl_c_ends_all_processes(tmp_path):
    process, children, path = slow_series(tmp_path)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    games = int(re.search(r" (\d+) of 5000 games; run the same command again", errors)[1])
    assert games <= len(lines(path)) <= games + 1  # it may come between a line and its count
    assert out.startswith(f"flood on square 5x5, 6 colors, seed 3, {games} games\n")
    assert gone(children)


@pytest.mark.slow
def test_a_process_that_dies_is_told(tmp_path):
    """Its game is played again by the process that takes its place, and then never more."""
    process, _, path = slow_series(tmp_path)
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
    assert re.search(rf"game \d+ .* SIGKILL; {len(lines(path))} of 5000 games; ", errors)
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
    process, _, path = slow_series(tmp_path)
    bot = tmp_path / "slow.py"
    said = run(*SERIES, "-r", 5000, "--games-file", path, bot, "random")
    assert said.returncode == 2
    assert re.search(f"{path}: another .* now", said.stderr)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)


def test_a_game_whose_number_has_changed_is_not_lost_in_silence(tmp_path):
    path = tmp_path / "games.jsonl"
    command = (*SERIES, "-r", 4, "--games-file", path, "greedy", "random")
    succeed(*command)
    path.write_text(path.read_text().replace('{"game":2,', '{"game":3,'))
    assert refuse(*command).startswith(f"{path}, line 5: game 3 ")


HEADS = {".csv": 2, ".jsonl": 1}
"""The lines before the first game."""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the texts of the files of a series of two games, by their suffixes."""
    folder = tmp_path_factory.mktemp("played")
    found = {}
    for suffix in HEADS:
        path = folder / f"games{suffix}"
        succeed(*SERIES, "-r", 2, "--games-file", path, "greedy", "random")
        found[suffix] = path.read_text()
    return found


@pytest.mark.parametrize(
    ("suffix", "was", "edited", "named"),
    [
        (".jsonl", '"seating":[0,1]', '"seating":[7,7]', "seating [7, 7]"),
        (".jsonl", '"names":["greedy","random"]', '"names":[]', "0 names"),
        (".jsonl", '"winner":0', '"winner":5', "player 5"),
        (".jsonl", '"drawn":[]', '"drawn":[-1]', "player -1"),
        (".jsonl", '"game":0', '"game":-1', "negative"),
        (".csv", ",finished,", ',"finished,', "7 cells"),
        (".csv", ",finished,", ",fini\rshed,", "new-line"),
        (".csv", ",finished,", f",{'x' * 200_000},", "limit"),
    ],
)
def test_an_edited_game_is_an_error_with_its_line(tmp_path, played, suffix, was, edited, named):
    path, heads = tmp_path / f"games{suffix}", HEADS[suffix]
    lines_of = played[suffix].split("\n")
    assert was in lines_of[heads]
    lines_of[heads] = lines_of[heads].replace(was, edited, 1)
    path.write_text("\n".join(lines_of), newline="")
    message = refuse(*SERIES, "-r", 2, "--games-file", path, "greedy", "random")
    assert message.startswith(f"{path}, line {heads + 1}: ")
    assert named in message


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b'{"series":"\xff"}\n', ""),
        (b"[" * 100_000, ""),
        (b'{"series":"ludograph","format":1,"seed":[1]}\n', "seed "),
    ],
)
def test_a_damaged_first_line_is_an_error_with_the_file(tmp_path, content, named):
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    message = refuse("flood", "-m", 5, "-r", 2, "--games-file", path, "greedy", "random")
    assert message.startswith(f"{path}: {named}")
    assert path.read_bytes() == content


def test_changed_line_ends_are_not_called_another_series(tmp_path, played):
    path = tmp_path / "games.csv"
    path.write_text(played[".csv"], newline="\r\n")
    said = refuse(*SERIES, "-r", 2, "--games-file", path, "greedy", "random")
    assert re.match(f"{path}: .*changed", said)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/full")])
def test_a_device_or_a_pipe_is_no_file_of_games(tmp_path, make):
    path = tmp_path / "games.jsonl"
    make(path)
    said = refuse(*SERIES, "-r", 2, "--games-file", path, "greedy", "random")
    assert said.startswith(f"{path}: ")
