"""What the kernel counts: the running and waiting of threads, processor time, stolen time.

Each count here is one that the kernel keeps, and what it is known to lack.
:mod:`ludograph.hosting.turn_time` computes a player's own time of a turn with them.

=================  ===================================  ==============================
class              its source                           what is missing there
=================  ===================================  ==============================
`Thread`           ``/proc/PID/task/TID/schedstat``     threads that have ended
`GroupTime`        ``usage_usec`` in ``cpu.stat``       nothing; needs a control group
`ProcessTimes`     clocks of processes, and ``stat``    some processes that have ended
`StealTime`        ``steal`` in ``/proc/stat``          up to a tick
=================  ===================================  ==============================

A count of a thread or a group may be as old as the last tick while it runs.

Notes
-----
The pressure of a control group (``cpu.pressure``) does not replace the counts of threads. The
kernel averages it over the processors, weighted by how busy each was with the group, so what a
process waited before it moved to another processor may be missing. Measured with one process that
runs a millisecond at a time beside two busy loops on two cores, Linux 6.18: of 346 turns with a
wait of over 1 ms half were off by 13 µs at most, 92 by over 1 ms, the worst by 56 ms, and in 64
there was no pressure at all. ``some`` also counts what a player's threads wait for each other: two
on one processor with 20 ms of work each had 29 ms of it at their own expense. ``full`` counts
nothing while any thread of the player runs. To read it takes twice as long as to read the counts of
a thread.
"""

from __future__ import annotations

import math
import os
import time
from contextlib import suppress
from typing import NamedTuple

from ludograph.hosting.process_tree import ProcessTree, fields_of
from ludograph.hosting.sandbox.control_group import ControlGroup

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
"""Seconds of one tick, in which the kernel counts stolen time and the time of ended children."""

NANO = 1e-9
NEVER = math.inf

NICE, POLICY = 16, 38
"""The places, after a thread's name, of its priority and of its scheduling policy."""

IDLE = b"5"
"""The scheduling policy of threads that get only unused processor time."""

CHILDREN = 13
"""The place, after a process's name, of its children's user time; their system time is next."""

UNSURE = 2 * TICK
"""Seconds by which the time of a process's children may be too great in a turn: it is counted in
ticks, separately for system and user time."""

UNNOTICED = 0.02
"""Seconds that processes may run while they are suspended: a signal takes a moment to stop them."""

OF_PROCESS = 2
"""The last bits of the number of a process's clock of processor time."""

STEAL = 8
"""The index of stolen time in the line of a processor."""

LONGEST = 1 << 16
"""The bytes to read of ``/proc/stat``; the lines of processors come first."""

FRESH = 0.1
"""Seconds for which a count of stolen time is fresh enough for the beginning of a turn."""

HANDS = 2
"""The number of processors that a question may use one after the other: where it arrives, and where
it is passed on to. Time stolen from other processors does not matter to a player."""


class Counted(NamedTuple):
    """Seconds that a thread has run, and waited in a run queue while others had the processors."""

    ran: float
    waited: float


NOTHING = Counted(0.0, 0.0)


def opened(path: str) -> int:
    """Return a descriptor of a file of counts; -1 if this kernel has no such file."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def counts_in(file: int) -> Counted:
    """Return the counts in a ``schedstat``; raise OSError or ValueError if the thread is gone."""
    ran, waited, _ = os.pread(file, 96, 0).split()
    return Counted(int(ran) * NANO, int(waited) * NANO)


class Thread:
    """One thread of a player: its counts in a turn, and what they lack while it waits.

    The kernel counts the waiting of a thread only when it runs again.

    Attributes
    ----------
    gives_way
        Whether it has lowered its priority: then its waiting counts as its own time.
    """

    def __init__(self, number: int, when: float = 0.0) -> None:
        self._place = f"{number}/task/{number}"
        self._file = os.open(f"/proc/{self._place}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self.before = self.now = NOTHING
        self.gives_way = False
        self._looked = self._stopped = when
        self._queued = NEVER

    def begin(self, when: float) -> None:
        """Begin a turn."""
        self._read()
        self.before = self.now
        self._looked = self._stopped = when
        self._queued = NEVER

    def look(self, when: float) -> bool:
        """Read the present counts; return False if the thread is gone."""
        seen = self.now
        if not self._read():
            return False
        if self.now != seen:  # it has run, and has not stopped before that
            ran_and_waited = sum(self.now) - sum(seen)
            self._stopped = self._looked + ran_and_waited
            self._queued = NEVER
        self._looked = when
        fields = fields_of(self._place)
        self._queued = min(self._queued, when) if fields[:1] == [b"R"] else NEVER
        self.gives_way = self.gives_way or gives_way(fields)
        return True

    def turn(self) -> Counted:
        """Return the seconds since the turn began."""
        waited = 0.0 if self.gives_way else self.now.waited - self.before.waited
        return Counted(self.now.ran - self.before.ran, waited)

    def at_least(self) -> Counted:
        """Return the same, and what it has waited at least since then if it has now ended."""
        return self._waiting_since(self._queued)

    def by_now(self) -> Counted:
        """Return the same, and what it may have waited since it last ran."""
        return self._waiting_since(self._stopped)

    def _waiting_since(self, when: float) -> Counted:
        ran, waited = self.turn()
        if self.wants_to_run():
            waited += max(0.0, self._looked - when)
        return Counted(ran, waited)

    def wants_to_run(self) -> bool:
        """Tell whether it ran or waited for a processor at the last look, with normal priority."""
        return self._queued < NEVER and not self.gives_way

    def _read(self) -> bool:
        try:
            self.now = counts_in(self._file)
        except (OSError, ValueError):
            return False
        return True

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def gives_way(fields: list[bytes]) -> bool:
    """Tell whether a thread has a lower priority than this process, by its ``stat``."""
    if len(fields) <= POLICY:  # it has ended
        return False
    lower = int(fields[NICE]) > os.getpriority(os.PRIO_PROCESS, 0)
    return lower or fields[POLICY] == IDLE


class GroupTime:
    """The time that all processes of a control group have run, ended ones too."""

    def __init__(self, control: ControlGroup) -> None:
        self._control = control
        self._before = self._now = 0.0

    def begin(self, *, changed: bool) -> float:  # noqa: ARG002  (the kernel knows all)
        """Begin a turn; return 0, the seconds that a frozen group has run."""
        self._before = self._read()
        return 0.0

    def ran(self) -> float:
        """Return the seconds that all have run in this turn."""
        return self._read() - self._before

    def rest(self) -> None:
        """Do nothing: a frozen group runs nothing."""

    def _read(self) -> float:
        now = self._control.ran()
        self._now = self._now if now is None else now  # the group is gone, with all its processes
        return self._now


class Used(NamedTuple):
    """Seconds that a process has run, and those of its children that it has waited for."""

    own: float
    children: float


class ProcessTimes:
    """The least time that all of a player's processes have run, without a control group.

    The kernel adds a process's time to that of its parent when the parent has waited for its end.
    The time of a process that was measured during its life is stored. The time of children counts
    from the first reading, when the player seems to be late: an earlier reading would slow down
    every move.
    """

    def __init__(self, tree: ProcessTree) -> None:
        self._tree = tree
        self._rested: dict[int, float] | None = None
        self._before: dict[int, float] = {}
        self._children: dict[int, float] = {}
        self._now: dict[int, Used] = {}
        self._ended = 0.0

    def begin(self, *, changed: bool) -> float:
        """Begin a turn; return the seconds that all have run while they were suspended.

        Parameters
        ----------
        changed
            See :meth:`ProcessTree.has_changed`; if not, the first process is the only one.
        """
        self._before = clocks(self._tree.processes() if changed else [self._tree.first])
        rested, self._rested = self._rested, None
        self._children, self._now, self._ended = {}, {}, 0.0
        if rested is None:
            return 0.0
        since = sum(ran - rested.get(process, 0.0) for process, ran in self._before.items())
        return since if since > UNNOTICED else 0.0

    def ran(self) -> float:
        """Return the least seconds that all have run in this turn."""
        seen, self._now = self._now, self._turns()
        self._ended += sum(sum(turn) for one, turn in seen.items() if one not in self._now)
        # A measured process that has ended may be in its parent's time: count it only once.
        children = max(self._ended, sum(turn.children for turn in self._now.values()))
        return children + sum(turn.own for turn in self._now.values())

    def rest(self) -> None:
        """Note the present counts: a timer of the process itself can wake it with a signal."""
        self._rested = clocks([self._tree.first, *self._tree.others])

    def _turns(self) -> dict[int, Used]:
        """Return the least seconds that each living process has run in this turn."""
        found = {}
        for process, ran in clocks(self._tree.processes()).items():
            fields = fields_of(process)
            if fields:  # otherwise it has ended meanwhile
                children = (int(fields[CHILDREN]) + int(fields[CHILDREN + 1])) * TICK
                known = process in self._before
                before = self._children.setdefault(process, children if known else 0.0)
                own = ran - self._before.get(process, 0.0)
                found[process] = Used(own, max(0.0, children - before - UNSURE))
        return found


def clocks(processes: list[int]) -> dict[int, float]:
    """Return the seconds that each of these has run with all its threads, if it is not gone."""
    found = {}
    for process in processes:
        with suppress(OSError):
            found[process] = time.clock_gettime((~process << 3) | OF_PROCESS)
    return found


class Stolen(NamedTuple):
    """Seconds taken from the :data:`HANDS` processors that lost most, and from the worst."""

    total: float
    most: float


class StealTime:
    """The processor time that the host of this virtual machine has taken from it in a turn.

    A virtual processor stands still while its host uses the real one for others. A thread on it
    then neither runs nor waits in a queue, so its own counts do not show this time, or show it as
    running.

    Parameters
    ----------
    path
        The file of the kernel's counts.
    """

    def __init__(self, path: str = "/proc/stat") -> None:
        self._file = opened(path)
        self._before = self._now = self._ticks()
        self._looked = time.perf_counter()

    def begin(self, now: float) -> None:
        """Begin a turn now, or up to :data:`FRESH` earlier."""
        if now - self._looked > FRESH:
            self._before = self._now = self._ticks()
            self._looked = now

    def since(self) -> Stolen:
        """Return the seconds taken in this turn."""
        self._now = self._ticks()
        grown = [now - before for now, before in zip(self._now, self._before, strict=False)]
        worst = sorted(grown)[-HANDS:]
        return Stolen(sum(worst) * TICK, max(grown, default=0) * TICK)

    @property
    def uncertainty(self) -> float:
        """The seconds that may be missing in :meth:`since`; 0 if the host never takes time."""
        return TICK if any(self._now) else 0.0

    def _ticks(self) -> list[int]:
        """Return the count of every processor."""
        if self._file < 0:
            return []
        text = os.pread(self._file, LONGEST, 0)
        lines = (line.split() for line in text.splitlines() if line.startswith(b"cpu"))
        return [int(line[STEAL]) for line in lines if line[0] != b"cpu" and len(line) > STEAL]

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
