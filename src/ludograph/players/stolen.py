"""What the machine below a virtual one took of its processors: *steal*, as the kernel counts.

A virtual processor that its host gives to others stands still. A thread on it neither runs nor
waits in a queue meanwhile, so that no count of its own shows it; ``/proc/stat`` does, in ticks,
for the whole machine.
"""

from __future__ import annotations

import os
import time

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
"""Seconds in which the kernel counts: so much may be taken and not be seen yet."""

FRESH = 0.1
"""Seconds for which a count will do for the beginning of a turn: less is taken from nobody."""

STEAL = 8
"""The number of the count among those of all processors."""


class Stolen:
    """The processor time that was taken from this machine since about a moment.

    Parameters
    ----------
    path
        Of the kernel's counts.
    """

    def __init__(self, path: str = "/proc/stat") -> None:
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # no such counts here: nothing is known to be taken
            self._file = -1
        self._before = self._total()
        self._looked = time.perf_counter()

    def begin(self, now: float) -> None:
        """Begin a turn at this moment, or up to :data:`FRESH` before it."""
        if now - self._looked > FRESH:
            self._before = self._total()
            self._looked = now

    def seconds(self) -> float:
        """Return the seconds taken since then, of all processors together."""
        return self._total() - self._before

    @property
    def uncertainty(self) -> float:
        """The seconds that may be missing from :meth:`seconds`; 0 where nothing is ever taken."""
        return TICK if self._before or self._total() else 0.0

    def _total(self) -> float:
        fields = os.pread(self._file, 256, 0).split() if self._file >= 0 else []
        return int(fields[STEAL]) * TICK if len(fields) > STEAL else 0.0

    def close(self) -> None:
        """Look no more."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
