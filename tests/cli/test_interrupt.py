"""Ctrl-C and a polite kill: the players die, the record stays readable, the exit code says it."""

import os
import signal
import time
from pathlib import Path

import pytest

from ludograph import read_record
from tests.cli.run import spawn

SLOW = "import time\ndef choose(position):\n    time.sleep(0.1)\n    return 'pass'\n"
STUCK = "def choose(position):\n    while True: pass\n"
FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"


def descendants(process):
    """Return the processes that came out of one, from /proc."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def alive(number):
    try:
        state = (Path("/proc") / str(number) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for(line, process):
    for text in process.stdout:
        if text.startswith(line):
            return
    raise AssertionError(f"{line} never came: {process.stderr.read()}")


def play(tmp_path, source, until, *options):
    """Start a match between two Python players; return it when it has come to a line."""
    (tmp_path / "bot.py").write_text(source)
    (tmp_path / "first.py").write_text(FIRST)
    record = tmp_path / "game.jsonl"
    names = (tmp_path / "first.py", tmp_path / "bot.py")
    process = spawn("flood", "-m", 30, "--starter", 0, "--record", record, *options, *names)
    wait_for(until, process)
    children = descendants(process.pid)
    assert len(children) >= 2
    return process, children, record


def gone(children):
    end = time.monotonic() + 3
    while any(map(alive, children)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, children))


@pytest.mark.parametrize(("source", "until"), [(SLOW, "ply 4:"), (STUCK, "ply 1:")])
def test_ctrl_c(tmp_path, source, until):
    process, children, record = play(tmp_path, source, until, "--seed", 77)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "ludograph: interrupted after " in errors
    assert f"{record} holds it so far; --seed 77 --starter 0 plays the same game again" in errors
    assert "Traceback" not in errors
    assert "wins" not in out
    assert gone(children)
    kept = read_record(record)
    assert kept.end is None
    assert kept.warning
    assert kept.plies >= int(until[4:-1])


def test_impatient_ctrl_c(tmp_path):
    process, children, _ = play(tmp_path, STUCK, "ply 1:")
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert gone(children)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_kill(tmp_path, number):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, and so by all that is started from here")
    process, children, record = play(tmp_path, SLOW, "ply 2:")
    os.kill(process.pid, number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert "Traceback" not in errors
    assert "ludograph: interrupted after " in errors
    assert gone(children)
    assert read_record(record).plies >= 2


def test_a_series_shows_what_it_has(tmp_path):
    played = tmp_path / "played"
    player = tmp_path / "player.py"
    player.write_text(
        "class Player:\n"
        "    def start(self, position, seat): self.position = position\n"
        "    def play(self, moves, time_left): return 'pass'\n"
        f"    def finish(self, outcome): open({str(played)!r}, 'w').close()\n"
    )
    process = spawn(
        "flood", "-m", 10, "-r", 100_000, "--seed", 5, player, "random", "--isolation", "none"
    )
    deadline = time.monotonic() + 60
    while not played.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)  # the first game is counted
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "of 100000 games; --seed 5 plays the same games again" in errors
    assert out.startswith("flood on square 10x10")
    assert "losses" in out
