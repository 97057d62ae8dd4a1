"""The memory of a player's processes, measured from outside while they run.

A limit on addresses would break programs that reserve more than they use, as numba and Java do, so
it is the resident size that counts. Pages that several processes share count once. What the kernel
keeps for the processes counts too: page tables, open files, data in sockets. Memory that would be
resident in no process is refused by the filter of system calls, or is a file in a scratch folder,
whose size counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from ludograph.hosting.sandbox.unix_sockets import UnixSockets

FASTEST = 8 << 30
"""Bytes in a second: memory grows no faster on most machines."""

SOONEST, LATEST = 0.005, 0.1
"""Seconds between two looks."""

OPEN_FILE = 8 << 10
"""Bytes that an open file may cost the kernel, with the two pages that it gives to a pipe where a
user has many of them."""

FEW_SOCKETS = 8
"""Of a process: they are not worth a look where sockets of others have to be told apart."""

LOCK = 256
"""Bytes of the kernel's for a part of a file that a process has locked."""

MOST_LOCKS = 1 << 14
"""Locks that are counted: more than that are too much, whatever a player may hold."""

STATUS_BYTES = 1 << 12


class MemoryWatch:
    """What the processes of one player hold.

    Parameters
    ----------
    scratch
        Folders in memory that are the player's own.
    own_network
        Whether this process is in a network namespace with no other player's sockets.
    """

    def __init__(self, scratch: Sequence[str] = (), *, own_network: bool = False) -> None:
        self.scratch = scratch
        self.own_network = own_network
        self._sockets = UnixSockets()

    def held(self, processes: Iterable[int], most: int) -> int:
        """Return the bytes that processes hold, exact where they might be more than ``most``.

        Where they are certainly more, the number is some that is greater.
        """
        known = list(processes)
        statuses = [Status.of(process) for process in known]
        resident = sum(status.resident for status in statuses)
        kernel = sum(status.tables + status.files * OPEN_FILE for status in statuses)
        kernel += sum(map(used, self.scratch))
        if kernel <= most:
            kernel += self._in_sockets(known, statuses)
            count = locks(known)
            kernel += count * LOCK if count < MOST_LOCKS else most + 1
        if kernel > most or resident + kernel <= most:
            return resident + kernel
        for process in known:
            kernel += share(process, with_scratch=not self.scratch)
            if kernel > most:
                break
        return kernel

    def _in_sockets(self, processes: list[int], statuses: list[Status]) -> int:
        if self.own_network:
            return self._sockets.held()
        many = [p for p, one in zip(processes, statuses, strict=True) if one.files > FEW_SOCKETS]
        found = {socket for process in many for socket in sockets_of(process)}
        return self._sockets.held(found) if len(found) > FEW_SOCKETS else 0


class Status(NamedTuple):
    """What a process holds, as ``/proc`` tells it.

    Attributes
    ----------
    resident
        Bytes in memory or swapped out, shared ones included.
    tables
        Bytes of its page tables: a program that reads far apart has more of them than of memory.
    files
        Open files.
    """

    resident: int
    tables: int
    files: int

    @classmethod
    def of(cls, process: int) -> Status:
        """Return that of a process; nothing if it is gone."""
        try:
            with open(f"/proc/{process}/status", "rb", buffering=0) as file:
                lines = dict(line.split(b":", 1) for line in file.read(STATUS_BYTES).splitlines())
            files = os.stat(f"/proc/{process}/fd").st_size  # since Linux 6.2
            files = files or int(lines[b"FDSize"])  # room for open files, at least 64
        except (OSError, ValueError, KeyError):
            return NOTHING
        amounts = (lines.get(name, b"0").split()[0] for name in (b"VmRSS", b"VmSwap", b"VmPTE"))
        resident, swapped, tables = (int(amount) * 1024 for amount in amounts)
        return cls(resident + swapped, tables, files)


NOTHING = Status(0, 0, 0)


def share(process: int, *, with_scratch: bool = True) -> int:
    """Return a process's resident bytes, its part of what it shares; 0 if it is gone.

    Parameters
    ----------
    with_scratch
        Whether files in memory count.
    """
    total = 0
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            for line in file:
                name, _, amount = line.partition(b":")
                if name in (b"Pss", b"SwapPss"):
                    total += int(amount.split()[0])
                elif name == b"Pss_Shmem" and not with_scratch:
                    total -= int(amount.split()[0])
    except OSError:
        return Status.of(process).resident  # no right to look closer
    return total * 1024


def sockets_of(process: int) -> set[int]:
    """Return the numbers of the sockets that a process has open; none if that is not told."""
    found = set()
    folder = f"/proc/{process}/fd"
    try:
        for name in os.listdir(folder):
            kind, _, number = os.readlink(f"{folder}/{name}").partition(":[")
            if kind == "socket":
                found.add(int(number.rstrip("]")))
    except OSError:
        return found  # it ended, or has closed one meanwhile
    return found


def locks(processes: Iterable[int]) -> int:
    """Return how many parts of files processes have locked, up to :data:`MOST_LOCKS`."""
    own = {str(process).encode() for process in processes}
    count = 0
    with suppress(FileNotFoundError), open("/proc/locks", "rb") as file:
        for line in file:  # as in b"1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 9"
            count += line.split()[4] in own
            if count == MOST_LOCKS:
                break
    return count


def used(folder: str) -> int:
    """Return the bytes of the files in a file system."""
    told = os.statvfs(folder)
    return (told.f_blocks - told.f_bfree) * told.f_frsize


def pause(room: int) -> float:
    """Return the seconds until the next look, given the bytes that are free still."""
    return min(LATEST, max(SOONEST, room / FASTEST))
