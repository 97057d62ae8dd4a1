"""Locks of processes that need the same kernel: one compiles it, the others wait for its file.

Each kernel has its own byte in one file beside the kernels, which is locked while the kernel is
compiled. Such locks (POSIX record locks) always end with the process that holds them, and are not
inherited. Without locks (in a read-only folder, or a file system without them) every process
compiles; so does one that waits for a process that was stopped.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import os
import threading
import time
from pathlib import Path

NAME = "compiling.lock"
HELD = (errno.EAGAIN, errno.EACCES)
PATIENCE = 120.0
"""Seconds after which a process compiles without the lock: the holder may have been stopped. No
kernel takes as long, except on a very busy machine."""

PAUSE = 0.02
NO_TURN = -1


class Turns(threading.local):
    """The locks of this thread: files and bytes, or ``NO_TURN``.

    Attributes
    ----------
    held
        The lock taken last stands last.
    """

    def __init__(self) -> None:
        self.held: list[tuple[int, int]] = []

    def begin(self, path: Path) -> None:
        """Wait until no other process compiles the kernel of a file, and lock it."""
        file, byte = opened(path.parent, os.getpid()), byte_of(path)
        if file is not None and locked_in_time(file, byte):
            self.held.append((file, byte))
        else:
            self.held.append((NO_TURN, 0))

    def end(self) -> None:
        """Release the lock taken last."""
        if self.held:
            release(*self.held.pop())

    def abandon(self) -> None:
        """Release all locks after a failure."""
        while self.held:
            self.end()


def locked_in_time(file: int, byte: int) -> bool:
    """Lock a byte, after waiting for its holder with patience; tell whether it is locked."""
    latest = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except OSError as error:
            if error.errno not in HELD or time.monotonic() >= latest:
                return False
        else:
            return True
        time.sleep(PAUSE)


def release(file: int, byte: int) -> None:
    """Release a lock, unless it is ``NO_TURN``."""
    if file != NO_TURN:
        with contextlib.suppress(OSError):  # closed by code that closes all files
            fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)


@functools.cache
def opened(folder: Path, process: int) -> int | None:  # noqa: ARG001
    """Return the file of the locks of a folder; None if there can be none.

    It stays open: a process that closes a file loses all its locks on it. A forked process may have
    closed its inherited files, so each process opens the file for itself.
    """
    try:
        return os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


def byte_of(path: Path) -> int:
    """Return the place of a kernel's byte: the first 60 bits of the digest in its name."""
    return int(path.stem.rpartition("-")[2][:15], 16)


turns = Turns()
