"""The user, the rights and the limits of an isolated player."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from contextlib import suppress

from ludograph.hosting.sandbox.syscalls import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_RAISE,
    PR_CAPBSET_DROP,
    PR_SET_DUMPABLE,
    PR_SET_KEEPCAPS,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_SECUREBITS,
    call,
    prctl,
    write,
)

NOBODY = 65534
"""The user of a player if the referee is root."""

CAP_DAC_READ_SEARCH = 2
SECBIT_NO_SETUID_FIXUP = 4
LAST_CAPABILITY = 63
CAPABILITIES_VERSION = 0x20080522

PROCESSES = min(256, 64 + 16 * (os.cpu_count() or 1))
"""The most processes and threads of a player: a fork bomb with this number is ended within a tenth
of a second, even on few processors."""

SIGNALS = 1024
"""The most waiting signals of a player, and timers."""

FILES = 1024
"""The most descriptors of each of a player's processes."""

FILE_BYTES = 64 << 20
"""The size of the longest file that it may write, in bytes."""


def is_root() -> bool:
    """Tell whether this process is root, and of more than one user: it can become another."""
    with open("/proc/self/uid_map", "rb") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    return os.geteuid() == 0 and any(low <= NOBODY < low + count for low, _, count in ranges)


def raise_limit_of_files() -> None:
    """Let this process have as many open files as it may, and those that it starts.

    The kernel counts descriptors that are on their way between processes for the user, and compares
    them with the sender's limit: so one process can keep others with a lower limit from sending.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # the system's own limit was lowered since
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def lower_limit_of_files() -> None:
    """Give this process the usual limit of open files, which it may raise.

    With more, programs that close all possible descriptors, or have a table for them, take long.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    least = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (least, hard))


def limit(processes: int = PROCESSES) -> None:
    """Limit the resources of this process and of those that it starts."""
    for which, most in (
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 1 << 16),
        (resource.RLIMIT_SIGPENDING, SIGNALS),
    ):
        hard = resource.getrlimit(which)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (least, least))


def end_first(process: int) -> None:
    """Have the kernel end a process before any other if the machine lacks memory."""
    with suppress(OSError):  # a kernel may lack it
        write(f"/proc/{process}/oom_score_adj", "1000")


def drop(*, root: bool) -> None:
    """Give up all rights of the referee that a player does not need.

    If the referee is root, the player becomes the user nobody and keeps root's right to read,
    limited to the files that it sees: its folder may be closed to other users, as those of tests
    are.
    """
    kept = [CAP_DAC_READ_SEARCH] if root else []
    for capability in sorted({*range(LAST_CAPABILITY + 1)} - {*kept}):
        with suppress(OSError):  # the kernel has fewer, or this process has none to drop
            prctl(PR_CAPBSET_DROP, capability)
    if root:
        prctl(PR_SET_KEEPCAPS, 1)
        with suppress(OSError):  # access(2), which Java calls, would ignore the right kept below
            prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    set_capabilities(sum(1 << capability for capability in kept))
    for capability in kept:
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability)
    prctl(PR_SET_DUMPABLE, 1)  # otherwise it could not read its own entries in /proc
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def set_capabilities(kept: int) -> None:
    """Keep these capabilities of a process and of the programs that it starts."""
    head = struct.pack("<Ii", CAPABILITIES_VERSION, 0)
    low = kept & 0xFFFFFFFF
    call(
        "capset", ctypes.c_char_p(head), ctypes.c_char_p(struct.pack("<6I", low, low, low, 0, 0, 0))
    )
