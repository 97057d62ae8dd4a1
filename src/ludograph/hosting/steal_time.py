"""Steal time: processor time that the host of a virtual machine took, as the kernel counts it.

A virtual processor stands still while its host uses the real one for others. A thread on it then
neither runs nor waits in a queue, so its own counts do not show this time, or show it as running;
``/proc/stat`` reports it for every processor, in ticks.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
"""The seconds of one tick of the kernel's count: this time may be taken but not yet counted."""

FRESH = 0.1
"""Seconds for which a count is fresh enough for the beginning of a turn."""

STEAL = 8
"""The index of the count in the line of a processor."""

LONGEST = 1 << 16
"""The bytes to read; the lines of processors come first."""


class Taken(NamedTuple):
    """Seconds taken from all processors together, and from the processor that lost most."""

    total: float
    most: float


class StealTime:
    """The processor time taken from this machine since a time.

    Parameters
    ----------
    path
        The file of the kernel's counts.
    """

    def __init__(self, path: str = "/proc/stat") -> None:
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # no such counts here: none is known
            self._file = -1
        self._before = self._ticks()
        self._looked = time.perf_counter()

    def begin(self, now: float) -> None:
        """Begin a turn now, or up to :data:`FRESH` earlier."""
        if now - self._looked > FRESH:
            self._before = self._ticks()
            self._looked = now

    def since(self) -> Taken:
        """Return the seconds taken since then."""
        grown = [now - before for now, before in zip(self._ticks(), self._before, strict=False)]
        return Taken(sum(grown) * TICK, max(grown, default=0) * TICK)

    @property
    def uncertainty(self) -> float:
        """The seconds that may be missing in :meth:`since`; 0 if the host never takes time."""
        return TICK if any(self._before) or any(self._ticks()) else 0.0

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
