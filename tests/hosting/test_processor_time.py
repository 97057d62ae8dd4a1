"""What a player's processes have run is counted, whoever has ended and whenever it was started."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from ludograph.errors import MachineBusy
from ludograph.hosting import kernel_counts, turn_time
from ludograph.hosting.kernel_counts import (
    TICK,
    UNSURE,
    Counted,
    GroupTime,
    ProcessTimes,
    Thread,
    gives_way,
)
from ludograph.hosting.process_tree import ProcessTree, descendants, fields_of
from ludograph.hosting.sandbox import control_group
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.turn_time import SchedulerLatency, TurnTime
from tests.hosting.fixtures import Alone, the_fault

PLAYER = """
import os, resource, signal, sys, time
def burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds: pass
def chain(count, seconds):
    for _ in range(count):
        child = os.fork()
        if child == 0:
            burn(seconds)
            os._exit(0)
        os.waitpid(child, 0)
def below(seconds):
    if os.fork() == 0:
        if os.fork() == 0:
            burn(seconds)
            print(flush=True)
            signal.pause()
        signal.pause()
print(flush=True)
for line in sys.stdin:
    exec(line)
    if "below" not in line:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        print(sum(one.ru_utime + one.ru_stime for one in used), flush=True)
"""


class Player(ProcessTree):
    """A process that does what it is told, and those that come out of it."""

    def __init__(self, control):
        command = [sys.executable, "-c", PLAYER]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        if control is not None:
            assert control.admit(self.process.pid)
        super().__init__(os.getpid(), self.process.pid, control)
        self.process.stdout.readline()

    def processes(self):
        return [self.first, *descendants(self.first)]

    def is_alone(self):
        return self.processes() == [self.first]

    def does(self, what):
        """Have it do something; return what it says then."""
        print(what, file=self.process.stdin, flush=True)
        return self.process.stdout.readline()


@pytest.fixture
def player(groups):
    control = ControlGroup.make(control_group.place()) if groups else None
    player = Player(control)
    yield player
    for process in player.processes():
        os.kill(process, signal.SIGKILL)
    player.process.communicate()
    player.close()
    if control is not None:
        while "populated 1" in control._read("cgroup.events"):  # orphans end by and by
            time.sleep(0.001)
        control.remove()
        control.close()


def total_of(tree):
    return ProcessTimes(tree) if tree.control is None else GroupTime(tree.control)


@pytest.mark.slow
def test_the_dead_are_counted(player):
    total = total_of(player)
    player.does("chain(1, 0.05)")  # in an earlier turn
    total.begin(changed=True)
    total.ran()
    before = float(player.does("0"))
    for _ in range(2):
        ran = float(player.does("chain(10, 0.01)")) - before
        assert ran > 0.1
        lost = 2 * UNSURE  # ticks that were not full yet, and those that are forgiven for them
        assert ran - lost <= total.ran() <= ran + TICK
    total.begin(changed=True)
    assert total.ran() <= TICK


def test_those_whose_end_nobody_waits_for_are_counted_in_a_group(player):
    total = total_of(player)
    total.begin(changed=True)
    player.does("signal.signal(signal.SIGCHLD, signal.SIG_IGN)")
    player.does("[os.fork() or (burn(0.02), os._exit(0)) for _ in range(5)]")
    while len(player.processes()) > 1:
        time.sleep(0.001)
    assert total.ran() >= (0.0 if player.control is None else 0.1)  # no other account holds it


@pytest.mark.slow
def test_what_processes_had_run_when_they_were_last_seen_stays_counted(player):
    """Though their parent ignores their ends, so that no other account holds it."""
    total = total_of(player)
    total.begin(changed=True)
    player.does("signal.signal(signal.SIGCHLD, signal.SIG_IGN)")
    assert player.does("below(0.2)") == "\n"
    seen = total.ran()
    assert seen >= 0.2
    for process in descendants(player.first):
        os.kill(process, signal.SIGKILL)
    while len(player.processes()) > 1:
        time.sleep(0.001)
    assert total.ran() >= seen - 1e-9  # both are sums


@pytest.mark.slow
def test_what_was_run_in_earlier_turns_counts_no_more(player):
    """Though it was by one that was started by another, long after that was seen."""
    turn = TurnTime(player)
    for _ in range(2):
        turn.begin(60.0)
        assert player.does("below(0.2)") == "\n"
    turn.begin(60.0)
    assert turn.spent(turn.began + 1.0, exact=True) <= 1.0
    assert turn._waiting.ran() < 0.1
    turn.close()


def test_few_files_are_kept_open(monkeypatch):
    monkeypatch.setattr(turn_time, "WATCHED", 10)
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(30)]
    for thread in threads:
        thread.start()
    before = len(os.listdir("/proc/self/fd"))
    counts = SchedulerLatency(os.getpid())
    counts.look(Alone().threads(), 0.0, time.perf_counter())
    assert len(os.listdir("/proc/self/fd")) <= before + 10
    counts.close()
    assert len(os.listdir("/proc/self/fd")) == before
    done.set()


@pytest.mark.parametrize("lower", ["os.nice(5)", "os.sched_setscheduler(0, os.SCHED_IDLE, least)"])
def test_who_gives_way_waits_by_its_own_will(lower):
    for lowers in ("", lower):
        begin = f"import os\nleast = os.sched_param(0)\n{lowers}\nprint(flush=True)\n"
        command = [sys.executable, "-c", begin + "while True: pass"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        process.stdout.readline()
        assert gives_way(fields_of(process.pid)) == bool(lowers)
        counts = SchedulerLatency(process.pid)
        counts.begin(time.perf_counter())
        counts.look([process.pid], 0.0, time.perf_counter())
        thread = counts._threads[process.pid]
        assert thread.wants_to_run() != bool(lowers)
        thread.before = Counted(thread.now.ran, thread.now.waited - 1.0)  # as if it had waited
        counts.look([process.pid], 0.0, time.perf_counter())
        assert (counts.others_fault(10.0) < 1.0) == bool(lowers)
        counts.close()
        process.kill()
        process.communicate()


def test_what_a_thread_waits_that_has_not_run_again_is_seen(monkeypatch):
    """The kernel does not count it yet, and will not if it ends."""
    state = [b"S"]
    monkeypatch.setattr(kernel_counts, "fields_of", lambda _: state)
    with subprocess.Popen(["sleep", "100"]) as process:
        until = time.monotonic() + 20
        while fields_of(process.pid)[0] != b"S" and time.monotonic() < until:
            time.sleep(0.001)
        thread = Thread(process.pid)
        thread.look(9.0)
        thread.begin(10.0)
        for when, now, least, most in [
            (11.0, b"S", 0.0, 0.0),
            (12.0, b"R", 0.0, 2.0),  # it may have begun to wait at any time since it last ran
            (13.0, b"R", 1.0, 3.0),
            (15.0, b"R", 3.0, 5.0),
            (16.0, b"S", 0.0, 0.0),
        ]:
            state[0] = now
            assert thread.look(when)
            assert thread.at_least().waited == pytest.approx(least, abs=1e-3)
            assert thread.by_now().waited == pytest.approx(most, abs=1e-3)
        process.kill()
        process.wait()
        assert not thread.look(17.0)
        thread.close()


class Waits:
    """A thread that waits, and has run a tenth of a second."""

    def __init__(self, waited):
        self.counted = Counted(0.1, waited)

    def turn(self):
        return self.counted

    by_now = turn

    def look(self, when):
        return True

    def wants_to_run(self):
        return True

    def close(self): ...


@pytest.mark.parametrize("ended", [0.0, 0.1, 5.0])
def test_who_ran_in_processes_that_have_ended_is_late_and_nobody_else(ended, monkeypatch):
    """It has waited for nearly six seconds of its 0.3: for others, or for a chain of its own."""
    tree = Alone()
    turn = TurnTime(tree)
    turn.begin(0.3)
    turn._waiting.close()
    turn._waiting._threads = {tree.first: Waits(5.8)}
    monkeypatch.setattr(tree, "threads", list)
    clock = type("Clock", (), {"perf_counter": lambda: turn.began + 5.9, "sleep": lambda _: None})
    monkeypatch.setattr(turn_time, "time", clock)
    run = [0.0]
    turn._total = type("Total", (), {"ran": lambda _: run[0]})()
    if ended < 0.2:
        with pytest.raises(MachineBusy):
            turn.left()
    else:
        run[0] = ended - 1.0
        assert turn.left() > 0.0  # until it is seen to run on
        run[0] = ended
        assert turn.left() == 0.0
    turn.close()


CHAIN = """
    for (int i = 0; i < 4; i++)
      if (!fork()) {
        LEAVE
        for (;;) {
          int child = fork();
          if (!child) { for (volatile int k = 0; k < 1000000; k++); _exit(0); }
          waitpid(child, 0, 0);
        }
      }
    for (;;);
"""


@pytest.mark.slow
@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("leave", ["", "setsid();"])
def test_a_chain_of_processes_beside_busy_loops_is_late(leave, start, small, referee):
    player = small(CHAIN.replace("LEAVE", leave))
    loop = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(loop) for _ in os.sched_getaffinity(0)]
    try:
        found = the_fault(referee(start, ["greedy", player], clock="100ms"))
    finally:
        for process in loops:
            process.kill()
            process.wait()
    assert found.reason == "timeout"
