"""No process outlives its game, whatever it does and however the referee ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludograph.hosting.process_tree import bearers
from ludograph.hosting.turn_time import TurnTime
from tests.hosting.fixtures import is_ending, the_fault

pytestmark = pytest.mark.usefixtures("unisolated")


DAEMON = """
import os, time
started = 0
def daemon(environment):
    global started
    started += 1
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open(PIDS, "a") as file: file.write(f"{os.getpid()}\\n")
            os.execve("/bin/sleep", ["sleep", "1000"], environment)
        os._exit(0)
def choose(position):
    daemon({})
    daemon(os.environ)
    while not os.path.exists(PIDS) or open(PIDS).read().count("\\n") < started:
        time.sleep(0.01)
    WHAT
"""


def alive(pid: int) -> bool:
    return not is_ending(pid)


def pids(path, count, seconds=120.0):
    """Return the processes that a player has written down, once they are there."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if path.exists() and len(path.read_text().split()) == count:
            return [int(text) for text in path.read_text().split()]
        time.sleep(0.01)
    raise AssertionError(f"{count} processes expected")


def gone(processes, seconds=60.0):
    until = time.monotonic() + seconds
    while any(map(alive, processes)) and time.monotonic() < until:
        time.sleep(0.005)
    return not any(map(alive, processes))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "reason"),
    [("time.sleep(100)", "timeout"), ("os._exit(3)", "crash"), ("return -5", "protocol")],
)
def test_daemons_die_with_their_player(what, reason, start, file, referee, tmp_path):
    path = tmp_path / "pids"
    bot = file(DAEMON.replace("PIDS", repr(str(path))).replace("WHAT", what))
    clock = "2s" if reason == "timeout" else "20s"
    assert the_fault(referee(start, ["greedy", bot], clock=clock)).reason == reason
    assert not any(map(alive, pids(path, 2)))


@pytest.mark.slow
def test_killed_soon_after_the_deadline(start, library, referee, monkeypatch):
    """Of the deadline with what was granted, where it had to wait for a processor.

    `benchmarks/verdict_delay.py` measures how soon.
    """
    misbehave = library("misbehave", fault="fork-hang")
    delays, granted, close = [], [0.0], TurnTime.close

    def noted(turn):
        granted.append(turn.granted)
        close(turn)

    monkeypatch.setattr(TurnTime, "close", noted)

    class Watch:
        def choose(self, position):
            self.began = time.perf_counter()
            return position.legal_moves()[0]

        def start(self, position, seat): ...

        def play(self, moves, time_left):
            self.began = time.perf_counter()
            return "pass"

        def finish(self, outcome):
            delays.append(time.perf_counter() - self.began - 0.3 - granted[-1])

    referee(start, [Watch, misbehave], clock="300ms")
    assert delays[0] < 10


@pytest.mark.slow
@pytest.mark.usefixtures("groups")
def test_a_bomb_of_forks(start, file, referee):
    code = (
        "import os\ndef choose(position):\n    for _ in range(7): os.fork()\n    while True: pass\n"
    )
    found = the_fault(referee(start, ["greedy", file(code)], clock="500ms"))
    assert found.reason in ("timeout", "protocol")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_player_that_attacks_its_supervisor(number, start, file, referee, tmp_path):
    path = tmp_path / "pids"
    what = f"os.kill(os.getppid(), {int(number)}); time.sleep(10)"
    code = DAEMON.replace("daemon({})", "").replace("PIDS", repr(str(path))).replace("WHAT", what)
    found = the_fault(referee(start, ["greedy", file(code)], clock="2s"))
    assert found.reason in ("crash", "timeout")
    assert gone(pids(path, 1))


REFEREE = """
import sys
from ludograph import boards, flood, play_match
start = flood.position(boards.square(8), colors=6, seed=3)
try:
    play_match(start, sys.argv[1:], clock="60s")
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "seat"),
    [
        (signal.SIGKILL, 0),
        pytest.param(signal.SIGKILL, 1, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 0, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, 1, marks=pytest.mark.slow),
    ],
)
def test_the_referee_is_killed(number, seat, file, tmp_path):
    path = tmp_path / "pids"
    what = "open(PIDS, 'a').write(f'{os.getpid()}\\n{os.getppid()}\\n'); time.sleep(100)"
    bot = file(DAEMON.replace("WHAT", what).replace("PIDS", repr(str(path))))
    other = file("import time\ndef choose(position): return 'pass'\n", "other.py")
    names = [bot, other] if seat == 0 else [other, bot]
    referee = subprocess.Popen([sys.executable, "-c", REFEREE, *names], start_new_session=True)
    try:
        players = pids(path, 4)
        assert all(map(alive, players))
        os.kill(referee.pid, number)
        code = referee.wait(60.0)
    finally:
        referee.kill()
        referee.wait()
    assert gone(players)
    assert code == (130 if number == signal.SIGINT else -number)


def test_bearers_are_found():
    token = "0123456789abcdef"
    with subprocess.Popen(["sleep", "100"], env={"LUDOGRAPH_PLAYER": token}) as process:
        until = time.monotonic() + 60
        while bearers(token) != [process.pid] and time.monotonic() < until:
            time.sleep(0.001)
        assert bearers(token) == [process.pid]
        assert bearers("0123456789abcde") == []
        process.kill()


@pytest.mark.usefixtures("groups")
def test_a_chain_of_processes_is_ended(start, file, referee, tmp_path):
    """Each starts the next in a session of its own and ends: whoever looks is one too late."""
    path = tmp_path / "alive"
    code = (
        "import os, time\n"
        "def chain():\n"
        "    until = time.monotonic() + 30\n"
        "    while time.monotonic() < until:\n"
        "        os.setsid()\n"
        f"        os.close(os.open({str(path)!r}, os.O_CREAT | os.O_WRONLY | os.O_TRUNC))\n"
        "        if os.fork(): os._exit(0)\n"
        "def choose(position):\n"
        "    for _ in range(2):\n"
        "        if os.fork() == 0:\n"
        "            if os.fork(): os._exit(0)\n"
        "            chain()\n"
        "    while True: pass\n"
    )
    assert the_fault(referee(start, ["greedy", file(code)], clock="300ms")).reason == "timeout"
    before = path.stat().st_mtime_ns
    time.sleep(0.1)
    assert path.stat().st_mtime_ns == before


HIDING = """
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#define OTHER "LUDOGRAPH_PLAYER=11111111111111111111111111111111"
void write_down(void) {
  FILE *file = fopen("PIDS.new", "w");
  fprintf(file, "%d\\n", getpid());
  fclose(file);
  rename("PIDS.new", "PIDS");  /* whoever finds it finds it whole */
}
void *stay(void *x) {
  write_down();
  sleep(1000);
  return x;
}
void behind_its_first_thread(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stay, 0);
  syscall(SYS_exit, 0);
}
int parent_of(int process) {
  char path[64], text[512]; int parent;
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r"); text[fread(text, 1, 511, file)] = 0; fclose(file);
  sscanf(strrchr(text, ')'), ") %*c %d", &parent);
  return parent;
}
void leave_a_daemon(void) {
  int supervisor = getppid();
  if (fork() == 0) {
    setsid();
    HIDES;
    stay(0);
  }
  while (access("PIDS", F_OK)) usleep(1000);
  ATTACK;
  sleep(10);
}
"""
HIDES = {
    "behind its first thread": "behind_its_first_thread()",
    "as a program": 'write_down(); execle("/bin/sleep", "sleep", "1000", NULL, (char *[]) { 0 })',
    "under another token": (
        'write_down(); execle("/bin/sleep", "sleep", "1000", NULL, (char *[]) { OTHER, 0 })'
    ),
    "closed to its user": "prctl(PR_SET_DUMPABLE, 0)",
    "closed to its user, behind its first thread": (
        "prctl(PR_SET_DUMPABLE, 0); behind_its_first_thread()"
    ),
    "in a session of its own": "",
}
ATTACKS = {
    "kills": "kill(supervisor, SIGKILL)",
    "kills it and stops the fork server": (
        "kill(parent_of(supervisor), SIGSTOP); kill(supervisor, SIGKILL)"
    ),
}


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize(
    ("hides", "attack"),
    [
        *((hides, "kills") for hides in HIDES),
        ("as a program", "kills it and stops the fork server"),
    ],
)
def test_a_daemon_of_a_player_that_kills_its_supervisor(
    hides, attack, start, small, referee, tmp_path
):
    """Fault row 30. Whoever runs the match: nothing is needed that a process can hide."""
    daemon, *_ = left_after(ATTACKS[attack], HIDES[hides], start, small, referee, tmp_path)
    assert not has_threads(daemon)


@pytest.mark.slow
@pytest.mark.usefixtures("groups")
def test_a_daemon_without_supervisor_and_fork_server(start, small, referee, tmp_path):
    """It is found by its token, which only its second thread shows."""
    attack = "kill(parent_of(supervisor), SIGKILL); kill(supervisor, SIGKILL)"
    hides = HIDES["behind its first thread"]
    (daemon,) = left_after(attack, hides, start, small, referee, tmp_path)
    assert not has_threads(daemon)


def left_after(attack, hides, start, small, referee, tmp_path):
    """Return the daemon that a player leaves in a match in which it attacks."""
    path = tmp_path / "pids"
    code = HIDING.replace("HIDES", hides).replace("ATTACK", attack).replace("PIDS", str(path))
    player = small("leave_a_daemon()", functions=code)
    found = the_fault(referee(start, ["greedy", player], clock="2s"))
    assert found.reason in ("crash", "timeout")  # a daemon may hold the player's channel open
    return pids(path, 1)


def has_threads(process, seconds=5.0):
    """Tell whether a process has threads, also behind a first one that has ended, after a while."""
    until = time.monotonic() + seconds
    while (there := Path(f"/proc/{process}/task").exists()) and time.monotonic() < until:
        time.sleep(0.005)
    return there


@pytest.mark.usefixtures("groups")
def test_a_chain_of_a_player_that_kills_its_supervisor(start, small, referee, tmp_path):
    path = tmp_path / "alive"
    chain = f"""
        for (int k = 0; k < 20000; k++) {{
            setsid();
            close(open("{path}", O_CREAT | O_WRONLY | O_TRUNC, 0600));
            if (fork()) _exit(0);
        }}
        _exit(0);
    """
    play = f"""
        int supervisor = getppid();
        if (fork() == 0) {{ {chain} }}
        while (access("{path}", F_OK)) usleep(1000);
        kill(supervisor, SIGKILL);
        sleep(10);
    """
    found = the_fault(
        referee(start, ["greedy", small(play, functions="\n#include <fcntl.h>\n")], clock="20s")
    )
    assert found.reason == "crash"
    before = path.stat().st_mtime_ns
    time.sleep(0.1)
    assert path.stat().st_mtime_ns == before


@pytest.mark.slow
def test_the_referee_is_killed_after_a_supervisor(start, small, tmp_path):
    """The fork server ends what the supervisor has left, and then itself."""
    path = tmp_path / "pids"
    code = HIDING.replace("HIDES", HIDES["as a program"]).replace("PIDS", str(path))
    attack = "kill(supervisor, SIGSTOP); sleep(1); kill(supervisor, SIGKILL)"
    player = small("leave_a_daemon()", functions=code.replace("ATTACK", attack))
    referee = subprocess.Popen([sys.executable, "-c", REFEREE, player, "greedy"])
    try:
        daemon, *_ = pids(path, 1, seconds=20.0)
    finally:
        referee.kill()
        referee.wait()
    assert not has_threads(daemon)
