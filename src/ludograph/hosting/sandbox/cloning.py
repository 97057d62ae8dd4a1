"""A process that is created in a control group.

To move a process into a group, the kernel waits until all processors have passed through it once,
some 15 ms on an idle machine, and blocks all forks meanwhile. A process that is created in the
group costs only a fork. The C library has no such fork, so this module calls the kernel, and
updates Python and the C library: Python by its functions for code that forks by itself; the C
library, which stores the number of its thread, by the kernel, which writes the number to the
address that the library has given for the thread's end.

See the manual's clone(2) on ``CLONE_INTO_CGROUP`` (Linux 5.7), and ``PR_GET_TID_ADDRESS``.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct

from ludograph.hosting.sandbox.syscalls import prctl

CLONE3 = 435
CLONE_CHILD_CLEARTID = 0x00200000
CLONE_CHILD_SETTID = 0x01000000
CLONE_INTO_CGROUP = 0x200000000
PR_GET_TID_ADDRESS = 40

ARGUMENTS = struct.Struct("=11Q")
"""``struct clone_args``: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls,
set_tid, set_tid_size, cgroup."""


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
