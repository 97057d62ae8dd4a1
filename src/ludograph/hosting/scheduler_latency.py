"""Scheduler latency: the time that a player's threads waited while others had the processors.

Such time does not count as the player's. Time that its threads waited for each other does: the
player could have avoided it.

A thread waits in a *run queue* while others have the processors. The kernel reports it for each
thread in ``/proc/PID/task/TID/schedstat``: nanoseconds run, and nanoseconds waited, updated when
the thread runs again. It reports nothing of ended threads.

Notes
-----
A control group has one such figure, the pressure in its ``cpu.pressure``, which does not replace
these counts. The kernel averages it over the processors, weighted by how busy each was with the
group, so what a process waited before it moved to another processor may be missing. Measured with
one process that runs a millisecond at a time beside two busy loops on two cores, Linux 6.18: of 346
turns with a wait of over 1 ms half were off by 13 µs at most, 92 by over 1 ms, the worst by 56 ms,
and in 64 there was no pressure at all. ``some`` also counts what a player's threads wait for each
other: two on one processor with 20 ms of work each had 29 ms of it at their own expense. ``full``
counts nothing while any thread of the player runs. To read it takes twice as long as to read the
counts of a thread.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from ludograph.hosting.process_tree import fields_of, state_of

NANO = 1e-9

NOTICED = 1e-4
"""The least seconds of waiting for which its cause is examined."""

NEVER = math.inf

NICE, POLICY = 16, 38
"""The places, after a thread's name, of its priority and of its scheduling policy."""

IDLE = b"5"
"""The scheduling policy of threads that get only unused processor time."""


class Counted(NamedTuple):
    """Seconds of a thread since its start."""

    ran: float
    waited: float


NOTHING = Counted(0.0, 0.0)


class Thread:
    """One thread of a player: its counts, and those at the beginning of a turn.

    Attributes
    ----------
    gives_way
        Whether it voluntarily has a lower priority: then its waiting counts as its own time.
    """

    def __init__(self, number: int, when: float = 0.0) -> None:
        self.number = number
        self._place = f"{number}/task/{number}"
        self._file = os.open(f"/proc/{self._place}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self.before = self.now = self._then = NOTHING
        self.gives_way = False
        self._looked = self._stood_at = when
        self._ready = NEVER

    def begin(self, when: float) -> None:
        """Begin a turn."""
        self._read()
        self.before = self._then = self.now
        self._looked = self._stood_at = when
        self._ready = NEVER

    def look(self, when: float) -> bool:
        """Read the present counts; return False if the thread is gone."""
        seen, looked = self.now, self._looked
        if not self._read():
            return False
        if self.now.ran > seen.ran:  # it may have been stopped after that reading, but not before
            self._then, self._stood_at = seen, looked
        self._looked = when
        fields = fields_of(self._place)
        if self.now.ran > seen.ran or fields[:1] != [b"R"]:
            self._ready = NEVER
        if fields[:1] == [b"R"]:
            self._ready = min(self._ready, when)
        if not self.gives_way and (self.turn().waited > NOTICED or self._ready < when):
            self.gives_way = gives_way(self.number, fields)
        return True

    def turn(self) -> Counted:
        """Return the seconds since the turn began."""
        waited = 0.0 if self.gives_way else self.now.waited - self.before.waited
        return Counted(self.now.ran - self.before.ran, waited)

    def at_least(self) -> Counted:
        """Return the same plus its waiting at the last reading, less a tick.

        The kernel counts this only when the thread runs again, and the thread may then have ended
        at once.
        """
        ran, waited = self.turn()
        standing = 0.0 if self.gives_way else max(0.0, self._looked - self._ready)
        return Counted(ran, waited + standing)

    def by_now(self) -> Counted:
        """Return the same plus the waiting that it may have, which counts when it runs again.

        Only the two readings between which it stopped running are known.
        """
        ran, waited = self.turn()
        if not self.wants_to_run():
            return Counted(ran, waited)
        counted = (self.now.ran - self._then.ran) + (self.now.waited - self._then.waited)
        return Counted(ran, waited + max(0.0, self._looked - self._stood_at - counted))

    def wants_to_run(self) -> bool:
        """Tell whether it runs or waits for a processor, with normal priority."""
        fields = fields_of(self._place)
        return fields[:1] == [b"R"] and not self.gives_way and not gives_way(self.number, fields)

    def _read(self) -> bool:
        try:
            ran, waited, _ = os.pread(self._file, 96, 0).split()
        except (OSError, ValueError):
            return False
        self.now = Counted(int(ran) * NANO, int(waited) * NANO)
        return True

    def close(self) -> None:
        """Close the files."""
        os.close(self._file)


def gives_way(number: int, fields: list[bytes]) -> bool:
    """Tell whether a thread has a lower priority than this process.

    Parameters
    ----------
    fields
        The fields of its ``stat`` after the name.
    """
    if len(fields) > POLICY:
        lower = int(fields[NICE]) > os.getpriority(os.PRIO_PROCESS, 0)
        if lower or fields[POLICY] == IDLE:
            return True
    return nice_of_session(number) > nice_of_session("self")


def nice_of_session(process: int | str) -> int:
    """Return the niceness of a process's whole session; 0 if the session has none."""
    try:
        with open(f"/proc/{process}/autogroup", "rb", buffering=0) as file:
            return int(file.read(96).split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


WATCHED = 256
"""The most threads measured at a time: each has an open file."""


def others_fault(
    passed: float, asked: Counted, helper: Counted, living: float, ended: Counted, processors: int
) -> float:
    """Return the seconds of a turn that a player has waited because of others.

    They are the waiting of the thread that gets the question, and of the one that it may have
    passed it to, less the time that the player's other threads have run: that waiting is the
    player's own. So a player gains nothing by keeping the processors busy itself.

    Ended threads may have run, or waited, while those two slept: a player that starts one program
    after another, and waits for its end, has not competed with itself. The time that they ran is
    subtracted only as far as there were too few processors for it. So, for any waiting, a turn
    counts at least the time that all its running needs on all processors.

    Parameters
    ----------
    passed
        Seconds since the turn began.
    asked, helper
        The times that the two threads have run and waited.
    living
        The time that other living threads have run.
    ended
        The total time that ended threads have run, and waited as far as measured.
    processors
        The number of processors that the thread asked may use.
    """
    both = asked.ran + helper.ran
    waited = asked.waited + helper.waited + ended.waited
    waited = max(0.0, min(waited, passed - both))  # at most one after the other
    slept = max(0.0, passed - both - waited)
    return max(0.0, waited - living - max(0.0, ended.ran - processors * slept))


class SchedulerLatency:
    """The times that a player's threads have run, and waited for a processor, in a turn.

    Parameters
    ----------
    process
        The process that gets the question; it may start others.
    """

    def __init__(self, process: int) -> None:
        self.process = process
        self._threads: dict[int, Thread] = {}
        self._ended = NOTHING  # all together
        self._longest = 0.0  # the time of one of them
        self._looked = self._total = self._used = 0.0
        self._find([process])

    def begin(self, when: float) -> None:
        """Begin a turn: earlier counts no longer matter."""
        self._looked, self._total, self._used = when, 0.0, 0.0
        self._ended, self._longest = NOTHING, 0.0
        for thread in self._threads.values():
            thread.begin(when)

    def look(self, threads: Iterable[int], total: float, when: float) -> None:
        """Read the counts of these threads; new ones count in full.

        Parameters
        ----------
        total
            The time that all have run in this turn, ended ones too; measured just before.
        when
            The present time.
        """
        self._find(threads)
        for number, thread in list(self._threads.items()):
            if not thread.look(when):
                ran, waited = thread.at_least()
                self._ended = Counted(self._ended.ran + ran, self._ended.waited + waited)
                self._longest = max(self._longest, ran)
                thread.close()
                del self._threads[number]
        seen = self._ended.ran + sum(thread.turn().ran for thread in self._threads.values())
        total = max(total, seen, self._total)
        self._looked, self._total = when, total

    def _find(self, threads: Iterable[int]) -> None:
        for number in threads:
            if number not in self._threads and len(self._threads) < WATCHED:
                with suppress(OSError):  # it ended meanwhile
                    self._threads[number] = Thread(number, self._looked)

    def others_fault(self, passed: float, *, by_now: bool = False) -> float:
        """Return the seconds of a turn that the player has waited because of others.

        Parameters
        ----------
        passed
            Seconds since the turn began.
        by_now
            Whether to add the greatest possible waiting of the threads that wait now.
        """
        turns = {n: one.by_now() if by_now else one.turn() for n, one in self._threads.items()}
        asked = turns.pop(self.process, NOTHING)
        living = sum(turn.ran for turn in turns.values())
        ended = Counted(self._total - asked.ran - living, self._ended.waited)
        helper = max(turns.values(), key=lambda turn: turn.waited, default=NOTHING)
        helper = helper if helper.waited > 0.0 else NOTHING
        return others_fault(passed, asked, helper, living - helper.ran, ended, self._processors())

    def _processors(self) -> int:
        """Return the number of processors for the process that gets the question.

        It may have limited itself to one, on which its other processes then keep it waiting.
        """
        processors = len(os.sched_getaffinity(0))
        try:
            return min(processors, len(os.sched_getaffinity(self.process)))
        except ProcessLookupError:  # it has ended
            return processors

    def ran(self) -> float:
        """Return the least seconds that all its running would need alone on the machine."""
        longest = max((thread.turn().ran for thread in self._threads.values()), default=0.0)
        longest = max(longest, self._longest)
        return max(longest, self._total / len(os.sched_getaffinity(0)))

    def is_held_up(self) -> bool:
        """Tell whether the player wants to run, and has not run since the last call.

        The kernel counts its present waiting only when it runs again.
        """
        used, self._used = self._used, self._total
        if self._total - used > NOTICED:
            return False
        return any(thread.wants_to_run() for thread in self._threads.values())

    def is_stopped(self) -> bool:
        """Tell whether a signal has stopped the process that gets the question."""
        return state_of(self.process) == "T"

    def close(self) -> None:
        """Close the files."""
        while self._threads:
            self._threads.popitem()[1].close()
