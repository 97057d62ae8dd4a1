"""The tree of a player's processes: found, suspended between its moves, resumed.

Where they have a control group, they are frozen in it, with whatever they are about to start.

Elsewhere they are signaled. Most players are one process, whose process group is all of them. What
it has started may have left that, for a session of its own too, and may have no parent any more; it
is found below the supervisor then.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack, suppress

from ludograph.hosting.sandbox.control_group import PAGE, ControlGroup

FULL_LISTS = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
"""Whether this kernel lists a process's children; else all processes have to be looked at."""

SWEEPS = 200
"""Looks for processes that are not suspended yet, each of which may have started others."""


WAIT = 0.0005
"""Seconds between two looks at a process that has not obeyed yet: until it does, it may end, and
leave a child of its own to others."""


CROWD = 32 + 4 * (os.cpu_count() or 1)
"""A player with more threads is a crowd: no program needs more on this machine."""


class CannotSuspend(Exception):
    """New processes come faster than they can be suspended."""


class ProcessTree:
    """The processes below a supervisor.

    Parameters
    ----------
    supervisor
        It is not one of them.
    first
        The player's first process, which leads a process group.
    control
        The control group of all, where they have one.

    Attributes
    ----------
    suspended
        Whether they have been told to stop.
    """

    def __init__(self, supervisor: int, first: int, control: ControlGroup | None = None) -> None:
        self.supervisor, self.first, self.control = supervisor, first, control
        self.suspended = False
        self._others: list[int] = []
        self._seen = b""
        self._files: tuple[int, int, int] | None = None
        if FULL_LISTS:
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
        """Return the threads of all of them; of a thousand in a group at least five hundred."""
        if self.control is not None:
            return [int(number) for number in self.control.threads().split()]
        return [int(number) for one in self.processes() for number in threads(one)]

    def has_changed(self) -> bool:
        """Tell whether threads may have come since the last such question: cheap, where few are.

        A process may have started others long before it is asked for them again, and these may have
        run in turns that are over.
        """
        if self.control is None:
            return not self.is_alone()
        before, self._seen = self._seen, self.control.threads()
        return self._seen != before or len(self._seen) > PAGE // 2

    def is_crowd(self) -> bool:
        """Tell whether there are more threads than a player needs: cheap, however many there are.

        To look at each of them takes long while they keep all processors busy.
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
        self._group(signal.SIGSTOP)
        if self.is_alone():
            return
        stopped = {self.first}
        settled = False
        for _ in range(SWEEPS):
            found = [process for process in self.processes() if process not in stopped]
            if not found and settled:
                self._others = [process for process in stopped if process != self.first]
                return
            for process in found:
                send(process, signal.SIGSTOP)
            stopped.update(found)
            settled = not found and all(map(stands_still, stopped))  # then look once more
            if not found and not settled:
                time.sleep(WAIT)
        self._others = list(stopped)
        if found:
            raise CannotSuspend

    def resume(self) -> None:
        """Let them all run again."""
        self.suspended = False
        self._group(signal.SIGCONT)  # somebody else may have stopped it
        for process in self._others:
            send(process, signal.SIGCONT)
        if self.control is not None:  # last: what stops itself now is not to be woken
            self.control.thaw()

    def _group(self, number: signal.Signals) -> None:
        if self.first > 0:  # else it had ended before its number could be told
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.first, number)

    def close(self) -> None:
        """Look no more."""
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
    if not FULL_LISTS:
        return by_parents(root)
    found = children(root)
    for process in found:  # it grows on the way
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
            continue  # it ended meanwhile
    return found


def has_more_threads(root: int, most: int) -> bool:
    """Tell whether the processes below one have more threads than these; look at no more."""
    if not FULL_LISTS:
        return sum(len(threads(process)) for process in by_parents(root)) > most
    count, found = 0, children(root)
    for process in found:  # it grows on the way
        count += len(threads(process))
        if max(count, len(found)) > most:
            return True
        found += children(process)
    return False


def threads(process: int) -> list[str]:
    """Return the numbers of a process's threads; none if it is gone."""
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


def by_parents(root: int) -> list[int]:
    """Return the processes below one, from the parents of all that there are."""
    below: dict[int, list[int]] = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        fields = fields_of(entry)
        if fields:  # else it ended meanwhile
            below.setdefault(int(fields[1]), []).append(int(entry))
    found = list(below.get(root, []))
    for process in found:  # it grows on the way
        found += below.get(process, [])
    return found


def state_of(process: int | str) -> str:
    """Return ``R`` for what runs or waits to run, ``T`` for what is stopped; empty if gone."""
    fields = fields_of(process)
    return fields[0].decode() if fields else ""


def fields_of(process: int | str) -> list[bytes]:
    """Return what ``stat`` tells of a process after its name; nothing if it is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb", buffering=0) as file:
            return file.read(1 << 12).rpartition(b")")[2].split()
    except OSError:
        return []
