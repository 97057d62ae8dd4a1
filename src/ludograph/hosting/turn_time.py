"""The player's own time for a move, without the time that the machine took from it.

A sound player can be late for four reasons outside of it: the referee is late itself, when it asks
or when it reads an answer that came in time (the kernel notes when an answer was sent, see
:mod:`ludograph.hosting.channel`); the player's threads waited for a processor that others used
(:mod:`ludograph.hosting.scheduler_latency`); the machine is virtual, and its host took processors
away (:mod:`ludograph.hosting.steal_time`); or the whole machine stood still, with the referee,
which then notices that it woke much too late.

The compensation for that is limited, so that a player cannot gain by hidden load on the machine: if
more would be due, the game is void.
"""

from __future__ import annotations

import os
import time

from ludograph.errors import MachineBusy
from ludograph.hosting.process_tree import CROWD, ProcessTree
from ludograph.hosting.processor_time import processor_time
from ludograph.hosting.scheduler_latency import SchedulerLatency
from ludograph.hosting.steal_time import TICK, StealTime

GRANTED = 5.0
"""The greatest compensation for a move in seconds."""

TIMES = 4
"""The compensation may be this multiple of the seconds of a move, if that is more."""

SLICE = 0.02
"""Seconds between two readings of the clock while waiting: the machine may have stood still."""

SLICES = 8
"""The least number of measurements during a move: they give the waiting of threads that end."""

STEP = 0.002
"""Seconds until the next measurement of a player that is held up."""

STOOD_STILL = 0.005
"""The least lateness in seconds that counts."""

HANDS = 2
"""The number of processors that a question may use one after the other: where it arrives, and where
it is passed on to. Time taken from other processors does not matter to a player."""

UNNOTICED = 0.02
"""Seconds that processes may run while they are suspended: a signal takes a moment to stop them."""

WORTH_TELLING = 0.001
"""The least compensation in seconds that is reported."""


class TurnTime:
    """The time from a question to its answer.

    Parameters
    ----------
    tree
        The player's processes.

    Attributes
    ----------
    began, seconds
        The beginning of the turn, and the player's seconds for it. What the player has run before,
        while it was suspended, counts too: so the turn began earlier.
    suspended
        The seconds that it has run while it was suspended.
    granted
        The compensation for time that was taken from it.
    crowd
        Whether the player had more threads in this turn than a program needs. Then all its waiting
        counts as its own time, and its threads are not measured: that would take too long.
    """

    def __init__(self, tree: ProcessTree) -> None:
        self._tree = tree
        self._waiting = SchedulerLatency(tree.first)
        self._total = processor_time(tree)
        self._steal_time = StealTime()
        self._own = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self.seconds = 0.0
        self.began = self.suspended = 0.0
        self._since = self.granted = self._stood = self._least = 0.0
        self._looks = 0
        self.crowd = False

    def begin(self, seconds: float) -> None:
        """Begin a turn of ``seconds`` seconds, just before the player is resumed."""
        now = time.perf_counter()
        changed = self._tree.has_changed()
        self.crowd = changed and self._tree.is_crowd()
        if changed and not self.crowd:
            self._waiting.look(self._tree.threads(), 0.0, now)
        self._waiting.begin(now)
        self._total.begin(changed=changed)
        self.seconds = seconds
        self.granted = self._stood = 0.0
        self._looks = 0
        ran = self._total.ran_suspended()
        self.suspended = ran if ran > UNNOTICED else 0.0
        self._since = time.perf_counter()
        self.began = self._since - self.suspended
        self._steal_time.begin(self._since)

    def rest(self) -> None:
        """Note that the player is suspended now."""
        self._total.rest()

    def asked(self) -> None:
        """Note that the player has the question: the time until now was the referee's.

        This process may have been held up itself between reading the time and sending the question.
        """
        self._stood += time.perf_counter() - self._since

    def busy(self) -> float:
        """Return the seconds that this thread of the referee has run, or waited for a processor."""
        return time.thread_time() + int(os.pread(self._own, 96, 0).split()[1]) * 1e-9

    def overslept(self, until: float, busy: float) -> None:
        """Note that this process woke too late, but not because it waited for a processor.

        Its own work does not count either: a player may print much output that it reads.

        Parameters
        ----------
        until
            The time at which it should have woken.
        busy
            The value of :meth:`busy` before.
        """
        late = time.perf_counter() - until
        if late > STOOD_STILL:
            late -= self.busy() - busy
            self._stood += late if late > STOOD_STILL else 0.0

    def until_look(self) -> float:
        """Return the seconds until the next measurement of a player that has not answered."""
        return min(SLICE, max(self.seconds / SLICES, STEP))

    def is_late(self) -> bool:
        """Tell whether more time has passed than the player has, for any reason."""
        return time.perf_counter() - self.began > self.seconds

    def look(self) -> None:
        """Measure how long the player's threads have run and waited, before they end."""
        self.crowd = self.crowd or self._tree.is_crowd()
        if self.crowd:
            return
        total = self._total.ran()
        self._waiting.look(self._tree.threads(), total, time.perf_counter())

    def left(self) -> float:
        """Return the seconds until the next measurement; 0: the player has no time left.

        Raises
        ------
        MachineBusy
            If the compensation would exceed its limit.
        """
        now = time.perf_counter()
        left = self.seconds - self._spent(now)
        if left <= 0:
            self._looks += 1
            if self._looks == 1 and not self.crowd:
                self._waiting.is_held_up()
                return STEP  # two measurements show whether it runs or waits
            if self.crowd or not self._may_be_waiting(now):
                left = self.seconds - self._after_a_tick(now)
                if left <= 0:
                    return 0.0
        self._check(now)
        return max(left, STEP)

    def spent(self, arrived: float, *, exact: bool) -> float:
        """Return the player's own seconds for a move whose answer came at ``arrived``.

        Parameters
        ----------
        arrived
            The time of the answer.
        exact
            Whether the exact time of an answer in time is needed.

        Raises
        ------
        MachineBusy
            If it would be in time only by too much compensation.
        """
        self._since = arrived = max(arrived, self.began)
        if arrived - self.began <= self.seconds and not exact:
            return arrived - self.began
        spent = self._spent(arrived)
        if spent > self.seconds:
            spent = self._after_a_tick(arrived)
        if spent <= self.seconds:
            self._check(arrived)
        return spent

    def _spent(self, when: float) -> float:
        """Return a player's own time in this turn until ``when``: at least its running time.

        Time taken from the processor that lost most may have been counted as run.
        """
        self.look()
        spent = self._own_time(when)
        self.granted = when - self.began - spent
        return spent

    def _own_time(self, when: float, *, by_now: bool = False) -> float:
        """Return the same by the last measurement."""
        passed = when - self.began
        ran = min(passed, self._waiting.ran())
        taken = self._steal_time.since()
        others_fault = 0.0 if self.crowd else self._waiting.others_fault(passed, by_now=by_now)
        granted = others_fault + self._stood
        self._least = max(0.0, ran - taken.most)
        stolen = min(taken.total, HANDS * taken.most)
        return max(max(passed - granted, ran) - stolen, self._least)

    def _after_a_tick(self, when: float) -> float:
        """Return the same for a player that seems to be late, after the kernel has counted all.

        If the host takes processors away, the error of counts in ticks is in the player's favor.
        """
        if not self._steal_time.uncertainty:
            return self._spent(when)
        time.sleep(TICK)
        spent = self._spent(when)
        over = spent - self.seconds
        if 0.0 < over <= min(self._steal_time.uncertainty, spent - self._least):
            self.granted += over
            return self.seconds
        return spent

    def is_stopped(self) -> bool:
        """Tell whether a signal has stopped the player."""
        return self._waiting.is_stopped()

    def _may_be_waiting(self, now: float) -> bool:
        """Tell whether a player that seems to be late may be waiting because of others."""
        return self._waiting.is_held_up() or self._own_time(now, by_now=True) < self.seconds

    def _check(self, now: float) -> None:
        late = now - self.began - self.seconds
        if late > max(GRANTED, TIMES * self.seconds):
            raise MachineBusy(
                f"the machine is too busy: a player that has {self.seconds:.3g} s for its move has "
                f"waited {self.granted:.3g} s for a processor, so no player is to blame"
            )

    def close(self) -> None:
        """End the measurements."""
        os.close(self._own)
        self._steal_time.close()
        self._waiting.close()


def why_late(turn: TurnTime) -> str:
    """Return the sentence on a player that has no time left."""
    text = ""
    if turn.granted > WORTH_TELLING:
        text = f" and {turn.granted:.3g} s more, for which it had to wait for a processor"
    if turn.crowd:
        text += f", with more than {CROWD} processes and threads"
    stopped = "; a signal has stopped it, which it has sent itself" if turn.is_stopped() else ""
    return text + while_suspended(turn) + stopped


def while_suspended(turn: TurnTime) -> str:
    """Return the end of a sentence on a late player that has run while it was suspended."""
    if not turn.suspended:
        return ""
    return f"; it ran {turn.suspended:.3g} s while it was suspended"
