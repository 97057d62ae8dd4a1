"""The memory of a player's processes, measured from outside while they run.

A limit on addresses would break programs that reserve more than they use, as numba and Java do, so
the resident size counts. Pages that several processes share count once. The kernel's memory for the
processes counts too: page tables, open files, full sockets, events that are waited for. The
filter of system calls forbids memory that would be resident in no process, except files in a
scratch folder, whose size counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ludograph.hosting.process_tree import threads

FASTEST = 8 << 30
"""Bytes in a second: the fastest growth of memory on most machines."""

SOONEST, LATEST = 0.005, 0.1
"""The least and the greatest seconds between two measurements."""

OPEN_FILE = 8 << 10
"""The kernel's memory for an open file in bytes, with the two pages of a pipe if a user has many of
them."""

SOCKET = 208 << 10
"""The most bytes that wait in a socket. It is open in a process of the player, and has the system's
default size, or what is usual: the filter of system calls does not let a player change that."""

with suppress(OSError, ValueError):  # not in each namespace
    SOCKET = int(Path("/proc/sys/net/core/wmem_default").read_text(encoding="ascii"))

WATCH = 200
"""The kernel's memory for a file whose events are waited for (epoll), in bytes."""

MOST_WATCHES = 1 << 14
"""The greatest number of such files: the kernel counts them for all processes of the user."""

FEW = 8
"""The sockets and watches of so few processes with so few open files are not counted: it would cost
more than they hold."""

LOCK = 256
"""The kernel's memory for a part of a file that a process has locked, in bytes."""

MOST_LOCKS = 1 << 14
"""The greatest number of locks counted: more are too much under any memory limit."""

STATUS_BYTES = 1 << 12


class MemoryWatch:
    """The memory of the processes of one player.

    Parameters
    ----------
    scratch
        The player's own folders in memory.
    """

    def __init__(self, scratch: Sequence[str] = ()) -> None:
        self.scratch = scratch

    def held(self, processes: Iterable[int], most: int) -> int:
        """Return the bytes that processes use, exact if they might be more than ``most``.

        If they are certainly more, the result is any greater number.
        """
        known = list(processes)
        statuses = [Status.of(process) for process in known]
        resident = sum(status.resident for status in statuses)
        kernel = sum(status.tables + status.files * OPEN_FILE for status in statuses)
        kernel += sum(map(used, self.scratch))
        if kernel <= most:
            kernel += behind_files(known, statuses, most)
            count = locks(known)
            kernel += count * LOCK if count < MOST_LOCKS else most + 1
        if kernel > most or resident + kernel <= most:
            return resident + kernel
        for process in known:
            kernel += share(process, with_scratch=not self.scratch)
            if kernel > most:
                break
        return kernel


class Status(NamedTuple):
    """The memory of a process by ``/proc``.

    Attributes
    ----------
    resident
        Bytes in memory or swapped out, shared ones included.
    tables
        Bytes of its page tables: with widely scattered addresses they exceed the memory itself.
    files
        Open files.
    """

    resident: int
    tables: int
    files: int

    @classmethod
    def of(cls, process: int) -> Status:
        """Return the memory of a process; zeros if it is gone.

        If its first thread has ended before others, only these report it.
        """
        found = cls._at(f"/proc/{process}")
        if found.resident:
            return found
        places = (f"/proc/{process}/task/{thread}" for thread in threads(process))
        return max(map(cls._at, places), default=NOTHING)

    @classmethod
    def _at(cls, place: str) -> Status:
        """Return the memory that a process or thread reports in its folder."""
        try:
            with open(f"{place}/status", "rb", buffering=0) as file:
                text = file.read(STATUS_BYTES)
            # A process chooses its name, which may contain any end of a line except this one.
            lines = dict(line.partition(b":")[::2] for line in text.split(b"\n"))
            files = os.stat(f"{place}/fd").st_size  # since Linux 6.2
            files = files or int(lines[b"FDSize"])  # the size of its table of files, at least 64
        except (OSError, ValueError, KeyError):
            return NOTHING
        amounts = (lines.get(name, b"0").split()[0] for name in (b"VmRSS", b"VmSwap", b"VmPTE"))
        resident, swapped, tables = (int(amount) * 1024 for amount in amounts)
        return cls(resident + swapped, tables, files)


NOTHING = Status(0, 0, 0)


def share(process: int, *, with_scratch: bool = True) -> int:
    """Return a process's resident bytes, with its part of shared pages; 0 if it is gone.

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
        return Status.of(process).resident  # no right to read more
    return total * 1024


def behind_files(processes: list[int], statuses: list[Status], most: int) -> int:
    """Return the kernel's memory for full sockets, and for events that are waited for."""
    sockets: set[str] = set()
    hidden = watches = 0
    for process, status in zip(processes, statuses, strict=True):
        if len(processes) <= FEW and status.files <= FEW:
            continue
        try:
            opened = links(process)
        except PermissionError:  # it has closed itself to its user
            hidden += status.files
            continue
        for place, target in opened.items():
            if target.startswith("socket:["):  # with its number
                sockets.add(target)
            elif target == "anon_inode:[eventpoll]" and watches < MOST_WATCHES:
                watches += watched(place)
    if watches >= MOST_WATCHES:
        return most + 1
    return (len(sockets) + hidden) * SOCKET + watches * WATCH


def links(process: int) -> dict[str, str]:
    """Return a process's open files by their places in ``/proc``; none if it has ended.

    If its first thread has ended before others, only these have them.

    Raises
    ------
    PermissionError
        If the process belongs to another user, or has closed itself to its own.
    """
    refused = None
    for thread in threads(process):
        folder, found = f"/proc/{process}/task/{thread}", {}
        try:
            for name in os.listdir(f"{folder}/fd"):
                with suppress(FileNotFoundError):  # it has been closed meanwhile
                    found[f"{folder}/fdinfo/{name}"] = os.readlink(f"{folder}/fd/{name}")
        except PermissionError as error:  # for a user's own first thread, once it has ended
            refused = error
        except (FileNotFoundError, ProcessLookupError):  # the thread has ended
            continue
        if found:
            return found
    if refused is not None:
        raise refused
    return {}


def watched(place: str) -> int:
    """Return the number of files that an epoll waits for, by its place in ``/proc``."""
    with suppress(OSError), open(place, "rb", buffering=0) as file:
        return file.readall().count(b"\ntfd:")
    return 0


def locks(processes: Iterable[int]) -> int:
    """Return the number of file parts that processes have locked, up to :data:`MOST_LOCKS`."""
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
    """Return the seconds until the next measurement, given the bytes still free."""
    return min(LATEST, max(SOONEST, room / FASTEST))
