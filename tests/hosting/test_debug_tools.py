"""Tools that run a player's code end with the command that started them, however that ends."""

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from ludograph import flood
from ludograph.hosting.debug_tools import own_player
from tests.cli.run import PROGRAM
from tests.processes import alive, gone, wait_until

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
        ("check", signal.SIGINT),
        ("check", signal.SIGTERM),
        ("check", signal.SIGKILL),
        ("debug", signal.SIGKILL),
    ],
)
def test_an_interrupted_command_leaves_no_tool(tmp_path, player, command, number):
    how = {"check": ["--only", "memory", "--time", 900], "debug": ["--valgrind"]}[command]
    program = subprocess.Popen(
        [*PROGRAM, "player", command, player, "flood", *map(str, how), "-q"],
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
