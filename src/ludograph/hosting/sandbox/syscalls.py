"""System calls that Python does not have."""

from __future__ import annotations

import ctypes
import os

CLONE_FILES = 0x00000400
CLONE_THREAD = 0x00010000
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2

MOUNT_SETATTR = 442
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
"""Numbers of system calls, which are the same on all machines."""

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long


def call(name: str, *arguments: object) -> int:
    """Call a function of the C library; raise OSError, naming it, where it returns -1."""
    result: int = getattr(LIBC, name)(*arguments)
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def system_call(what: str, number: int, *arguments: object) -> int:
    """Call the kernel; raise OSError, naming ``what``, where it returns -1."""
    widened = [ctypes.c_long(x) if isinstance(x, int) else x for x in arguments]
    result: int = LIBC.syscall(ctypes.c_long(number), *widened)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def prctl(option: int, *arguments: int) -> int:
    """Call ``prctl`` with the arguments as longs, the missing ones 0."""
    longs = [ctypes.c_ulong(x) for x in (*arguments, 0, 0, 0, 0)[:4]]
    return call("prctl", option, *longs)


def write(path: str, text: str) -> None:
    """Write a file of the kernel's at once."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
