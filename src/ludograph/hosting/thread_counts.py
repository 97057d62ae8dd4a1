"""How long a thread has run, and how long it has waited for a processor, as the kernel counts.

A thread waits in a *run queue* while others have the processors. The kernel tells it for each, in
``/proc/PID/task/TID/schedstat``: nanoseconds run, nanoseconds waited, as counted when it came to
run again. Of threads that have ended it tells nothing.
"""

from __future__ import annotations

import math
import os
from typing import NamedTuple

from ludograph.hosting.process_tree import fields_of

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
