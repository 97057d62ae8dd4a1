"""How long a player in this process has thought, without what the machine took from it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from threading import get_native_id


class Stopwatch:
    """Measures one move after the other, in whichever thread they are played."""

    def __init__(self) -> None:
        self._file, self._thread = -1, 0
        self._counts = False
        self._began = self._used = self._waited = 0.0

    def begin(self, *, counts: bool) -> None:
        """Begin a move; where no clock runs, its time on the wall will do."""
        self._counts = counts
        if counts:
            self._waited = self._in_queue()
            self._used = time.process_time()
        self._began = time.perf_counter()

    def spent(self, *, computes: bool) -> float:
        """Return the seconds of the move, less what this thread has waited for a processor.

        Parameters
        ----------
        computes
            The player never waits for anything: then it has thought no longer than this process
            has run, which it does not while somebody has stopped it.
        """
        passed = time.perf_counter() - self._began
        if not self._counts:
            return passed
        used = time.process_time() - self._used
        seconds = max(0.0, passed - (self._in_queue() - self._waited))
        return min(seconds, used) if computes else seconds

    def _in_queue(self) -> float:
        """Return the seconds that this thread has ever waited; 0 where the kernel does not tell."""
        if self._thread != get_native_id():
            self.close()
            with suppress(OSError):
                self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            self._thread = get_native_id()
        return int(os.pread(self._file, 96, 0).split()[1]) * 1e-9 if self._file >= 0 else 0.0

    def close(self) -> None:
        """Measure no more."""
        if self._file >= 0:
            os.close(self._file)
        self._file, self._thread = -1, 0
