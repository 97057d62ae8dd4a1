"""All processes of a player: found, suspended between its moves, resumed.

Where they have a control group, they are frozen in it, with whatever they are about to start.

Elsewhere they are signaled. Most players are one process, whose process group is all of them. What
it has started may have left that, for a session of its own too, and may have no parent any more; it
is found below the keeper then.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack, suppress

from ludograph.hosting.process_listing import (
    FULL_LISTS,
    descendants,
    has_more_threads,
    state_of,
    threads,
)
from ludograph.hosting.sandbox.control_group import PAGE, ControlGroup

SWEEPS = 200
"""Looks for processes that are not suspended yet, each of which may have started others."""


WAIT = 0.0005
"""Seconds between two looks at a process that has not obeyed yet: until it does, it may end, and
leave a child of its own to others."""


CROWD = 32 + 4 * (os.cpu_count() or 1)
"""A player with more threads is a crowd: no program needs more on this machine."""


class CannotSuspend(Exception):
    """New processes come faster than they can be suspended."""


class Family:
    """The processes below a keeper.

    Parameters
    ----------
    keeper
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

    def __init__(self, keeper: int, first: int, control: ControlGroup | None = None) -> None:
        self.keeper, self.first, self.control = keeper, first, control
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
                    f"{keeper}/task/{keeper}/children",
                ):
                    files.append(os.open(f"/proc/{path}", os.O_RDONLY | os.O_CLOEXEC))
                    opened.callback(os.close, files[-1])
                self._files = files[0], files[1], files[2]
                opened.pop_all()

    def processes(self) -> list[int]:
        """Return all of them."""
        return descendants(self.keeper)

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
        return not self.is_alone() and has_more_threads(self.keeper, CROWD)

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
