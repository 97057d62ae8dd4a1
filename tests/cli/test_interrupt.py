"""Ctrl-C and a polite kill: the players die, the record stays readable, the exit code says it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from ludograph import read_record
from tests.amounts import slow_but
from tests.cli.run import spawn
from tests.interpreter import python
from tests.processes import descendants, gone, wait_until

SLOW = "import time\ndef choose(position):\n    time.sleep(0.1)\n    return 'pass'\n"
STUCK = "def choose(position):\n    while True: pass\n"
FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"


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
    options += ("--clock", "10m", "--record", record)  # nobody is late while we look elsewhere
    process = spawn("flood", "-m", 30, "--starter", 0, *options, *names)
    wait_for(until, process)
    children = descendants(process.pid)
    assert len(children) >= 2
    return process, children, record


@pytest.mark.parametrize(("source", "until"), [(SLOW, "ply 4:"), (STUCK, "ply 1:")])
def test_ctrl_c(tmp_path, source, until):
    process, children, record = play(tmp_path, source, until, "--seed", 77)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "ludograph: interrupted after " in errors
    again = "--seed 77 --starter 0 plays the same game again"
    assert f"--resume {record} continues it, {again}" in errors
    assert "Traceback" not in errors
    assert "wins" not in out
    assert gone(children)
    kept = read_record(record)
    assert kept.end is None
    assert kept.warning
    assert kept.plies >= int(until[4:-1])


@pytest.mark.slow
def test_impatient_ctrl_c(tmp_path):
    process, children, _ = play(tmp_path, STUCK, "ply 1:")
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert gone(children)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_kill(tmp_path, number):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, and so by all that is started from here")
    process, children, record = play(tmp_path, SLOW, "ply 2:")
    os.kill(process.pid, number)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 128 + number
    assert "Traceback" not in errors
    assert "ludograph: interrupted after " in errors
    assert gone(children)
    assert read_record(record).plies >= 2


@pytest.mark.slow
def test_a_series_shows_what_it_has(tmp_path):
    played = tmp_path / "played"
    player = tmp_path / "player.py"
    player.write_text(
        "class Player:\n"
        "    def start(self, position, seat): self.position = position\n"
        "    def play(self, moves, time_left): return 'pass'\n"
        f"    def finish(self, outcome): open({str(played)!r}, 'a').write('.')\n"
    )
    process = spawn(
        *("flood", "-m", 10, "-r", 100_000, "-j", 1, "--seed", 5),
        *(player, "random", "--isolation", "none"),
    )
    # Then the first game is counted.
    wait_until(lambda: played.exists() and played.stat().st_size >= 2, 240)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "of 100000 games; --seed 5 " in errors
    assert out.startswith("flood on square 10x10")
    assert "losses" in out


LONG = "hex -r 9999 --size 4 -q random random"
LOADING = """
import os, signal, sys, threading, time
from ludograph.__main__ import main
seconds = float(sys.argv.pop(1))
def interrupt():
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        time.sleep(0.001)  # Python's own first instants are nobody's
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
main()
"""


@pytest.mark.parametrize("at", [0.05, 0.1, 0.2, 0.4, 0.6])
def test_ctrl_c_while_code_loads(at, tmp_path):
    """At any instant: the command line, Numba and kernels come one after the other."""
    done = python("-c", LOADING, at, *LONG.split(), folder=tmp_path, status=130)
    *before, last = done.stderr.lstrip().splitlines()  # Click ends the line of a terminal's ^C
    assert last.startswith("ludograph: interrupted")
    assert all(line.startswith("preparing hex, ") for line in before)


AT_AN_IMPORT = """
import os, sys  # signal would be there already
at, words = int(sys.argv[1]), sys.argv[2:]
begun = False

def count(event, arguments):
    global begun, at
    if event == "import":
        begun = begun or arguments[0] == "ludograph.cli.main" or arguments[0] == "_signal"
        at -= begun
        if at == 0:
            os.kill(os.getpid(), 2)

sys.argv[1:] = words
sys.addaudithook(count)
from ludograph.__main__ import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    slow_but(["serve --port 0"], ["--help", "flood -r 9 -q random random", "serve --port 0"]),
)
def test_ctrl_c_at_any_import_of_the_program(words):
    """From the first line that is ours on; the first imports are those of the entry point."""
    for at in (3, 4, 5, 6, 8, 11, 20, 40, 80, 150, 300):
        done = subprocess.run(
            [sys.executable, "-c", AT_AN_IMPORT, str(at), *words.split()],
            capture_output=True,
            check=False,
            text=True,
            timeout=120,
        )
        if done.returncode == 0:
            assert at >= 80  # it has no so many imports
            return
        assert done.stderr.lstrip().splitlines() == ["ludograph: interrupted"], at
        assert done.returncode == 130


LOST = """
import gc, os, signal
from ludograph.cli.terminal import stop
stop.watch()

class Called:
    def __del__(self):  # by the interpreter: what it raises is only told, and lost
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
try:
    called = Called()
    del called
    for _ in range(10**9):
        pass
except KeyboardInterrupt:
    print("stopped")
"""


DROPPED = """
import _imp, os, signal
from importlib.machinery import ExtensionFileLoader
from ludograph.cli.terminal import stop
stop.watch()

def initialize(module):  # as some do that are written in C
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    except BaseException:
        print("dropped")

_imp.exec_dynamic = initialize
try:
    ExtensionFileLoader("made up", "/nowhere").exec_module(os)
    for _ in range(10**9):
        pass
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("program", [LOST, DROPPED], ids=["by the interpreter", "by a module in C"])
def test_an_interrupt_that_would_be_lost_comes_again(program):
    done = python("-c", program)
    assert (done.stdout, done.stderr) == ("stopped\n", "")


STUBBORN = """
import sys, time
from ludograph.__main__ import main
from ludograph.cli.play import command as game_command

def play(*arguments, **options):
    said = iter(["begun", *[""] * 9])
    while True:
        try:
            print(next(said), flush=True)
            time.sleep(100)
        except KeyboardInterrupt:
            said = iter(["cleaning", *[""] * 9])

game_command.play = play
from ludograph.cli.play import match as playing
playing.play = play
main()
"""


@pytest.mark.slow
def test_the_second_ctrl_c_ends_at_once():
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN, "flood", "-m", "4", "random", "random"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "cleaning\n"
    time.sleep(0.6)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, "ludograph: interrupted\n")


def test_the_program_ends_while_a_pool_of_threads_is_idle() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from ludograph.__main__ import _end\n"
        "pool = ThreadPoolExecutor(1)\n"
        "pool.submit(int).result()\n"
        "_end(2)\n"
    )
    python("-c", code, status=2)
