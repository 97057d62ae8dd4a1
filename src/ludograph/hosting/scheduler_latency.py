"""Scheduler latency: what a player's threads have waited while others had the processors.

Such time is not the player's. What they waited for each other is: they could have had it otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from ludograph.hosting.process_tree import state_of
from ludograph.hosting.thread_counts import NOTHING, NOTICED, Counted, Thread

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
