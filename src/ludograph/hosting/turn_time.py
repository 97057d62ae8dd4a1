"""The own time of a move in another process, without the time that the machine took from it.

Four things make a sound player late that are not its doing: the referee is late itself, when it
asks or when it reads what came in time (the kernel notes when an answer was sent, see
:mod:`ludograph.hosting.channel`); the player's threads waited for a processor while others had
them (:mod:`ludograph.hosting.scheduler_latency`); the machine is a virtual one, and its host took
processors away (:mod:`ludograph.hosting.steal_time`); and all stood still, the referee too, which
then sees that it was woken much later than it wanted.

What is granted for that has an end, so that nobody gains by keeping a machine busy in ways that
are not seen: where more would be due, the game is void.
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
"""Seconds that may be granted for a move in any case."""

TIMES = 4
"""So many times the seconds that a move has may be granted, if that is more."""

SLICE = 0.02
"""Seconds between two looks at the clock while waiting: it may have stood still."""

SLICES = 8
"""Looks in the time for a move at least: what threads have waited that end is known from these."""

STEP = 0.002
"""Seconds until another look at a player that is held up."""

STOOD_STILL = 0.005
"""Seconds of being late that are worth a notice."""

HANDS = 2
"""Processors on which a question may be one after the other: where it arrives, and where it is
handed on to. What is taken of others is nothing to a player."""

WORTH_TELLING = 0.001
"""Seconds that were granted."""


class TurnTime:
    """Runs from a question to its answer.

    Parameters
    ----------
    tree
        The player's processes.

    Attributes
    ----------
    began, seconds
        The beginning of the turn, and what the player has for it.
    granted
        Seconds that it has beyond these, as they were taken from it.
    crowd
        Whether the player was seen in this turn with more threads than a program needs. Then it
        waits for a processor at its own expense, and its threads are not looked at: that would take
        longer than it has.
    """

    def __init__(self, tree: ProcessTree) -> None:
        self._tree = tree
        self._waiting = SchedulerLatency(tree.first)
        self._total = processor_time(tree)
        self._steal_time = StealTime()
        self._own = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self.seconds = 0.0
        self.began = 0.0
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
        self.began = self._since = time.perf_counter()
        self._steal_time.begin(self.began)

    def asked(self) -> None:
        """Note that a question is with the player: until now it was the referee's turn.

        This process may have been held up itself, between noting the time and doing what it says.
        """
        self._stood += time.perf_counter() - self._since

    def busy(self) -> float:
        """Return the seconds that this thread has run, or waited for a processor."""
        return time.thread_time() + int(os.pread(self._own, 96, 0).split()[1]) * 1e-9

    def overslept(self, until: float, busy: float) -> None:
        """Note that this process woke later than it wanted, and not for want of a processor.

        Nor because it had something to do: a player may print much that is to be read.

        Parameters
        ----------
        until
            When it wanted to.
        busy
            What :meth:`busy` was before.
        """
        late = time.perf_counter() - until
        if late > STOOD_STILL:
            late -= self.busy() - busy
            self._stood += late if late > STOOD_STILL else 0.0

    def until_look(self) -> float:
        """Return the seconds until a player is looked at again that has not answered."""
        return min(SLICE, max(self.seconds / SLICES, STEP))

    def is_late(self) -> bool:
        """Tell whether more time has passed than a player has, whosever it was."""
        return time.perf_counter() - self.began > self.seconds

    def look(self) -> None:
        """See what the player's threads have run and waited, before they end."""
        self.crowd = self.crowd or self._tree.is_crowd()
        if self.crowd:
            return
        total = self._total.ran()
        self._waiting.look(self._tree.threads(), total, time.perf_counter())

    def left(self) -> float:
        """Return the seconds until the next look at a player that has not answered; 0: none left.

        Raises
        ------
        MachineBusy
            If more than may be granted would be due.
        """
        now = time.perf_counter()
        left = self.seconds - self._spent(now)
        if left <= 0:
            self._looks += 1
            if self._looks == 1 and not self.crowd:
                self._waiting.is_held_up()
                return STEP  # whether it runs or waits shows when two looks are compared
            if self.crowd or not self._may_be_waiting(now):
                left = self.seconds - self._after_a_tick(now)
                if left <= 0:
                    return 0.0
        self._check(now)
        return max(left, STEP)

    def spent(self, arrived: float, *, exact: bool) -> float:
        """Return the seconds that a move has taken whose answer came at a time.

        Parameters
        ----------
        arrived
            That time.
        exact
            Whether it matters how long an answer took that came in time.

        Raises
        ------
        MachineBusy
            If it came in time only by more than may be granted.
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
        """Return a player's own time in this turn until then: at least what it has run.

        What was taken of the processor where most was taken may have been counted as run.
        """
        self.look()
        spent = self._own_time(when)
        self.granted = when - self.began - spent
        return spent

    def _own_time(self, when: float, *, by_now: bool = False) -> float:
        """Return the same as it is known from the last look."""
        passed = when - self.began
        ran = min(passed, self._waiting.ran())
        taken = self._steal_time.since()
        others_fault = 0.0 if self.crowd else self._waiting.others_fault(passed, by_now=by_now)
        granted = others_fault + self._stood
        self._least = max(0.0, ran - taken.most)
        stolen = min(taken.total, HANDS * taken.most)
        return max(max(passed - granted, ran) - stolen, self._least)

    def _after_a_tick(self, when: float) -> float:
        """Return the same for a player that seems to be late, when the kernel has counted all.

        Where processors are ever taken away, what counts by the tick cannot show is let pass.
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
        """Tell whether the player has been stopped by a signal."""
        return self._waiting.is_stopped()

    def _may_be_waiting(self, now: float) -> bool:
        """Tell whether it may be for others that a player waits which seems to be late."""
        return self._waiting.is_held_up() or self._own_time(now, by_now=True) < self.seconds

    def _check(self, now: float) -> None:
        late = now - self.began - self.seconds
        if late > max(GRANTED, TIMES * self.seconds):
            raise MachineBusy(
                f"the machine is too busy: a player that has {self.seconds:.3g} s for its move has "
                f"waited {self.granted:.3g} s for a processor, so no player is to blame"
            )

    def close(self) -> None:
        """Look no more."""
        os.close(self._own)
        self._steal_time.close()
        self._waiting.close()


def why_late(turn: TurnTime) -> str:
    """Return what is to be said of a player that has no time left."""
    text = ""
    if turn.granted > WORTH_TELLING:
        text = f" and {turn.granted:.3g} s more, for which it had to wait for a processor"
    if turn.crowd:
        text += f", with more than {CROWD} processes and threads"
    return text + (
        "; a signal has stopped it, which it has sent itself" if turn.is_stopped() else ""
    )
