"""The tree of a player's processes: found, suspended between its moves, resumed, at last killed.

Processes with a control group are frozen in it, including those that they are about to start.

Others get signals. Most players are one process, whose process group has no other members.
Processes that it starts may leave the group, even for a session of their own, and may lose their
parent; they are then found below the supervisor.

A player may have killed its supervisor and the fork server, which end all its processes otherwise.
Every process that it starts inherits a token in its environment. A daemon that left its session and
its parent still has it, so a search of ``/proc`` finds it.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack, suppress

from ludograph.hosting.sandbox.control_group import PAGE, ControlGroup

SWEEPS = 200
"""The number of searches for processes that are not suspended yet: each may have started others."""


WAIT = 0.0005
"""Seconds between two checks of a process that is not stopped yet: until it is, it may end, and
leave a child of its own to others."""


CROWD = 32 + 4 * (os.cpu_count() or 1)
"""A player with more threads is a *crowd*: no program needs more on this machine."""


class CannotSuspend(Exception):
    """New processes come faster than they can be suspended."""


class ProcessTree:
    """The processes below a supervisor.

    Parameters
    ----------
    supervisor
        The supervisor's process, not one of the tree.
    first
        The player's first process, which leads a process group.
    control
        Their control group, if there is one.

    Attributes
    ----------
    suspended
        Whether they have been stopped.
    others
        The stopped processes beside the first one, without a control group.
    """

    def __init__(self, supervisor: int, first: int, control: ControlGroup | None) -> None:
        self.supervisor, self.first, self.control = supervisor, first, control
        self.suspended = False
        self.others: list[int] = []
        self._seen = b""
        self._files: tuple[int, int, int] | None = None
        with ExitStack() as opened, suppress(OSError):  # it has ended already
            files = []
            for path in (
                f"{first}/task",
                f"{first}/task/{first}/children",
                f"{supervisor}/task/{supervisor}/children",
            ):
                files.append(os.open(f"/proc/{path}", os.O_RDONLY | os.O_CLOEXEC))
                opened.callback(os.close, files[-1])
            self._files = files[0], files[1], files[2]
            opened.pop_all()

    def processes(self) -> list[int]:
        """Return all of them."""
        return descendants(self.supervisor)

    def threads(self) -> list[int]:
        """Return the threads of all of them; at least five hundred if a group has more."""
        if self.control is not None:
            return [int(number) for number in self.control.threads().split()]
        return [int(number) for one in self.processes() for number in threads(one)]

    def has_changed(self) -> bool:
        """Tell whether there may be new threads since the last call: cheap if they are few.

        A process may have started others long before the next call, and these may have run in
        earlier turns.
        """
        if self.control is None:
            return not self.is_alone()
        before, self._seen = self._seen, self.control.threads()
        return self._seen != before or len(self._seen) > PAGE // 2

    def is_crowd(self) -> bool:
        """Tell whether there are more threads than a player needs: cheap for any number.

        A check of each thread would take long while they keep all processors busy.
        """
        if self.control is not None:
            return self.control.threads().count(b"\n") > CROWD
        return not self.is_alone() and has_more_threads(self.supervisor, CROWD)

    def is_alone(self) -> bool:
        """Tell whether the first process is one thread without children: cheap."""
        if self._files is None:
            return False
        tasks, children, kept = self._files
        try:
            if os.fstat(tasks).st_nlink != 3 or os.pread(children, 1, 0):
                return False
            return len(os.pread(kept, 64, 0).split()) == 1
        except OSError:
            return False

    def suspend(self) -> None:
        """Stop them all.

        Raises
        ------
        CannotSuspend
            If they start others faster than these are stopped.
        """
        self.suspended = True
        if self.control is not None:
            self.control.freeze()
            return
        self.others = []
        self._group(signal.SIGSTOP)
        if self.is_alone():
            return
        stopped = {self.first}
        settled = False
        for _ in range(SWEEPS):
            found = [process for process in self.processes() if process not in stopped]
            if not found and settled:
                self.others = [process for process in stopped if process != self.first]
                return
            for process in found:
                send(process, signal.SIGSTOP)
            stopped.update(found)
            settled = not found and all(map(stands_still, stopped))  # then search once more
            if not found and not settled:
                time.sleep(WAIT)
        self.others = list(stopped)
        if found:
            raise CannotSuspend

    def resume(self) -> None:
        """Let them all run again."""
        self.suspended = False
        self._group(signal.SIGCONT)  # another process may have stopped it
        for process in self.others:
            send(process, signal.SIGCONT)
        if self.control is not None:  # last: a process that stops itself now must stay stopped
            self.control.thaw()

    def _group(self, number: signal.Signals) -> None:
        if self.first > 0:  # otherwise it ended before its number was sent
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.first, number)

    def close(self) -> None:
        """Close the files."""
        for file in self._files or ():
            os.close(file)
        self._files = None


def stands_still(process: int) -> bool:
    """Tell whether a process is stopped, or gone."""
    return state_of(process) in ("T", "t", "Z", "X", "")


def send(process: int, number: signal.Signals) -> None:
    """Send a signal to a process that may be gone."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def descendants(root: int) -> list[int]:
    """Return the processes below one, parents before their children."""
    found = children(root)
    for process in found:  # the list grows during the loop
        found += children(process)
    return found


def children(process: int) -> list[int]:
    """Return the processes that were started by any thread of one, or were left to it."""
    found: list[int] = []
    for thread in threads(process):
        try:
            with open(f"/proc/{process}/task/{thread}/children", "rb", buffering=0) as file:
                found += map(int, file.read(1 << 16).split())
        except OSError:
            continue  # it has ended
    return found


def has_more_threads(root: int, most: int) -> bool:
    """Tell whether the processes below one have more than ``most`` threads; stop counting there."""
    count, found = 0, children(root)
    for process in found:  # the list grows during the loop
        count += len(threads(process))
        if max(count, len(found)) > most:
            return True
        found += children(process)
    return False


def threads(process: int | str) -> list[str]:
    """Return the numbers of a process's threads; none if it is gone."""
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


def lists_children() -> bool:
    """Tell whether this kernel lists the children of a process (``CONFIG_PROC_CHILDREN``)."""
    return os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def state_of(process: int | str) -> str:
    """Return ``R`` for a process that runs or waits to, ``T`` for a stopped one; empty if gone."""
    fields = fields_of(process)
    return fields[0].decode() if fields else ""


def fields_of(process: int | str) -> list[bytes]:
    """Return the fields of a process's ``stat`` after its name; none if it is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb", buffering=0) as file:
            return file.read(1 << 12).rpartition(b")")[2].split()
    except OSError:
        return []


TOKEN = "LUDOGRAPH_PLAYER"
ROUNDS = 200


def bearers(token: str) -> list[int]:
    """Return the processes of this user with a token in their environment; zombies have none."""
    needle = f"{TOKEN}={token}".encode()
    others = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    others.remove(os.getpid())
    return [process for process in others if needle in environment(process)]


def environment(process: int) -> list[bytes]:
    """Return the variables of a process; none if it belongs to another user, or has ended.

    If its first thread has ended before others, only these have them.
    """
    for thread in threads(process):
        with (
            suppress(OSError),
            open(f"/proc/{process}/task/{thread}/environ", "rb", buffering=0) as file,
        ):
            if text := file.read(1 << 20):
                return text.split(b"\0")
    return []


def kill_all(token: str) -> int:
    """Kill every process with a token; return the number of processes found.

    Notes
    -----
    The search is repeated until it finds nothing, because a process may fork before it is killed;
    the processes found are stopped before any is killed, so that they cannot fork.
    """
    total = 0
    for _ in range(ROUNDS):
        found = bearers(token)
        if not found:
            break
        total += len(found)
        for process in found:
            send(process, signal.SIGSTOP)
        for process in found:
            send(process, signal.SIGKILL)
        time.sleep(0.001)
    return total
