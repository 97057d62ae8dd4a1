"""What a player may use is bounded: memory, processes, files, space."""

import os
import tempfile
from collections import Counter

import pytest

from ludograph import hex, play_match
from ludograph.hosting import foreign_player, host_process
from ludograph.hosting.process_tree import children
from ludograph.hosting.sandbox import control_group, readable_paths
from ludograph.hosting.sandbox.privileges import PROCESSES
from ludograph.hosting.sandbox.sandbox import Sandbox
from ludograph.players.isolation import Isolation, Level
from tests.amounts import slow_but
from tests.hosting.fixtures import the_fault

LIMIT = 256 << 20
LEVELS = list(Level)

PYTHON_BOMB = """
held = []
def choose(position):
    while True:
        held.append(bytearray(b"x" * (1 << 20)))
"""
C_BOMB = "for (;;) { char *p = malloc(1 << 20); for (int i = 0; i < 1 << 20; i += 512) p[i] = 1; }"
SHELL_BOMB = """
while read -r command _; do
    [ "$command" = genmove ] && { x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done; }
    printf '=\\n\\n'
done
"""


@pytest.mark.parametrize("level", slow_but(LEVELS[:1], LEVELS))
def test_a_memory_bomb_in_python(level, start, file, referee):
    isolation = Isolation(level, LIMIT)
    found = the_fault(referee(start, ["greedy", file(PYTHON_BOMB)], isolation=isolation))
    assert (found.reason, found.message) == ("memory", "held more than 256 MiB of memory")


@pytest.mark.slow
def test_a_supervisor_that_is_slow_is_waited_for(start, file, referee, monkeypatch):
    """It tells of too much memory later than the player's channel is seen to close."""
    monkeypatch.setattr(foreign_player, "readable", lambda *_: False)
    found = the_fault(
        referee(start, ["greedy", file(PYTHON_BOMB)], isolation=Isolation(None, LIMIT))
    )
    assert found.reason == "memory"


@pytest.mark.slow
def test_the_verdict_comes_before_the_processes_end(start, small, referee, monkeypatch):
    """To end them may take longer than a referee waits."""
    monkeypatch.setenv(control_group.VARIABLE, "none")  # with groups the kernel ends them first
    monkeypatch.setattr(foreign_player, "ENDED_SECONDS", 0.0)
    monkeypatch.setattr(foreign_player, "SUPERVISOR_SECONDS", 0.0)
    monkeypatch.setattr(host_process, "SUPERVISOR_SECONDS", 0.0)
    found = the_fault(referee(start, ["greedy", small(C_BOMB)], isolation=Isolation(None, LIMIT)))
    assert found.reason == "memory"


@pytest.mark.parametrize("level", LEVELS)
def test_a_memory_bomb_in_c(level, start, small, referee):
    isolation = Isolation(level, LIMIT)
    found = the_fault(referee(start, ["greedy", small(C_BOMB)], isolation=isolation))
    assert found.reason == "memory"


HIDDEN_BOMB = """
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
void *grow(void *x) {
  usleep(50000);
  for (int i = 0; i < 64; i++) memset(malloc(1 << 24), 1, 1 << 24);
  sleep(20);
  return x;
}
void grow_in_a_child(void) {
  pthread_t thread;
  if (fork() == 0) {
    pthread_create(&thread, 0, grow, 0);
    syscall(SYS_exit, 0);
  }
  sleep(20);
}
"""
HIDES = {
    "by its name": 'prctl(PR_SET_NAME, "a\\rb"); grow(0)',
    "behind its first thread": "grow_in_a_child()",
}


@pytest.mark.parametrize("hides", HIDES)
def test_a_memory_bomb_that_hides(hides, start, small, referee):
    """Its lines in /proc are not what they usually are."""
    bot = small(HIDES[hides], functions=HIDDEN_BOMB)
    found = the_fault(referee(start, ["greedy", bot], isolation=Isolation(None, LIMIT)))
    assert found.reason == "memory"


@pytest.mark.parametrize("level", LEVELS)
def test_a_memory_bomb_does_not_outlive_its_match(level, start, small):
    """Not even as a process that is dying: what it holds has been given back."""
    before = {player for forker in children(os.getpid()) for player in children(forker)}
    the_fault(play_match(start, ["greedy", small(C_BOMB)], isolation=Isolation(level, LIMIT)))
    forkers = children(os.getpid())
    assert {player for forker in forkers for player in children(forker)} <= before


@pytest.mark.slow
def test_a_memory_bomb_in_a_process_of_its_own(referee, file):
    """The program of a shell script, whose host holds little."""
    path = file(SHELL_BOMB, "bomb.sh")
    result = referee(
        hex.position(3), ["random", f"htp: bash {path}"], isolation=Isolation(None, LIMIT)
    )
    assert the_fault(result).reason == "memory"


def test_a_memory_bomb_before_the_first_move(start, small, referee):
    """A thread that outlives the loading of the library."""
    code = "held = [bytes(1 << 20) + bytes([1]) for _ in iter(int, 1)]\n"
    bomb = "import ctypes\n" + code.replace("bytes(1 << 20)", 'b"x" * (1 << 20)')
    path = small("return (struct move){-1}").replace("small.so", "bomb.py")
    with open(path, "w") as written:
        written.write(bomb)
    result = referee(start, ["greedy", path], isolation=Isolation(None, LIMIT))
    assert the_fault(result).reason == "memory"


def test_shared_pages_count_once(start, file, referee):
    """Eight processes that share what one has filled hold less than the limit together."""
    code = (
        "import os, time\n"
        "held = b'x' * (100 << 20)\n"
        "def choose(position):\n"
        "    if position.ply < 2:\n"
        "        for _ in range(8):\n"
        "            if os.fork() == 0: time.sleep(1000); os._exit(0)\n"
        "        time.sleep(0.5)\n"
        "    return position.legal_moves()[0]\n"
    )
    result = referee(start, ["greedy", file(code)], isolation=Isolation(None, LIMIT))
    assert result.faults == []


def printed(start, path, level=Level.STRICT):
    """Return the lines that a player prints in a game that it plays to its end."""
    result = play_match(start, ["greedy", path], isolation=level, clock="20s")
    assert result.faults == [], result.sentence
    return result.logs[1].split()


FORKS = """
    static int asked; int made = 0, child = 1;
    while (!asked && child > 0 && made < 5000 && (child = fork()) > 0) made++;
    if (!child) { sleep(1000); _exit(0); }
    if (!asked++) printf("%d", made);
"""


@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
def test_processes_are_bounded(level, start, small):
    made = []
    while len(made) < 5 and max(made, default=0) <= PROCESSES * 0.7:
        made.append(int(*printed(start, small(FORKS), level)))  # others of the same user count, too
    assert PROCESSES * 0.7 < max(made) < PROCESSES * 4


THREADS = """
import threading, time
def choose(position):
    made = 0
    try:
        while made < 5000 and position.ply < 2:
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
            made += 1
    except RuntimeError:
        print(made)
    return position.legal_moves()[0]
"""


def test_threads_are_bounded(start, file):
    (made,) = printed(start, file(THREADS))
    assert PROCESSES * 0.7 < int(made) < PROCESSES


FILES = """
import os
def choose(position):
    held = []
    try:
        while position.ply < 2: held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        print(len(held))
        for one in held: os.close(one)
    return position.legal_moves()[0]
"""


@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
def test_descriptors_are_bounded(level, start, file):
    (made,) = printed(start, file(FILES), level)
    assert int(made) < 1024


LAST_TO_END = """
def choose(position):
    if position.ply < 2:
        for value in ("-1000", "0", "999"):
            try:
                with open("/proc/self/oom_score_adj", "w") as file:
                    file.write(value)
            except OSError:
                pass
        print(open("/proc/self/oom_score_adj").read())
    return position.legal_moves()[0]
"""


@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
def test_the_kernel_ends_a_player_first_if_memory_is_short(level, start, file):
    assert printed(start, file(LAST_TO_END), level) == ["1000"]


SPACE = """
def choose(position):
    size = 0
    try:
        while position.ply < 2:
            with open(f"/tmp/{size >> 22}", "wb") as out: out.write(bytes(1 << 22))
            size += 1 << 22
    except OSError as error:
        print(size >> 20, error.strerror.replace(" ", "-"))
    return position.legal_moves()[0]
"""


def test_its_scratch_folder_is_small_and_gone_afterwards(start, file):
    for _ in range(2):
        size, why = printed(start, file(SPACE))
        assert (50 < int(size) <= 64, why) == (True, "No-space-left-on-device")


@pytest.mark.slow
def test_basic_has_no_scratch_folder(start, file):
    size, why = printed(start, file(SPACE), Level.BASIC)
    assert (size, why) == ("0", "Permission-denied")


def test_a_player_directly_in_the_scratch_folder_does_not_hold_its_disk(start, monkeypatch):
    """It sees the machine's own folder instead of one in memory."""
    monkeypatch.setenv(control_group.VARIABLE, "none")
    monkeypatch.setattr(readable_paths, "WITHHELD", Counter())  # stores of other tests
    with tempfile.NamedTemporaryFile("w", dir="/tmp", suffix=".py") as bot:
        bot.write("def choose(position): return position.legal_moves()[0]\n")
        bot.flush()
        result = play_match(start, [bot.name, "greedy"], isolation=Isolation(Level.STRICT, LIMIT))
    assert result.faults == []
    assert Sandbox(Level.STRICT, ["/tmp", "/usr"]).scratch == ["/dev/shm"]


def test_processor_time_and_memory_are_reported(start, small):
    burn = small("clock_t end = clock() + CLOCKS_PER_SEC / 50; while (clock() < end) {}")
    result = play_match(start, [burn, "greedy"])
    assert list(result.usage) == [0]
    used = result.usage[0]
    assert used.cpu_seconds > 0.05
    assert 4 << 20 < used.peak_bytes < 1 << 30
