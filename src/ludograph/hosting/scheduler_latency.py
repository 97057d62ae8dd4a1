"""Scheduler latency: the time that a player's threads waited while others had the processors.

Such time is not the player's. What they waited for each other is: they could have had it otherwise.

A thread waits in a *run queue* while others have the processors. The kernel tells it for each, in
``/proc/PID/task/TID/schedstat``: nanoseconds run, nanoseconds waited, as counted when it came to
run again. Of threads that have ended it tells nothing.

Notes
-----
A control group has one figure of the kind, the pressure in its ``cpu.pressure``, which does not
replace these counts. The kernel averages it over the processors, weighted by how busy each was with
the group, so what a process waited before it moved to another processor may be missing. Measured
with one process that runs a millisecond at a time beside two busy loops on two cores, Linux 6.18:
of 346 turns with a wait of over 1 ms half were off by 13 µs at most, 92 by over 1 ms, the worst by
56 ms, and in 64 there was no pressure at all. ``some`` also counts what a player's threads wait for
each other: two on one processor with 20 ms of work each had 29 ms of it at their own expense.
``full`` counts nothing while any thread of the player runs. To read it takes twice as long as to
read the counts of a thread.
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
"""Seconds of waiting that are worth asking whose will it was."""

NEVER = math.inf

NICE, POLICY = 16, 38
"""Places, after a thread's name, of its priority and of the rule by which it gets a processor."""

IDLE = b"5"
"""The rule by which a thread gets what nobody else wants."""


class Counted(NamedTuple):
    """Seconds of a thread since its birth."""

    ran: float
    waited: float


NOTHING = Counted(0.0, 0.0)


class Thread:
    """One thread of a player: its counts, and those at the beginning of a turn.

    Attributes
    ----------
    gives_way
        Whether it leaves the processors to others by its own will: what it waits is its own then.
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
        """Take the counts as they are now; return False if the thread is gone."""
        seen, looked = self.now, self._looked
        if not self._read():
            return False
        if self.now.ran > seen.ran:  # since that look it may have stood, but not before
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
        """Return the same with what it had waited when it was last looked at, but for a tick.

        The kernel counts that when the thread runs again, after which it may have ended at once.
        """
        ran, waited = self.turn()
        standing = 0.0 if self.gives_way else max(0.0, self._looked - self._ready)
        return Counted(ran, waited + standing)

    def by_now(self) -> Counted:
        """Return the same with what it may have waited, and is not counted until it runs again.

        It is known only between which looks it has ceased to run.
        """
        ran, waited = self.turn()
        if not self.wants_to_run():
            return Counted(ran, waited)
        counted = (self.now.ran - self._then.ran) + (self.now.waited - self._then.waited)
        return Counted(ran, waited + max(0.0, self._looked - self._stood_at - counted))

    def wants_to_run(self) -> bool:
        """Tell whether it runs or waits for a processor, and would take one like any other."""
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
        """Look no more."""
        os.close(self._file)


def gives_way(number: int, fields: list[bytes]) -> bool:
    """Tell whether a thread gives way to others more than this process does.

    Parameters
    ----------
    fields
        What its ``stat`` tells after the name.
    """
    if len(fields) > POLICY:
        lower = int(fields[NICE]) > os.getpriority(os.PRIO_PROCESS, 0)
        if lower or fields[POLICY] == IDLE:
            return True
    return nice_of_session(number) > nice_of_session("self")


def nice_of_session(process: int | str) -> int:
    """Return how far all of a process's session gives way to others; 0 if it has no say in that."""
    try:
        with open(f"/proc/{process}/autogroup", "rb", buffering=0) as file:
            return int(file.read(96).split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


WATCHED = 256
"""Threads at a time whose counts are taken: each keeps a file open."""


def others_fault(
    passed: float, asked: Counted, helper: Counted, living: float, ended: Counted, processors: int
) -> float:
    """Return the seconds of a turn that a player has waited because of others.

    That is what the thread that is asked has waited, and the one that it may have handed the
    question on to, less all that the player's other threads have run: for these it waited by its
    own doing. So a player gains nothing by keeping the processors busy itself.

    Threads that have ended may have run, or waited, while those two slept: who starts one program
    after another, and waits for its end, has not kept itself from a processor. What they ran is
    taken off as far as there were too few processors for that; so whatever they waited, a turn
    never takes less than what all in it have run needs on all processors.

    Parameters
    ----------
    passed
        Seconds since the turn began.
    asked, helper
        What the two threads have run and waited.
    living
        What others have run that live.
    ended
        What those that have ended have run, and waited as far as it was seen, all together.
    processors
        Of the machine.
    """
    both = asked.ran + helper.ran
    waited = asked.waited + helper.waited + ended.waited
    waited = max(0.0, min(waited, passed - both))  # one after the other, no more
    slept = max(0.0, passed - both - waited)
    return max(0.0, waited - living - max(0.0, ended.ran - processors * slept))


class SchedulerLatency:
    """What a player's threads have run, and waited for a processor, in a turn.

    Parameters
    ----------
    process
        The one that is asked for the move; others come out of it.
    """

    def __init__(self, process: int) -> None:
        self.process = process
        self._threads: dict[int, Thread] = {}
        self._ended = NOTHING  # all together
        self._longest = 0.0  # that one of them has run
        self._looked = self._total = self._used = 0.0
        self._find([process])

    def begin(self, when: float) -> None:
        """Begin a turn: what was counted before is no matter any more."""
        self._looked, self._total, self._used = when, 0.0, 0.0
        self._ended, self._longest = NOTHING, 0.0
        for thread in self._threads.values():
            thread.begin(when)

    def look(self, threads: Iterable[int], total: float, when: float) -> None:
        """Take the counts of these threads, new ones with all that they have.

        Parameters
        ----------
        total
            What all have run in this turn, those that have ended too; taken just before.
        when
            The moment.
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
            Whether what threads may have waited that do so at this moment is added: at most that.
        """
        turns = {n: one.by_now() if by_now else one.turn() for n, one in self._threads.items()}
        asked = turns.pop(self.process, NOTHING)
        living = sum(turn.ran for turn in turns.values())
        ended = Counted(self._total - asked.ran - living, self._ended.waited)
        helper = max(turns.values(), key=lambda turn: turn.waited, default=NOTHING)
        helper = helper if helper.waited > 0.0 else NOTHING
        processors = len(os.sched_getaffinity(0))
        return others_fault(passed, asked, helper, living - helper.ran, ended, processors)

    def ran(self) -> float:
        """Return the least seconds that all which has run needs, were it alone on the machine."""
        longest = max((thread.turn().ran for thread in self._threads.values()), default=0.0)
        longest = max(longest, self._longest)
        return max(longest, self._total / len(os.sched_getaffinity(0)))

    def is_held_up(self) -> bool:
        """Tell whether the player wants to run, and has not since the last such question.

        How long it has been waiting by now the kernel counts only when it runs again.
        """
        used, self._used = self._used, self._total
        if self._total - used > NOTICED:
            return False
        return any(thread.wants_to_run() for thread in self._threads.values())

    def is_stopped(self) -> bool:
        """Tell whether the process that is asked has been stopped by a signal."""
        return state_of(self.process) == "T"

    def close(self) -> None:
        """Look no more."""
        while self._threads:
            self._threads.popitem()[1].close()
