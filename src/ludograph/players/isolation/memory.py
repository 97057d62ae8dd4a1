"""How much memory a player's processes hold, looked at from outside while they run.

A limit on addresses would break programs that reserve more than they use, as numba and Java do, so
it is the resident size that counts. Pages that several processes share count once.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable

FASTEST = 8 << 30
"""Bytes in a second: memory grows no faster on most machines."""

SOONEST, LATEST = 0.005, 0.1
"""Seconds between two looks."""


def held(processes: Iterable[int], most: int) -> int:
    """Return the bytes that processes hold, exact where they might be more than ``most``."""
    known = list(processes)
    total = sum(map(resident, known))
    return total if total <= most else sum(map(share, known))


def resident(process: int) -> int:
    """Return a process's resident bytes, shared ones included; 0 if it is gone."""
    try:
        with open(f"/proc/{process}/statm", "rb", buffering=0) as file:
            return int(file.read(128).split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def share(process: int) -> int:
    """Return a process's resident bytes, its part of what it shares; 0 if it is gone."""
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        return resident(process)  # no right to look closer
    return 0


def pause(room: int) -> float:
    """Return the seconds until the next look, given the bytes that are free still."""
    return min(LATEST, max(SOONEST, room / FASTEST))
