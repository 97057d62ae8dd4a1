"""The filter of system calls, made with libseccomp.

The C library is called directly: it knows the calls of each machine by name, and the filter is made
once for all players of one fork server. A refused call fails with an error number, so that a player
can go on without it; the filter kills nothing.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ludograph.hosting.sandbox.syscalls import (
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    PR_SET_SECCOMP,
    prctl,
)

LIBRARY = "libseccomp.so.2"
ALLOW = 0x7FFF0000
REFUSE = 0x00050000  # with the error's number in the low bits
NOT_EQUAL, MASKED_EQUAL = 1, 7
MODE_FILTER = 2
UNKNOWN = -1  # __NR_SCMP_ERROR

NAMESPACES = (
    CLONE_NEWNS
    | CLONE_NEWCGROUP
    | CLONE_NEWUTS
    | CLONE_NEWIPC
    | CLONE_NEWUSER
    | CLONE_NEWPID
    | CLONE_NEWNET
)

PRETENDED = 0
"""The error number for a call that does nothing and succeeds."""

REFUSED = {
    errno.EACCES: "socket",
    PRETENDED: "flock sched_setaffinity setsid",
    errno.EPERM: """
        acct add_key adjtimex bpf chroot clock_adjtime clock_settime delete_module fanotify_init
        finit_module fsconfig fsmount fsopen fspick init_module ioperm iopl kcmp kexec_file_load
        kexec_load keyctl lookup_dcookie migrate_pages mount mount_setattr move_mount move_pages
        name_to_handle_at nfsservctl open_by_handle_at open_tree open_tree_attr perf_event_open
        pidfd_getfd pivot_root process_madvise process_vm_readv process_vm_writev ptrace quotactl
        quotactl_fd reboot request_key setdomainname sethostname setns settimeofday swapoff swapon
        syslog umount umount2 unshare userfaultfd vhangup
    """,
    errno.ENOSYS: """
        cachestat clone3 inotify_init inotify_init1 io_setup io_uring_enter io_uring_register
        io_uring_setup memfd_create memfd_secret mincore mq_open semget shmget msgget
    """,
}
"""The refused calls, by error. ``ENOSYS`` makes programs use an older call: ``clone3`` hides its
flags from a filter, and memory in a ``memfd`` or a shared segment is resident in no process. A
player has one session: the scheduler gives every session the same share of the processors, so a
player with hundreds of them would keep the referee from running. It cannot choose its processors:
on one of them its own processes would keep it waiting, which looks like the fault of others.

Players of two games see the same files. So these must carry no message: a player cannot lock a
file, notice who opens it, or learn which of its pages are in memory. Locks seem to succeed, because
databases that only read need them.
"""

NEWER = {"cachestat": 451, "open_tree_attr": 467}
"""The numbers of calls that libseccomp may not know, on every machine."""

SHARED_ANONYMOUS = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
"""Flags of ``mmap``: such memory stays when all but a page of it is unmapped, and is then resident
in no process."""

BUFFER_SIZES = (7, 8, 32, 33)
"""``SO_SNDBUF``, ``SO_RCVBUF``, and both with ``FORCE``: a socket keeps the system's default
size."""

REFUSED_OF_FILES = (1031, 37, 38, 1024, 1026)
"""``F_SETPIPE_SZ``; ``F_OFD_SETLK`` with or without waiting: the kernel does not report the process
of such locks; ``F_SETLEASE`` and ``F_NOTIFY``, which notice who opens a file."""

PRETENDED_OF_FILES = (6, 7)
"""``F_SETLK`` and ``F_SETLKW``: the locks of a file, which others could see."""

OWNERS_OF_FILES = (8, 15)
"""``F_SETOWN`` and ``F_SETOWN_EX``: the process that gets signals of a file."""

OWNERS_OF_SOCKETS = (0x8901, 0x8902)
"""``FIOSETOWN`` and ``SIOCSPGRP``: the same."""

FADV_DONTNEED = 4
"""Advice by which a file leaves the memory: which pages were read later would be a message."""

EVICTIONS = (20, 21)
"""``MADV_COLD`` and ``MADV_PAGEOUT``: the same, for a mapped file."""

RWF_NOWAIT = 8
"""The flag of a reading that fails if the page is not in memory."""

PROCESS_ONLY = {"ioprio_set": 1, "setpriority": 0}
"""Calls for a process, a group or a user, with the number for a process."""

OF_ITSELF = (
    "prlimit64",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
)
"""Calls that change limits or priority of any process of the same user."""

TERMINAL_INPUT = 0x5412  # TIOCSTI

SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal")


class _Comparison(ctypes.Structure):
    """``struct scmp_arg_cmp``."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def program(alone: int | None = None) -> bytes:
    """Return the filter's instructions.

    Parameters
    ----------
    alone
        A process that can send signals only to itself; None if something else prevents signals.

    Raises
    ------
    OSError
        If libseccomp is missing, or fails.
    """
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ALLOW)))
    if not context:
        raise OSError(errno.ENOMEM, "seccomp_init failed")
    try:
        for rule in rules(alone):
            _refuse(library, context, *rule)
        return _exported(library, context)
    finally:
        library.seccomp_release(context)


class _Rule(NamedTuple):
    """A refused call, its error, and the argument for which it is refused; None: for all."""

    name: str
    error: int
    argument: _Comparison | None = None


def _is(argument: int, value: int, mask: int = 0xFFFFFFFF) -> _Comparison:
    """Return the condition that an argument has a value, in the bits of a mask."""
    return _Comparison(argument, MASKED_EQUAL, mask, value)


def _is_not(argument: int, value: int) -> _Comparison:
    return _Comparison(argument, NOT_EQUAL, value, 0)


def rules(alone: int | None) -> Iterator[_Rule]:
    """Yield the rules of a filter; see :func:`program` for ``alone``."""
    for error, names in REFUSED.items():
        for name in names.split():
            yield _Rule(name, error)
    for bit in (1 << place for place in range(32) if NAMESPACES >> place & 1):
        yield _Rule("clone", errno.EPERM, _is(0, bit, bit))
    yield _Rule("ioctl", errno.EPERM, _is(1, TERMINAL_INPUT))
    for name in ("mmap", "mmap2"):
        yield _Rule(name, errno.EPERM, _is(3, SHARED_ANONYMOUS, SHARED_ANONYMOUS))
    for option in BUFFER_SIZES:
        yield _Rule("setsockopt", errno.EPERM, _is(2, option))
    yield from _of_files(REFUSED_OF_FILES, errno.EPERM)
    yield from _of_files(PRETENDED_OF_FILES, PRETENDED)
    yield from _keep_pages()
    yield from _change_only_itself()
    if alone is not None:
        yield from _signal_only(alone)


def _of_files(commands: Sequence[int], error: int) -> Iterator[_Rule]:
    for name in ("fcntl", "fcntl64"):
        for command in commands:
            yield _Rule(name, error, _is(1, command))


def _keep_pages() -> Iterator[_Rule]:
    """Refuse to drop pages of files from memory, and to ask whether they are there."""
    yield _Rule("fadvise64", PRETENDED, _is(3, FADV_DONTNEED))
    for eviction in EVICTIONS:
        yield _Rule("madvise", errno.EINVAL, _is(2, eviction))
    yield _Rule("preadv2", errno.EOPNOTSUPP, _is(5, RWF_NOWAIT, RWF_NOWAIT))


def _change_only_itself() -> Iterator[_Rule]:
    """Refuse to change limits and priorities of other processes of the same user.

    Under ``strict`` this is the supervisor: without descriptors it could not measure memory.
    """
    for name in OF_ITSELF:
        yield _Rule(name, errno.EPERM, _is_not(0, 0))
    for name, process in PROCESS_ONLY.items():
        yield _Rule(name, errno.EPERM, _is_not(0, process))
        yield _Rule(name, errno.EPERM, _is_not(1, 0))


def _signal_only(process: int) -> Iterator[_Rule]:
    """Refuse to signal other processes, also by the signals of a file."""
    yield from _of_files(OWNERS_OF_FILES, errno.EPERM)
    for command in OWNERS_OF_SOCKETS:
        yield _Rule("ioctl", errno.EPERM, _is(1, command))
    for name in SIGNALS:
        always = name in {"pidfd_send_signal", "tkill"}
        yield _Rule(name, errno.EPERM, None if always else _is_not(0, process))


def _refuse(
    library: Any, context: Any, name: str, error: int, comparison: _Comparison | None
) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number == UNKNOWN:
        number = NEWER.get(name, UNKNOWN)
    if number == UNKNOWN:
        return  # newer than the library, or not on this machine
    compared = [] if comparison is None else [comparison]
    array = (_Comparison * len(compared))(*compared)
    code = library.seccomp_rule_add_array(
        context, ctypes.c_uint32(REFUSE | error), number, len(compared), array
    )
    if code < 0:
        raise OSError(-code, f"seccomp_rule_add for {name}: {os.strerror(-code)}")


def _exported(library: Any, context: Any) -> bytes:
    read_end, write_end = os.pipe()
    try:
        code = library.seccomp_export_bpf(context, write_end)  # a few kB: a pipe holds more
    finally:
        os.close(write_end)
    with open(read_end, "rb") as file:
        if code < 0:
            raise OSError(-code, f"seccomp_export_bpf: {os.strerror(-code)}")
        return file.read()


def install(instructions: bytes) -> None:
    """Install a filter for this process and all that it starts; it cannot be removed."""
    wanted = _Program(len(instructions) // 8, instructions)
    prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.addressof(wanted))
