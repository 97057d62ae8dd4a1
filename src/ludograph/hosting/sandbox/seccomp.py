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
from typing import Any

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
    PRETENDED: "setsid",
    errno.EPERM: """
        acct add_key adjtimex bpf chroot clock_adjtime clock_settime delete_module fanotify_init
        finit_module fsconfig fsmount fsopen fspick init_module ioperm iopl kcmp kexec_file_load
        kexec_load keyctl lookup_dcookie migrate_pages mount mount_setattr move_mount move_pages
        name_to_handle_at nfsservctl open_by_handle_at open_tree perf_event_open pidfd_getfd
        pivot_root process_madvise process_vm_readv process_vm_writev ptrace quotactl quotactl_fd
        reboot request_key setdomainname sethostname setns settimeofday swapoff swapon syslog
        umount umount2 unshare userfaultfd vhangup
    """,
    errno.ENOSYS: """
        clone3 io_uring_enter io_uring_register io_uring_setup memfd_create memfd_secret mq_open
        semget shmget msgget
    """,
}
"""The refused calls, by error. ``ENOSYS`` makes programs use an older call: ``clone3`` hides its
flags from a filter, and memory in a ``memfd`` or a shared segment is resident in no process. A
player has one session: the scheduler gives every session the same share of the processors, so a
player with hundreds of them would keep the referee from running.
"""

SHARED_ANONYMOUS = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
"""Flags of ``mmap``: such memory stays when all but a page of it is unmapped, and is then resident
in no process."""

BUFFER_SIZES = (7, 8, 32, 33)
"""``SO_SNDBUF``, ``SO_RCVBUF``, and both with ``FORCE``: a socket keeps the system's default
size."""

REFUSED_OF_FILES = (1031, 37, 38)
"""``F_SETPIPE_SZ``, and ``F_OFD_SETLK`` with or without waiting: the kernel does not report the
process of such locks."""

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
        for error, names in REFUSED.items():
            for name in names.split():
                _refuse(library, context, name, error)
        spaces = _Comparison(0, MASKED_EQUAL, 0, 0)
        for bit in (1 << place for place in range(32) if NAMESPACES >> place & 1):
            spaces.first = spaces.second = bit
            _refuse(library, context, "clone", errno.EPERM, spaces)
        typed = _Comparison(1, MASKED_EQUAL, 0xFFFFFFFF, TERMINAL_INPUT)
        _refuse(library, context, "ioctl", errno.EPERM, typed)
        shared = _Comparison(3, MASKED_EQUAL, SHARED_ANONYMOUS, SHARED_ANONYMOUS)
        for name in ("mmap", "mmap2"):
            _refuse(library, context, name, errno.EPERM, shared)
        for option in BUFFER_SIZES:
            wanted = _Comparison(2, MASKED_EQUAL, 0xFFFFFFFF, option)
            _refuse(library, context, "setsockopt", errno.EPERM, wanted)
        for name in ("fcntl", "fcntl64"):
            for what in REFUSED_OF_FILES:
                wanted = _Comparison(1, MASKED_EQUAL, 0xFFFFFFFF, what)
                _refuse(library, context, name, errno.EPERM, wanted)
        for name in SIGNALS if alone is not None else ():
            if name in {"pidfd_send_signal", "tkill"}:
                _refuse(library, context, name, errno.EPERM)
            else:
                other = _Comparison(0, NOT_EQUAL, alone or 0, 0)
                _refuse(library, context, name, errno.EPERM, other)
        return _exported(library, context)
    finally:
        library.seccomp_release(context)


def _refuse(
    library: Any, context: Any, name: str, error: int, comparison: _Comparison | None = None
) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
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
