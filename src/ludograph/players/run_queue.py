"""How long processes have run, and how long they have waited for a processor, as the kernel counts.

A thread waits in a *run queue* while others have the processors. Such time is not the player's,
and the kernel tells it for each thread, in ``/proc/PID/task/TID/schedstat``: nanoseconds run,
nanoseconds waited, as counted when it came to run again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from ludograph.players.descent import state_of, threads

NANO = 1e-9


class Counted(NamedTuple):
    """Seconds of a thread since its birth."""

    ran: float
    waited: float


class Thread:
    """One thread of a player: its counts, and those at the beginning of a turn."""

    def __init__(self, process: int, thread: str) -> None:
        self.process = process
        self.where = f"{process}/task/{thread}"
        self.main = str(process) == thread
        self._file = os.open(f"/proc/{self.where}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self.before = self.now = Counted(0.0, 0.0)

    def read(self) -> bool:
        """Take the counts as they are now; return False if the thread is gone."""
        try:
            ran, waited, _ = os.pread(self._file, 96, 0).split()
        except (OSError, ValueError):
            return False
        self.now = Counted(int(ran) * NANO, int(waited) * NANO)
        return True

    def turn(self) -> Counted:
        """Return the seconds since the turn began."""
        return Counted(self.now.ran - self.before.ran, self.now.waited - self.before.waited)

    def close(self) -> None:
        """Look no more."""
        os.close(self._file)


class Waiting:
    """What a player's threads have waited for a processor in a turn.

    Parameters
    ----------
    process
        The one that is asked for the move; others come out of it.
    """

    def __init__(self, process: int) -> None:
        self.process = process
        self._threads: dict[str, Thread] = {}
        self._found([process])
        self._used = 0.0

    def begin(self) -> None:
        """Begin a turn: what was counted before is no matter any more."""
        for thread in self._threads.values():
            thread.read()
            thread.before = thread.now

    def look(self, processes: Iterable[int]) -> None:
        """Take the counts of all threads of these processes, new ones with all that they have."""
        self._found(processes)
        for where, thread in list(self._threads.items()):
            if not thread.read():
                thread.close()
                del self._threads[where]

    def _found(self, processes: Iterable[int]) -> None:
        for process in processes:
            for number in threads(process):
                if f"{process}/task/{number}" not in self._threads:
                    with suppress(OSError):  # it ended meanwhile
                        thread = Thread(process, number)
                        self._threads[thread.where] = thread

    def others_fault(self, passed: float) -> float:
        """Return the seconds of a turn that the player has waited because of others.

        That is what the thread that is asked has waited, and the one that it may have handed the
        question on to, less all that the player's other threads have run: for these it waited by
        its own doing. So a player gains nothing by keeping the processors busy itself.

        Parameters
        ----------
        passed
            Seconds since the turn began.
        """
        asked = helper = Counted(0.0, 0.0)
        ran = 0.0
        for thread in self._threads.values():
            turn = thread.turn()
            ran += turn.ran
            if thread.main and thread.process == self.process:
                asked = turn
            elif turn.waited > helper.waited:
                helper = turn
        both = asked.ran + helper.ran
        waited = min(asked.waited + helper.waited, passed - both)  # one after the other, no more
        return max(0.0, waited - (ran - both))

    def ran(self) -> float:
        """Return the least seconds that all which has run needs, were it alone on the machine."""
        turns = [thread.turn().ran for thread in self._threads.values()]
        return max(max(turns, default=0.0), sum(turns) / len(os.sched_getaffinity(0)))

    def is_held_up(self) -> bool:
        """Tell whether the player wants to run, and has not since the last such question.

        How long it has been waiting by now the kernel counts only when it runs again.
        """
        before, self._used = self._used, self._processor_time()
        if self._used - before > 1e-4:
            return False
        return self.wants_to_run()

    def is_stopped(self) -> bool:
        """Tell whether the process that is asked has been stopped by a signal."""
        return state_of(self.process) == "T"

    def wants_to_run(self) -> bool:
        """Tell whether any thread runs or waits for a processor."""
        return any(state_of(where) == "R" for where in self._threads)

    def _processor_time(self) -> float:
        """Return the processor time of the player's processes, to the nanosecond."""
        total = 0.0
        for process in {thread.process for thread in self._threads.values()}:
            with suppress(OSError):  # it has ended
                total += time.clock_gettime((~process << 3) | 2)
        return total

    def close(self) -> None:
        """Look no more."""
        while self._threads:
            self._threads.popitem()[1].close()
