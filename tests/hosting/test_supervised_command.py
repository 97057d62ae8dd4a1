"""Tools that run a player's code end with the command that started them, however that ends."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ludograph import flood
from ludograph.hosting import supervised_command
from ludograph.hosting.debug_tools import own_player
from tests.cli.run import PROGRAM
from tests.processes import alive, descendants, gone, wait_until

WAIT = "while :; do sleep 0.1; done"

SPINS = """
#include "player.h"
#include <unistd.h>
#include <stdlib.h>
#include <stdio.h>
char const *get_player_name() { return "spins"; }
static void mark(char const *name) {
  FILE *file = fopen(name, "w"); fprintf(file, "%d", getpid()); fclose(file);
}
void initialize(size_t id, struct graph_t *g, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) { mark("@DAEMON.part"); rename("@DAEMON.part", "@DAEMON"); for (;;); }
    _exit(0);
  }
  mark("@PLAYER.part"); rename("@PLAYER.part", "@PLAYER");
  for (;;);
}
struct move_t play(struct move_t m) { return (struct move_t){-1}; }
void finalize() {}
"""


def process_of(path):
    """Return the number that a process has written to a file, when it is there."""
    wait_until(path.exists, 300)  # valgrind starts an interpreter
    return int(path.read_text())


@pytest.fixture
def player(tmp_path):
    """Return a library that never answers, and has a daemon that does not end either."""
    source = tmp_path / "spins.c"
    text = SPINS.replace("@DAEMON", str(tmp_path / "daemon"))
    source.write_text(text.replace("@PLAYER", str(tmp_path / "player")))
    library = Path(own_player(str(source), flood, tmp_path).target)
    source.unlink()  # so that valgrind alone looks
    return library


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("valgrind"), reason="there is no valgrind here")
@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("check-player", signal.SIGINT),
        ("check-player", signal.SIGTERM),
        ("check-player", signal.SIGKILL),
        ("debug", signal.SIGKILL),
    ],
)
def test_an_interrupted_command_leaves_no_tool(tmp_path, player, command, number):
    how = {"check-player": ["--only", "memory", "--time", 900], "debug": ["--valgrind"]}[command]
    program = subprocess.Popen(
        [*PROGRAM, command, player, "flood", *map(str, how), "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        below = [process_of(tmp_path / "player"), process_of(tmp_path / "daemon")]
        assert all(map(alive, below))
        assert b"valgrind" in Path(f"/proc/{below[0]}/cmdline").read_bytes()
    finally:
        program.send_signal(number)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == (-number if number == signal.SIGKILL else 128 + number)
    assert "Traceback" not in errors
    assert gone(below)


ASKS = """
import sys
from ludograph.hosting import supervised_command
print(supervised_command.started(sys.argv[1:]).wait(), flush=True)
"""


def completed(command):
    """Return the exit code and the output of a command, as ``subprocess.run`` does."""
    pipe = subprocess.PIPE
    with supervised_command.started(command, stdout=pipe, stderr=pipe, text=True) as process:
        output, errors = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


@pytest.mark.slow
def test_a_command_ends_as_it_would_alone():
    shell = "echo said; echo $VALUE >&2; exit 7"
    done = completed(["sh", "-c", shell])
    assert (done.returncode, done.stdout, done.stderr) == (7, "said\n", "\n")
    with supervised_command.started(["sh", "-c", "test $VALUE = a=b"], {"VALUE": "a=b"}) as process:
        assert process.wait(timeout=60) == 0
    assert completed(["sh", "-c", "kill -SEGV $$"]).returncode == -signal.SIGSEGV
    missing = completed(["/nowhere/tool"])
    assert missing.returncode == supervised_command.NOT_RUN
    assert missing.stderr == f"/nowhere/tool: {os.strerror(errno.ENOENT)}\n"


@pytest.mark.slow
def test_a_command_is_ended_with_its_daemons(tmp_path):
    daemon = f'setsid sh -c \'echo $$ > "$0/part"; mv "$0/part" "$0/daemon"; {WAIT}\' "$0"'
    tool = supervised_command.started(["sh", "-c", f"{daemon} & {WAIT}", str(tmp_path)])
    number = process_of(tmp_path / "daemon")
    tool.terminate()
    tool.wait()
    assert gone([number])


def test_ctrl_c_of_a_terminal_leaves_the_end_to_the_command():
    """It may be a debugger, in which Ctrl-C interrupts the player and not the game."""
    program = subprocess.Popen(
        [sys.executable, "-c", ASKS, "sh", "-c", "trap 'echo held; exit 3' INT; echo on; " + WAIT],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout.readline() == "on\n"
    tool = max(descendants(program.pid))
    os.kill(program.pid, signal.SIGSTOP)  # the program itself handles Ctrl-C elsewhere
    os.killpg(program.pid, signal.SIGINT)
    assert program.stdout.readline() == "held\n"
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    assert gone([tool])
