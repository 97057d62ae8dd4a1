"""The memory of a player's processes, measured from outside while they run.

A limit on addresses would break programs that reserve more than they use, as numba and Java do, so
the resident size counts. Pages that several processes share count once. The kernel's memory for the
processes counts too: page tables, mappings, open files, full sockets, events that are waited for.
The filter of system calls forbids memory that would be resident in no process, except files in a
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

OPEN_FILE = (8 << 10) + 256 * (os.cpu_count() or 1)
"""The kernel's memory for an open file in bytes: the two pages of a pipe if a user has many of
them, or a line of counts of every processor."""

SOCKET = 208 << 10
"""The most bytes that wait in a socket. It is open in a process of the player, and has the system's
default size, or what is usual: the filter of system calls does not let a player change that."""

with suppress(OSError, ValueError):  # not in each namespace
    SOCKET = int(Path("/proc/sys/net/core/wmem_default").read_text(encoding="ascii"))

WATCH = 200
"""The kernel's memory for a file whose events are waited for (epoll), in bytes."""

MOST_WATCHES = 1 << 14
"""The greatest number of such files: the kernel counts them for all processes of the user."""

NOTES = 2 << 20
"""The most bytes that the kernel keeps for an open file of ``/proc/.../fdinfo``: it has a line for
each event that is waited for."""

MAPPING, LINK = 512, 64
"""The kernel's memory for a mapping in bytes, and for its link to the same mapping of a process
from which this one was forked: there may be one for every process of the player."""

MOST_MAPPINGS = 1 << 16
"""The usual limit on the mappings of a process."""

SCRATCH_FILE = 2 << 10
"""The kernel's memory for a file in memory, beside its pages, in bytes."""

STATUS_BYTES = 1 << 16
"""The most bytes of a process's ``status``, which lists the groups of its user, too."""


def held(processes: Iterable[int], most: int, scratch: Sequence[str] = ()) -> int:
    """Return the bytes that processes use, exact if they might be more than ``most``.

    If they are certainly more, the result is any greater number.

    Parameters
    ----------
    scratch
        The player's own folders in memory.
    """
    found = [status for process in processes if (status := Status.of(process)) is not None]
    resident = sum(status.resident for status in found)
    kernel = sum(status.tables for status in found)
    kernel += sum(map(used, scratch)) + behind_files(found, most)
    mapping = MAPPING + LINK * len(found)
    if resident + kernel + len(found) * MOST_MAPPINGS * mapping > most:
        kernel += mapping * mappings(found, most // mapping)
    if kernel > most or resident + kernel <= most:
        return resident + kernel
    return kernel + sum(share(status, with_files=not scratch) for status in found)


class Status(NamedTuple):
    """The memory of a process by ``/proc``.

    Attributes
    ----------
    place
        Its folder there; that of another thread if its first one has ended.
    resident
        Bytes in memory or swapped out, shared ones included.
    tables
        Bytes of its page tables: with widely scattered addresses they exceed the memory itself.
    files
        Open files; before Linux 6.2 the size of the table of them, 1024 for a host's process.
    """

    place: str
    resident: int
    tables: int
    files: int

    @classmethod
    def of(cls, process: int) -> Status | None:
        """Return the memory of a process; None if it is gone."""
        found = cls._at(f"/proc/{process}")
        for thread in [] if found else threads(process):
            found = found or cls._at(f"/proc/{process}/task/{thread}")
        return found

    @classmethod
    def _at(cls, place: str) -> Status | None:
        """Return the memory that a process or thread reports in its folder; None if it is gone."""
        try:
            with open(f"{place}/status", "rb", buffering=0) as file:
                text = file.read(STATUS_BYTES)
            # A process chooses its name, which may contain any end of a line except this one.
            lines = dict(line.partition(b":")[::2] for line in text.split(b"\n"))
            amounts = (lines[name].split()[0] for name in (b"VmRSS", b"VmSwap", b"VmPTE"))
            resident, swapped, tables = (int(amount) * 1024 for amount in amounts)
            files = os.stat(f"{place}/fd").st_size  # since Linux 6.2
        except (OSError, KeyError):
            return None
        files = files or int(lines[b"FDSize"])
        return cls(place, resident + swapped, tables, files)


def share(status: Status, *, with_files: bool = True) -> int:
    """Return a process's resident bytes, with its part of shared pages; 0 if it is gone.

    Parameters
    ----------
    with_files
        Whether files in memory count.
    """
    total = 0
    try:
        with open(f"{status.place}/smaps_rollup", "rb") as file:
            for line in file:
                name, _, amount = line.partition(b":")
                if name in (b"Pss", b"SwapPss"):
                    total += int(amount.split()[0])
                elif name == b"Pss_Shmem" and not with_files:
                    total -= int(amount.split()[0])
    except PermissionError:  # it has closed itself to its user
        return status.resident
    except OSError:  # it has ended
        return 0
    return total * 1024


def mappings(processes: Iterable[Status], most: int) -> int:
    """Return the number of mappings of processes; any greater number if it is over ``most``."""
    count = 0
    for status in processes:
        try:
            with open(f"{status.place}/maps", "rb", buffering=0) as file:
                while count <= most and (lines := file.read(1 << 16)):
                    count += lines.count(b"\n")
        except PermissionError:
            count += MOST_MAPPINGS
        except OSError:
            continue
    return count


def behind_files(processes: Iterable[Status], most: int) -> int:
    """Return the kernel's memory for open files, full sockets, and events that are waited for.

    If there are too many of these, the result is more than ``most``.
    """
    sockets: set[str] = set()
    hidden = opened = watches = notes = 0
    for status in processes:
        try:
            files = os.listdir(f"{status.place}/fd")
        except PermissionError:
            hidden += status.files
            continue
        except OSError:
            continue
        opened += len(files)
        for file in files:
            with suppress(OSError):  # it has been closed meanwhile
                target = os.readlink(f"{status.place}/fd/{file}")
                if target.startswith("socket:["):  # with its number
                    sockets.add(target)
                elif target.startswith("/proc/") and "/fdinfo/" in target:
                    notes += 1
                elif target == "anon_inode:[eventpoll]" and watches < MOST_WATCHES:
                    watches += watched(f"{status.place}/fdinfo/{file}")
    if watches >= MOST_WATCHES:
        return most + 1
    of_files = (opened + hidden) * OPEN_FILE + notes * NOTES
    return of_files + (len(sockets) + hidden) * SOCKET + watches * WATCH


def watched(place: str) -> int:
    """Return the number of files that an epoll waits for, by its place in ``/proc``."""
    with open(place, "rb", buffering=0) as file:
        return file.readall().count(b"\ntfd:")


def used(folder: str) -> int:
    """Return the bytes of the files in a file system in memory."""
    told = os.statvfs(folder)
    return (told.f_blocks - told.f_bfree) * told.f_frsize + SCRATCH_FILE * (
        told.f_files - told.f_ffree
    )


def pause(room: int) -> float:
    """Return the seconds until the next measurement, given the bytes still free."""
    return min(LATEST, max(SOONEST, room / FASTEST))
