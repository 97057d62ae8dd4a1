"""The filter of system calls: a program of the kernel's packet filter (BPF).

libseccomp knows the number of each call on this machine. The filter is made once for all players of
one fork server. A refused call fails with an error number, so that a player can go on without it.
Only programs for another kind of processor are killed.

See the manual's seccomp(2), and the kernel's documentation, "Seccomp BPF".
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import socket
import struct
import sys
import termios
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple

from ludograph.hosting.sandbox import syscalls
from ludograph.hosting.sandbox.syscalls import (
    CLONE_FILES,
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    CLONE_THREAD,
    PR_SET_SECCOMP,
    prctl,
)
from ludograph.players.isolation import Level

LIBRARY = "libseccomp.so.2"
ALLOW, KILL = 0x7FFF0000, 0
REFUSE = 0x00050000  # with the error's number in the low bits
MODE_FILTER = 2

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
    errno.EACCES: "bind connect listen socket",
    PRETENDED: "flock sched_setaffinity setsid sync syncfs sync_file_range",
    errno.EPERM: """
        acct add_key adjtimex bpf chown chroot clock_adjtime clock_settime delete_module
        fanotify_init fchown fchownat finit_module fsconfig fsmount fsopen fspick init_module ioperm
        iopl kcmp kexec_file_load kexec_load keyctl lchown lookup_dcookie migrate_pages mount
        move_mount move_pages mq_unlink name_to_handle_at nfsservctl open_by_handle_at open_tree
        perf_event_open pidfd_getfd pivot_root process_madvise process_vm_readv process_vm_writev
        ptrace quotactl reboot request_key setdomainname sethostname setns settimeofday swapoff
        swapon syslog umount umount2 unshare userfaultfd vhangup
    """,
    errno.ENOSYS: """
        clone3 inotify_init inotify_init1 io_setup io_uring_enter io_uring_register io_uring_setup
        mbind memfd_create mincore modify_ldt mq_open msgctl msgget msgrcv msgsnd seccomp semctl
        semget semop semtimedop shmat shmctl shmget
    """,
    errno.EINVAL: "sendfile sendfile64 splice tee vmsplice",
    errno.EOPNOTSUPP: """
        fremovexattr fsetxattr lremovexattr lsetxattr removexattr setxattr
    """,
}
"""The refused calls, by error. ``ENOSYS`` makes programs use an older call: ``clone3`` hides its
flags from a filter, and memory in a ``memfd`` or a shared segment is resident in no process. The
kernel counts nowhere what it keeps for filters of system calls and for policies of pages
(``mbind``: for each page of a file), nor pages that are in pipes and sockets only. ``EINVAL`` makes
programs that copy with ``sendfile`` or ``splice`` read and write instead.

A player has one session: the scheduler gives every session the same share of the processors, so a
player with hundreds of them would keep the referee from running. It cannot choose its processors:
on one of them its own processes would keep it waiting, which looks like the fault of others.

Players of two games see the same files. So these must carry no message: a player cannot lock a
file, notice who opens it, change its attributes, have all files written to the disk, or learn which
of its pages are in memory. Locks seem to succeed, because databases that only read need them.
"""

CHANGES_OF_FILES = "chmod fchmod fchmodat futimesat utime utimensat utimes"
"""Calls that change the mode or the times of any file of the same user, which Landlock allows, and
which reach the interpreter under ``strict``, too: ``/proc/self/exe`` leads out of the player's own
mounts. They seem to succeed where a player has files of its own, because copying needs them."""

NEWEST = 441
"""The newest system call that players have, ``epoll_pwait2`` of Linux 5.11. Later calls have the
same numbers on every machine, and programs do without them. Among these are Landlock's, whose rules
are memory that is counted nowhere."""


class Commands(NamedTuple):
    """The commands that players have of a call.

    Attributes
    ----------
    argument
        The index of the call's argument that is the command.
    error
        The error of all other commands.
    listed
        Their numbers by name.
    """

    argument: int
    error: int
    listed: Mapping[str, int]


def _named(module: ModuleType, names: str) -> dict[str, int]:
    """Return constants of a module by name: those that every interpreter has."""
    return {name: getattr(module, name) for name in names.split()}


LOCKS = ("F_SETLK", "F_SETLKW")
"""The locks of a file, which others could see."""

COMMANDS = {
    "fcntl": Commands(
        1,
        errno.EPERM,
        _named(fcntl, "F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_GETLK F_SETLK F_SETLKW")
        | {"F_DUPFD_CLOEXEC": 1030, "F_GETPIPE_SZ": 1032},
    ),
    "ioctl": Commands(1, errno.ENOTTY, _named(termios, "FIONREAD FIONBIO FIONCLEX FIOCLEX")),
    "madvise": Commands(
        2,
        errno.EINVAL,
        _named(mmap, "MADV_NORMAL MADV_RANDOM MADV_SEQUENTIAL MADV_WILLNEED MADV_DONTNEED")
        | _named(mmap, "MADV_REMOVE MADV_DONTFORK MADV_DOFORK")
        | {
            "MADV_FREE": 8,
            "MADV_HUGEPAGE": 14,
            "MADV_NOHUGEPAGE": 15,
            "MADV_DONTDUMP": 16,
            "MADV_DODUMP": 17,
            "MADV_WIPEONFORK": 18,
            "MADV_KEEPONFORK": 19,
            "MADV_POPULATE_READ": 22,
            "MADV_POPULATE_WRITE": 23,
            "MADV_DONTNEED_LOCKED": 24,
        },
    ),
    "prctl": Commands(
        0,
        errno.ENOSYS,
        _named(syscalls, "PR_SET_PDEATHSIG PR_SET_DUMPABLE PR_SET_CHILD_SUBREAPER")
        | _named(syscalls, "PR_SET_NO_NEW_PRIVS PR_GET_TID_ADDRESS")
        | {
            "PR_GET_PDEATHSIG": 2,
            "PR_GET_DUMPABLE": 3,
            "PR_GET_KEEPCAPS": 7,
            "PR_SET_NAME": 15,
            "PR_GET_NAME": 16,
            "PR_GET_SECCOMP": 21,
            "PR_CAPBSET_READ": 23,
            "PR_SET_TIMERSLACK": 29,
            "PR_GET_TIMERSLACK": 30,
            "PR_GET_CHILD_SUBREAPER": 37,
            "PR_GET_NO_NEW_PRIVS": 39,
            "PR_SET_THP_DISABLE": 41,
            "PR_GET_THP_DISABLE": 42,
            "PR_SVE_GET_VL": 51,
        },
    ),
    "setsockopt": Commands(
        2,
        errno.ENOPROTOOPT,
        _named(socket, "SO_DEBUG SO_REUSEADDR SO_DONTROUTE SO_BROADCAST SO_KEEPALIVE SO_OOBINLINE")
        | _named(socket, "SO_PRIORITY SO_LINGER SO_REUSEPORT SO_PASSCRED SO_RCVLOWAT")
        | {"SO_RCVTIMEO_OLD": 20, "SO_SNDTIMEO_OLD": 21, "SO_TIMESTAMP_OLD": 29},
    ),
}
"""The calls of many commands.

Commands that are not listed leave messages (hints and leases of files, commands of file systems,
pages that leave the memory or are merged), signal any process (owners of files), or have memory
that is counted nowhere: larger pipes and sockets, filters of system calls and of sockets, names of
mappings, a table of futexes of any size. Those of terminals fail as on a pipe: a player has no
terminal.
"""

SHARED_ANONYMOUS = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
"""Flags of ``mmap``: such memory stays when all but a page of it is unmapped, and is then resident
in no process."""

MAP_HUGETLB = 0x40000
"""Flag of ``mmap``: such memory is not resident in any process, either."""

NODE_OF_PAGE = 2
"""``MPOL_F_ADDR``: the node of memory in which a page is."""

FADV_DONTNEED = 4
"""Advice by which a file leaves the memory: which pages were read later would be a message."""

PROCESS_ONLY = {"ioprio_set": 1, "setpriority": 0}
"""Calls for a process, a group or a user, with the number for a process."""

OF_ITSELF = (
    "prlimit64",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
)
"""Calls that change limits or priority of any process of the same user."""

CLOSE_RANGE_UNSHARE = 2

SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal")


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def program(level: Level, alone: int | None = None) -> bytes:
    """Return the filter's instructions.

    Parameters
    ----------
    level
        The level of isolation.
    alone
        A process that can send signals only to itself; None if something else prevents signals.

    Raises
    ------
    OSError
        If libseccomp is missing.
    """
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_arch_native.restype = ctypes.c_uint32
    made = [
        (LOAD, 0, 0, PROCESSOR),
        (EQUAL, 1, 0, library.seccomp_arch_native()),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, NEWEST + 1),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for name, condition, error in rules(level, alone):
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # neither newer than the library, nor missing on this machine
            body = [*condition, (RETURN, 0, 0, REFUSE | error), (LOAD, 0, 0, NUMBER)]
            made += [(EQUAL, 0, len(body), number), *body]
    made.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack(INSTRUCTION, *one) for one in made)


Instruction = tuple[int, int, int, int]
INSTRUCTION = "=HBBI"
"""``struct sock_filter``: code, instructions to skip if true and if false, value."""

LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
"""Codes of instructions: load a word, take bits of it, compare it, return."""

NUMBER, PROCESSOR, ARGUMENTS = 0, 4, 16
"""The offsets of a call's number, processor and arguments in ``struct seccomp_data``."""


class _Rule(NamedTuple):
    """A call, when it is refused, and its error.

    The condition skips the instruction behind it unless the call is refused.
    """

    name: str
    condition: Sequence[Instruction]
    error: int


ALWAYS: Sequence[Instruction] = ()


def _load(argument: int, half: int = 0) -> Instruction:
    """Return the instruction that loads the lower half of an argument, or the upper one."""
    return LOAD, 0, 0, ARGUMENTS + 8 * argument + 4 * (half ^ (sys.byteorder == "big"))


def _is(argument: int, value: int, mask: int = 0xFFFFFFFF) -> Sequence[Instruction]:
    """Return the condition that an argument has a value, in the bits of a mask."""
    return _load(argument), (AND, 0, 0, mask), (EQUAL, 0, 1, value)


def _is_not(argument: int, value: int) -> Sequence[Instruction]:
    """Return the condition that an argument is not a value of 32 bits."""
    upper = _load(argument, half=1), (EQUAL, 0, 2, 0)
    return *upper, _load(argument), (EQUAL, 1, 0, value)


def _is_none_of(argument: int, values: Collection[int]) -> Sequence[Instruction]:
    """Return the condition that the lower half of an argument, as in the kernel, is not listed."""
    count = len(values)
    return _load(argument), *((EQUAL, count - at, 0, one) for at, one in enumerate(values))


def rules(level: Level, alone: int | None) -> Iterator[_Rule]:
    """Yield the rules of a filter; see :func:`program`."""
    for error, names in REFUSED.items():
        for name in names.split():
            yield _Rule(name, ALWAYS, error)
    for name, (argument, error, listed) in COMMANDS.items():
        yield _Rule(name, _is_none_of(argument, listed.values()), error)
    for bit in (1 << place for place in range(32) if NAMESPACES >> place & 1):
        yield _Rule("clone", _is(0, bit, bit), errno.EPERM)
    for name in ("mmap", "mmap2"):
        yield _Rule(name, _is(3, SHARED_ANONYMOUS, SHARED_ANONYMOUS), errno.EPERM)
        yield _Rule(name, _is(3, MAP_HUGETLB, MAP_HUGETLB), errno.ENOMEM)
    yield _Rule("socketpair", _is_not(0, socket.AF_UNIX), errno.EAFNOSUPPORT)
    for lock in LOCKS:
        yield _Rule("fcntl", _is(1, COMMANDS["fcntl"].listed[lock]), PRETENDED)
    yield from _keep_files(level)
    yield from _keep_pages()
    yield from _change_only_itself()
    yield from _keep_descriptors()
    if alone is not None:
        yield from _signal_only(alone)


def _keep_files(level: Level) -> Iterator[_Rule]:
    """Refuse to change files of the same user.

    Under ``basic`` a player has no files of its own, and before Linux 6.2 Landlock lets it empty
    any: ``truncate`` without opening it, and ``O_TRUNC`` where it opens it for reading, or with the
    access mode 3, which asks for no right at all.
    """
    for name in CHANGES_OF_FILES.split():
        yield _Rule(name, ALWAYS, PRETENDED if level is Level.STRICT else errno.EPERM)
    if level is Level.STRICT:
        return
    yield _Rule("truncate", ALWAYS, errno.EPERM)
    yield _Rule("openat2", ALWAYS, errno.ENOSYS)  # its flags are hidden from a filter
    for name, flags in (("open", 1), ("openat", 2)):
        yield _Rule(name, _is(flags, os.O_TRUNC, os.O_ACCMODE | os.O_TRUNC), errno.EPERM)
        yield _Rule(name, _is(flags, os.O_ACCMODE, os.O_ACCMODE), errno.EPERM)


def _keep_pages() -> Iterator[_Rule]:
    """Refuse to drop pages of files from memory, and to ask whether they are there."""
    yield _Rule("fadvise64", _is(3, FADV_DONTNEED), PRETENDED)
    yield _Rule("preadv2", _is_not(5, 0), errno.EOPNOTSUPP)  # no flags, as ``RWF_NOWAIT``
    yield _Rule("get_mempolicy", _is(4, NODE_OF_PAGE, NODE_OF_PAGE), errno.EPERM)


def _change_only_itself() -> Iterator[_Rule]:
    """Refuse to change limits and priorities of other processes of the same user.

    Under ``strict`` this is the supervisor: without descriptors it could not measure memory.
    """
    for name in OF_ITSELF:
        yield _Rule(name, _is_not(0, 0), errno.EPERM)
    for name, process in PROCESS_ONLY.items():
        yield _Rule(name, _is_not(0, process), errno.EPERM)
        yield _Rule(name, _is_not(1, 0), errno.EPERM)


def _keep_descriptors() -> Iterator[_Rule]:
    """Keep a player's open files, and what it sends, where they are counted: in its processes.

    Those in messages between sockets are counted for the user, so that a few of them would keep the
    referee from sending its own. A filter does not see whether a message has any. A socket has only
    the sender that it was made with: many could fill it, and be closed.
    """
    for name in ("sendmsg", "sendmmsg"):
        yield _Rule(name, ALWAYS, errno.EPERM)
    yield _Rule("sendto", _is_not(4, 0), errno.EPERM)  # to another socket than its own other end
    yield _Rule("clone", _is(0, CLONE_THREAD, CLONE_THREAD | CLONE_FILES), errno.EPERM)
    yield _Rule("close_range", _is(2, CLOSE_RANGE_UNSHARE, CLOSE_RANGE_UNSHARE), errno.EINVAL)


def _signal_only(process: int) -> Iterator[_Rule]:
    """Refuse to signal other processes."""
    for name in SIGNALS:
        always = name in {"pidfd_send_signal", "tkill"}
        yield _Rule(name, ALWAYS if always else _is_not(0, process), errno.EPERM)


def install(instructions: bytes) -> None:
    """Install a filter for this process and all that it starts; it cannot be removed."""
    wanted = _Program(len(instructions) // 8, instructions)
    prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.addressof(wanted))
