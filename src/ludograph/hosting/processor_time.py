"""The processor time of all of a player's processes in a turn, with those that have ended.

A player may start one short process after another, which cannot be measured after their ends. If
the player has a control group, the kernel counts the time of all processes in it. Otherwise the
kernel adds a process's time to that of its parent when the parent has waited for its end, and the
time of a process measured during its life is stored. These are less than the true time, never more.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import NamedTuple, Protocol

from ludograph.hosting.process_tree import ProcessTree, fields_of
from ludograph.hosting.sandbox.control_group import ControlGroup

TICK = 1.0 / os.sysconf("SC_CLK_TCK")

UNSURE = 2 * TICK
"""Seconds by which the time of a process's children may be too great in a turn: it is counted in
ticks, separately for system and user time."""

CHILDREN = 13
"""The place, after a process's name, of its children's user time; their system time is next."""

OF_PROCESS = 2
"""The last bits of the number of a process's clock of processor time."""


class ProcessorTime(Protocol):
    """The processor time of all of a player's processes in a turn."""

    def begin(self, *, changed: bool) -> None:
        """Begin a turn; see :meth:`ProcessTree.has_changed` for ``changed``."""

    def ran(self) -> float:
        """Return the seconds that all have run in this turn."""

    def rest(self) -> None:
        """Note that all are suspended now, until the next turn begins."""

    def ran_suspended(self) -> float:
        """Return the seconds that all have run between the last rest and this turn."""


def processor_time(tree: ProcessTree) -> ProcessorTime:
    """Return the source of these processes' time."""
    if tree.control is None or tree.control.ran() is None:
        return OfProcesses(tree)
    return OfGroup(tree.control)


class OfGroup:
    """The time by the kernel's count for the player's control group, with ended processes."""

    def __init__(self, control: ControlGroup) -> None:
        self._control = control
        self._before = self._now = 0.0

    def begin(self, *, changed: bool) -> None:  # noqa: ARG002  (the kernel knows all)
        """Begin a turn."""
        self._before = self._read()

    def ran(self) -> float:
        """Return the seconds that all have run in this turn."""
        return self._read() - self._before

    def rest(self) -> None:
        """Do nothing: a frozen group runs nothing."""

    def ran_suspended(self) -> float:
        """Return 0."""
        return 0.0

    def _read(self) -> float:
        now = self._control.ran()
        self._now = self._now if now is None else now  # the group is gone, with all its processes
        return self._now


class Used(NamedTuple):
    """Seconds that a process has run, and those of its children that it has waited for."""

    own: float
    children: float


class OfProcesses:
    """The time by the counts of the processes: at least a lower bound.

    The time of their children counts from the first reading, when the player seems to be late: an
    earlier reading would slow down every move.
    """

    def __init__(self, tree: ProcessTree) -> None:
        self._tree = tree
        self._before: dict[int, float] = {}
        self._rested: dict[int, float] | None = None
        self._suspended = 0.0
        self._children: dict[int, float] = {}
        self._now: dict[int, Used] = {}
        self._ended = self._most = 0.0

    def begin(self, *, changed: bool) -> None:
        """Begin a turn; if nothing may have changed, the first process is the only one."""
        self._before = {}
        for process in self._tree.processes() if changed else [self._tree.first]:
            with suppress(OSError):  # it has ended
                self._before[process] = run_by(process)
        rested, self._rested = self._rested, None
        since = (ran - (rested or {}).get(process, 0.0) for process, ran in self._before.items())
        self._suspended = 0.0 if rested is None else sum(since)
        self._children, self._now = {}, {}
        self._ended = self._most = 0.0

    def ran(self) -> float:
        """Return the least seconds that all have run in this turn."""
        seen, self._now = self._now, self._turns()
        self._ended += sum(sum(turn) for one, turn in seen.items() if one not in self._now)
        # A measured process that has ended may be in its parent's time: count it only once.
        children = max(self._ended, sum(turn.children for turn in self._now.values()))
        own = sum(turn.own for turn in self._now.values())
        self._most = max(self._most, own + children)
        return self._most

    def rest(self) -> None:
        """Note the present counts: a timer of the process itself can wake it with a signal."""
        self._rested = {}
        for process in (self._tree.first, *self._tree.others):
            with suppress(OSError):  # it has ended
                self._rested[process] = run_by(process)

    def ran_suspended(self) -> float:
        """Return the least seconds that all have run between the last rest and this turn."""
        return self._suspended

    def _turns(self) -> dict[int, Used]:
        """Return the least seconds that each living process has run in this turn."""
        found = {}
        for process in self._tree.processes():
            with suppress(OSError, IndexError):  # it ended meanwhile
                own = run_by(process)
                fields = fields_of(process)
                children = (int(fields[CHILDREN]) + int(fields[CHILDREN + 1])) * TICK
                known = process in self._before
                before = self._children.setdefault(process, children if known else 0.0)
                own -= self._before.get(process, 0.0)
                found[process] = Used(own, max(0.0, children - before - UNSURE))
        return found


def run_by(process: int) -> float:
    """Return the seconds that a process has run with all its threads; OSError if it is gone."""
    return time.clock_gettime((~process << 3) | OF_PROCESS)
