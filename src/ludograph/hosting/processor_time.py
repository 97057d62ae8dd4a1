"""The processor time of all of a player's processes in a turn, with those that have ended.

Who starts one process after another, each of which ends soon, runs in none that could be looked at
later. Where the player has a control group, the kernel counts what all in it have run. Elsewhere it
adds what a process has run to its parent's account when that has waited for its end; and what was
seen of a process while it lived is remembered. These are less than what has been run, never more.
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
"""Seconds by which the figure of a process's children may grow too much in a turn: it comes in
ticks, their time in the system apart from that outside of it."""

CHILDREN = 13
"""The place, after a process's name, of its children's time outside the system; then that in it."""

OF_PROCESS = 2
"""The last bits of the number of a clock that tells a process's processor time."""


class ProcessorTime(Protocol):
    """What all of a player's processes have run in a turn."""

    def begin(self, *, changed: bool) -> None:
        """Begin a turn; see :meth:`ProcessTree.has_changed` for what may have."""

    def ran(self) -> float:
        """Return the seconds that all have run since then."""


def processor_time(tree: ProcessTree) -> ProcessorTime:
    """Return the source of these processes' time."""
    if tree.control is None or tree.control.ran() is None:
        return OfProcesses(tree)
    return OfGroup(tree.control)


class OfGroup:
    """As the kernel counts it for the player's control group, with ended processes."""

    def __init__(self, control: ControlGroup) -> None:
        self._control = control
        self._before = self._now = 0.0

    def begin(self, *, changed: bool) -> None:  # noqa: ARG002  (the kernel knows all)
        """Begin a turn."""
        self._before = self._read()

    def ran(self) -> float:
        """Return the seconds that all have run since then."""
        return self._read() - self._before

    def _read(self) -> float:
        now = self._control.ran()
        self._now = self._now if now is None else now  # the group is gone, with all in it
        return self._now


class Used(NamedTuple):
    """Seconds that a process has run, and those children whose end it has seen."""

    own: float
    children: float


class OfProcesses:
    """As the processes tell it: at least what they do.

    The figure of their children counts from the first look on, which is taken when the player
    seems to be late: to ask for it before would make every move dearer.
    """

    def __init__(self, tree: ProcessTree) -> None:
        self._tree = tree
        self._before: dict[int, float] = {}
        self._children: dict[int, float] = {}
        self._now: dict[int, Used] = {}
        self._ended = self._most = 0.0

    def begin(self, *, changed: bool) -> None:
        """Begin a turn; where nothing may have changed there is the first process alone."""
        self._before = {}
        for process in self._tree.processes() if changed else [self._tree.first]:
            with suppress(OSError):  # it has ended
                self._before[process] = run_by(process)
        self._children, self._now = {}, {}
        self._ended = self._most = 0.0

    def ran(self) -> float:
        """Return the seconds that all have run since then, at least."""
        seen, self._now = self._now, self._turns()
        self._ended += sum(sum(turn) for one, turn in seen.items() if one not in self._now)
        # One that was seen and has ended may be in its parent's account: not both.
        children = max(self._ended, sum(turn.children for turn in self._now.values()))
        own = sum(turn.own for turn in self._now.values())
        self._most = max(self._most, own + children)
        return self._most

    def _turns(self) -> dict[int, Used]:
        """Return what each process that is there has run in this turn, at least."""
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
