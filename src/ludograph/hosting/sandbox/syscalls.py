"""System calls that Python does not have."""

from __future__ import annotations

import ctypes
import os
import signal
import struct

CLONE_FILES = 0x00000400
CLONE_THREAD = 0x00010000
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
CLONE_CHILD_CLEARTID = 0x00200000
CLONE_CHILD_SETTID = 0x01000000
CLONE_INTO_CGROUP = 0x200000000

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_GET_TID_ADDRESS = 40
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2

CLONE3 = 435
MOUNT_SETATTR = 442
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
"""Numbers of system calls, which are the same on all machines."""

ARGUMENTS = struct.Struct("=11Q")
"""``struct clone_args``: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls,
set_tid, set_tid_size, cgroup."""

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


def fork_into(group: int) -> int:
    """Fork as ``os.fork`` does, the child in a control group; only for processes of one thread.

    Parameters
    ----------
    group
        A descriptor of the group's folder.

    Raises
    ------
    OSError
        If the kernel cannot do it, or may not: then nothing has been forked.

    Notes
    -----
    To move a process into a group, the kernel waits until all processors have passed through it
    once, some 15 ms on an idle machine, and blocks all forks meanwhile. A process that is created
    in the group costs only a fork. The C library has no such fork, so this function calls the
    kernel. Python has functions for code that forks by itself. The C library stores the number of
    its thread; the kernel writes the new one to the address that the library has given for the
    thread's end.

    See the manual's clone(2) on ``CLONE_INTO_CGROUP`` (Linux 5.7), and ``PR_GET_TID_ADDRESS``.
    """
    thread = ctypes.c_void_p()
    prctl(PR_GET_TID_ADDRESS, ctypes.addressof(thread))
    flags = CLONE_INTO_CGROUP | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID
    fields = ARGUMENTS.pack(flags, 0, thread.value, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, group)
    arguments = ctypes.create_string_buffer(fields, ARGUMENTS.size)
    kernel = ctypes.PyDLL(None, use_errno=True).syscall  # PyDLL keeps the interpreter's lock
    kernel.restype = ctypes.c_long
    ctypes.pythonapi.PyOS_BeforeFork()
    child = kernel(ctypes.c_long(CLONE3), arguments, ctypes.c_size_t(ARGUMENTS.size))
    error = ctypes.get_errno()
    if child == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if child < 0:
        raise OSError(error, f"clone3: {os.strerror(error)}")
    return int(child)
