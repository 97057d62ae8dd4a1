"""A player's processes, under isolation: they reach no others, and none outlives its match."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from ludograph import play_match
from ludograph.hosting import process_tree
from ludograph.hosting.process_tree import (
    TOKEN,
    CannotSuspend,
    ProcessTree,
    children,
    kill_all,
    state_of,
)
from ludograph.hosting.sandbox import control_group
from ludograph.players.isolation import Level
from tests.hosting.fixtures import the_fault
from tests.processes import alive, wait_until

ISOLATED = [Level.STRICT, Level.BASIC]


def running(*command):
    """Return the processes that were started by a command line."""
    wanted = b"".join(word.encode() + b"\0" for word in command)
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):  # it ended meanwhile
            if Path(f"/proc/{entry}/cmdline").read_bytes() == wanted:
                found.append(int(entry))
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGINT])
@pytest.mark.parametrize("level", ISOLATED)
def test_its_supervisor_cannot_be_attacked(level, number, start, small):
    """Nor all that it may signal, which a second player would be among."""
    attacker = small(
        f"signal({int(number)}, SIG_IGN); kill(getppid(), {int(number)}); kill(1, {int(number)})"
    )
    result = play_match(start, [attacker, "greedy"], isolation=level, clock="20s")
    assert result.faults == []


def test_signals_to_everybody_reach_its_own_processes_only(start, small, file):
    attacker = small("kill(-1, SIGKILL)")
    other = file("def choose(position): return position.legal_moves()[0]\n")
    result = play_match(start, [other, attacker], isolation="strict", clock="20s")
    assert result.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("level", ISOLATED)
def test_daemons_without_a_parent_or_a_variable_end_with_the_match(level, start, small):
    seconds = str(98_700 + os.getpid() % 100 + list(Level).index(level) / 10)
    daemon = f"""
        if (fork() == 0) {{
            setsid();
            if (fork() == 0)
                execle("/bin/sleep", "sleep", "{seconds}", (char *) 0, (char *[]) {{ 0 }});
            _exit(0);
        }}
        for (int k = 0; k < 50 && !n; k++) usleep(2000);
    """
    seen = []

    class Looks:
        def choose(self, position):
            seen.extend(running("sleep", seconds))
            return position.legal_moves()[0]

    player = small(f"static int n; if (!n) {{ {daemon} n++; }}")
    result = play_match(start, [player, Looks], isolation=level, clock="20s")
    assert result.faults == []
    assert seen
    until = time.monotonic() + 60
    while running("sleep", seconds) and time.monotonic() < until:
        time.sleep(0.01)
    assert running("sleep", seconds) == []


@pytest.mark.parametrize("level", ISOLATED)
def test_how_it_crashes_is_told_as_ever(level, start, small):
    """With the number of the process in its own namespace, and the supervisor in another."""
    found = the_fault(play_match(start, ["greedy", small("abort()")], isolation=level), seat=1)
    assert "SIGABRT in play" in found.message
    found = the_fault(play_match(start, ["greedy", small("*(int *) 0 = 1")], isolation=level))
    assert "SIGSEGV in play" in found.message


def is_suspended(process, grouped):
    """Tell whether a process is stopped by a signal, or frozen in its control group."""
    if not grouped:
        stat = Path(f"/proc/{process}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] == "T"
    name = os.path.basename(Path(f"/proc/{process}/cgroup").read_text().splitlines()[-1])
    path = Path(control_group.place(), name, "cgroup.events")
    return path.is_file() and "frozen 1" in path.read_text()


@pytest.mark.parametrize("level", ISOLATED)
def test_it_is_suspended_while_others_think(level, groups, start, small):
    states = []

    class Looks:
        def choose(self, position):
            for one in filter(str.isdigit, os.listdir("/proc")):
                with suppress(OSError):  # it ended meanwhile
                    if b"bootstrap.py" in Path(f"/proc/{one}/cmdline").read_bytes():
                        states.append(is_suspended(one, groups))
            return position.legal_moves()[0]

    play_match(start, [small(""), Looks], isolation=level)
    assert any(states)


FAMILY = """
import os, signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
    os.write(1, b"%d\\n" % os.getpid())  # in one piece: both write at once
signal.pause()
"""


OWN_TOKEN = f"of this test, {os.getpid()}"
"""Other workers run the same tests at the same time."""


@pytest.fixture
def family(monkeypatch):
    """Return a process, as a supervisor, with a child and its child, each in its own session."""
    monkeypatch.setenv(TOKEN, OWN_TOKEN)
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE) as supervisor:
        try:
            pids = {int(supervisor.stdout.readline()) for _ in range(2)}
            first = next(pid for pid in pids if pid in children(supervisor.pid))
            yield supervisor, first, next(pid for pid in pids if pid != first)
        finally:
            kill_all(OWN_TOKEN)


def test_processes_without_a_control_group_stand_still_between_moves(family, monkeypatch):
    supervisor, *pids = family
    tree = ProcessTree(supervisor.pid, pids[0], None)
    tree.suspend()
    wait_until(lambda: [state_of(pid) for pid in pids] == ["T", "T"])  # as soon as each has run
    tree.resume()
    assert "T" not in [state_of(pid) for pid in pids]
    monkeypatch.setattr(process_tree, "SWEEPS", 1)  # as if they were always new ones
    with pytest.raises(CannotSuspend):
        tree.suspend()
    tree.resume()
    tree.close()


def test_processes_that_nobody_else_can_end_are_found_by_their_token(family):
    supervisor, *pids = family
    assert kill_all(OWN_TOKEN) >= 3
    assert supervisor.wait(60) == -signal.SIGKILL
    wait_until(lambda: not any(map(alive, pids)))


LEFT_BEHIND = """
import os, signal
from ludograph.hosting.process_tree import ProcessTree
first = os.fork() or signal.pause()
tree = ProcessTree(os.getpid(), first, None)
alone = [tree.is_alone()]
other = os.fork() or signal.pause()  # as one that has lost its parent
alone.append(tree.is_alone())
for process in (first, other):
    os.kill(process, signal.SIGKILL)
print(*alone)
"""


def test_a_process_with_a_daemon_is_not_alone():
    """Otherwise the daemon would run on between its moves."""
    command = [sys.executable, "-c", LEFT_BEHIND]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
