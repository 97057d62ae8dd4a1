"""Steal time: processor time that the host of a virtual machine took, as the kernel counts it.

A virtual processor that its host gives to others stands still. A thread on it neither runs nor
waits in a queue meanwhile, so that no count of its own shows it, or shows it as if it had run;
``/proc/stat`` tells it of every processor, in ticks.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
"""Seconds in which the kernel counts: so much may be taken and not be seen yet."""

FRESH = 0.1
"""Seconds for which a count will do for the beginning of a turn: less is taken from nobody."""

STEAL = 8
"""The number of the count among those of a processor."""

LONGEST = 1 << 16
"""Bytes to read; the lines of processors come first."""


class Taken(NamedTuple):
    """Seconds taken from this machine: of all processors together, and of that which lost most."""

    total: float
    most: float


class StealTime:
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
        self._before = self._ticks()
        self._looked = time.perf_counter()

    def begin(self, now: float) -> None:
        """Begin a turn at this moment, or up to :data:`FRESH` before it."""
        if now - self._looked > FRESH:
            self._before = self._ticks()
            self._looked = now

    def since(self) -> Taken:
        """Return the seconds taken since then."""
        grown = [now - before for now, before in zip(self._ticks(), self._before, strict=False)]
        return Taken(sum(grown) * TICK, max(grown, default=0) * TICK)

    @property
    def uncertainty(self) -> float:
        """The seconds that may be missing from :meth:`since`; 0 where nothing is ever taken."""
        return TICK if any(self._before) or any(self._ticks()) else 0.0

    def _ticks(self) -> list[int]:
        """Return the count of every processor."""
        if self._file < 0:
            return []
        text = os.pread(self._file, LONGEST, 0)
        lines = (line.split() for line in text.splitlines() if line.startswith(b"cpu"))
        return [int(line[STEAL]) for line in lines if line[0] != b"cpu" and len(line) > STEAL]

    def close(self) -> None:
        """Look no more."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
