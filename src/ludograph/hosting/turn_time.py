"""A player's own time of a turn: the time that passed, without what the machine took from it.

``passed`` seconds after its beginning, the own time of a turn is::

    max(passed - waited - stood_still, ran) - stolen

with

passed
    The seconds from the question to the moment when the answer was sent. The kernel notes that
    moment, so the referee may read the answer late (:mod:`ludograph.hosting.channel`).
waited
    The seconds for which the player wanted to run, and others had the processors: what its threads
    waited, less what it ran itself meanwhile in other threads and processes
    (:func:`others_fault`). A player that lowers its priority waits of its own will.
stood_still
    The seconds by which the referee was late itself, when it asked, or when it woke much too late
    although nobody had its processor: then the whole machine stood still.
ran
    What the player has run always counts: the time of its longest thread, and at least the time of
    all, ended ones too, divided by the number of processors.
stolen
    The seconds that the host of a virtual machine took its processors away, which may have been
    counted as run.

A player is late when its own time exceeds its seconds. Until the kernel has counted all waiting, it
is measured again. A player that had more threads than a program needs (a crowd) is granted no
waiting. What is granted has a limit, so that a player cannot gain by hidden load on the machine: if
more would be due, the game is void.

:mod:`ludograph.hosting.kernel_counts` reads the counts, and says what each of them lacks.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeVar

from ludograph.errors import MachineBusy
from ludograph.hosting.kernel_counts import (
    NOTHING,
    TICK,
    Counted,
    GroupTime,
    ProcessTimes,
    StealTime,
    Thread,
    counts_in,
    opened,
)
from ludograph.hosting.process_tree import CROWD, ProcessTree, state_of

T = TypeVar("T")

GRANTED = 5.0
"""The greatest compensation for a move in seconds."""

TIMES = 4
"""The compensation may be this multiple of the seconds of a move, if that is more."""

GRACE = 0.002
"""Seconds on top of a deadline for the answer's way back."""

SLICE = 0.02
"""Seconds between two readings of the clock while waiting: the machine may have stood still."""

SLICES = 8
"""The least number of measurements during a move: they give the waiting of threads that end."""

STEP = 0.002
"""Seconds until the next measurement of a player that seems to be late."""

STOOD_STILL = 0.005
"""The least lateness of the referee in seconds that counts."""

WORTH_TELLING = 0.001
"""The least compensation in seconds that is reported."""

WATCHED = 256
"""The most threads measured at a time: each has an open file."""


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
        group = tree.control
        self._total = ProcessTimes(tree) if group is None else GroupTime(group)
        self._steal_time = StealTime()
        self._referee = opened("/proc/thread-self/schedstat")
        self.began = self.seconds = self.suspended = self.granted = 0.0
        self._since = self._stood = self._least = 0.0
        self._seemed_late = self.crowd = False

    def begin(self, seconds: float) -> None:
        """Begin a turn of ``seconds`` seconds, just before the player is resumed."""
        now = time.perf_counter()
        changed = self._tree.has_changed()
        self.crowd = changed and self._tree.is_crowd()
        if changed and not self.crowd:
            self._waiting.look(self._tree.threads(), 0.0, now)
        self._waiting.begin(now)
        self.suspended = self._total.begin(changed=changed)
        self.seconds = seconds
        self.granted = self._stood = 0.0
        self._seemed_late = False
        self._since = time.perf_counter()
        self.began = self._since - self.suspended
        self._steal_time.begin(self._since)

    def asked(self) -> None:
        """Note that the player has the question: the time until now was the referee's.

        This process may have been held up itself between reading the time and sending the question.
        """
        self._stood += time.perf_counter() - self._since

    def rest(self) -> None:
        """Note that the player is suspended now."""
        self._total.rest()

    def wait(self, receive: Callable[[float], T]) -> T:
        """Return the answer if it comes while the player has time; raise TimeoutError otherwise.

        Parameters
        ----------
        receive
            Waits for the answer for some seconds, and raises TimeoutError then.
        """
        while (seconds := self._until_look()) > 0.0:
            until, busy = time.perf_counter() + seconds, self._busy()
            try:
                return receive(seconds)
            except TimeoutError:
                self._stood += self._overslept(until, busy)
            if time.perf_counter() - self.began <= self.seconds:  # otherwise it is checked at once
                self._look()
        return receive(0.0)  # a late answer may have come

    def _until_look(self) -> float:
        """Return the seconds until the next measurement; 0 if the player has no time left."""
        left = self.began + self.seconds + GRACE - time.perf_counter()
        if left <= 0.0:
            left = self.left()
        return min(left, SLICE, max(self.seconds / SLICES, STEP))

    def _busy(self) -> float:
        """Return the seconds that this thread of the referee has run, or waited for a processor."""
        waited = counts_in(self._referee).waited if self._referee >= 0 else 0.0
        return time.thread_time() + waited

    def _overslept(self, until: float, busy: float) -> float:
        """Return the seconds by which the referee woke too late while the machine stood still.

        What it has run or waited itself does not count: a player may print much that it reads.

        Parameters
        ----------
        until
            The time at which it should have woken.
        busy
            The value of :meth:`_busy` before.
        """
        late = time.perf_counter() - until
        if late > STOOD_STILL:
            late -= self._busy() - busy
        return late if late > STOOD_STILL else 0.0

    def left(self) -> float:
        """Return the seconds until the next measurement; 0: the player has no time left.

        Raises
        ------
        MachineBusy
            If the compensation would exceed its limit.
        """
        now = time.perf_counter()
        left = self.seconds - self._spent(now)
        if left <= 0.0:
            first, self._seemed_late = not self._seemed_late, True
            if first and not self.crowd:
                return STEP  # two measurements close together show whether it runs or waits
            if self._own_time(now, by_now=True) >= self.seconds:
                left = self.seconds - self._after_a_tick(now)
                if left <= 0.0:
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

    def _after_a_tick(self, when: float) -> float:
        """Return the same for a player that seems to be late, after the kernel has counted all.

        If the host takes processors away, the error of counts in ticks is in the player's favor.
        """
        uncertainty = self._steal_time.uncertainty
        if not uncertainty:
            return self._spent(when)
        time.sleep(TICK)
        spent = self._spent(when)
        if self._least <= self.seconds < spent <= self.seconds + uncertainty:
            self.granted += spent - self.seconds
            return self.seconds
        return spent

    def _spent(self, when: float) -> float:
        """Measure the player; return its own time in this turn until ``when``."""
        self._look()
        spent = self._own_time(when)
        self.granted = when - self.began - spent
        return spent

    def _look(self) -> None:
        """Measure how long the player's threads have run and waited, before they end."""
        self.crowd = self.crowd or self._tree.is_crowd()
        if not self.crowd:
            total = self._total.ran()
            self._waiting.look(self._tree.threads(), total, time.perf_counter())

    def _own_time(self, when: float, *, by_now: bool = False) -> float:
        """Return the player's own time until ``when``, by the last measurement.

        Parameters
        ----------
        by_now
            Whether to add the greatest possible waiting of the threads that wait now.
        """
        passed = when - self.began
        ran = min(passed, self._waiting.ran())
        waited = 0.0 if self.crowd else self._waiting.others_fault(passed, by_now=by_now)
        stolen = self._steal_time.since()
        self._least = max(0.0, ran - stolen.most)
        return max(max(passed - waited - self._stood, ran) - stolen.total, self._least)

    def _check(self, now: float) -> None:
        late = now - self.began - self.seconds
        if late > max(GRANTED, TIMES * self.seconds):
            raise MachineBusy(
                f"the machine is too busy: a player that has {self.seconds:.3g} s for its move has "
                f"waited {self.granted:.3g} s for a processor, so no player is to blame; whether "
                "it answers at all, 'ludograph player check' and 'ludograph player debug' show"
            )

    def why_late(self) -> str:
        """Return the end of the sentence on a player that has no time left."""
        text = ""
        if self.granted > WORTH_TELLING:
            text = f" and {self.granted:.3g} s more, for which it had to wait for a processor"
        if self.crowd:
            text += f", with more than {CROWD} processes and threads"
        text += self.while_suspended()
        if state_of(self._tree.first) == "T":
            text += "; a signal has stopped it, which it has sent itself"
        return text

    def while_suspended(self) -> str:
        """Return the end of a sentence on a late player that has run while it was suspended."""
        if not self.suspended:
            return ""
        return f"; it ran {self.suspended:.3g} s while it was suspended"

    def close(self) -> None:
        """End the measurements."""
        if self._referee >= 0:
            os.close(self._referee)
        self._steal_time.close()
        self._waiting.close()


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
        self._ended: list[Counted] = []
        self._looked = self._total = 0.0
        self._find([process])

    def begin(self, when: float) -> None:
        """Begin a turn: earlier counts no longer matter."""
        self._looked, self._total, self._ended = when, 0.0, []
        for thread in self._threads.values():
            thread.begin(when)

    def look(self, threads: Iterable[int], total: float, when: float) -> None:
        """Read the counts of these threads; new ones count in full.

        Parameters
        ----------
        total
            The time that all have run in this turn, ended ones too.
        when
            The present time.
        """
        self._find(threads)
        for number, thread in list(self._threads.items()):
            if not thread.look(when):
                self._ended.append(thread.at_least())
                thread.close()
                del self._threads[number]
        self._looked, self._total = when, max(total, self._total)

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
        waited = sum(turn.waited for turn in self._ended)
        ended = Counted(self._total - asked.ran - living, waited)
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
        turns = [*self._ended, *(thread.turn() for thread in self._threads.values())]
        longest = max((turn.ran for turn in turns), default=0.0)
        return max(longest, self._total / len(os.sched_getaffinity(0)))

    def close(self) -> None:
        """Close the files."""
        while self._threads:
            self._threads.popitem()[1].close()


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
