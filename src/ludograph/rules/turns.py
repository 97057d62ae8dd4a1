"""Turns of processes that want the same kernel: one compiles it, the others wait for its file.

Each kernel has a byte of its own in one file beside the kernels, which is locked while it is
compiled. Such locks (POSIX record locks) end with the process that holds them, however it ends, and
are not inherited. Where none can be had (a folder that is read only, a file system without locks)
everybody compiles.
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
PATIENCE = 30.0
"""Seconds after which one compiles all the same: who holds the lock may have been stopped."""

PAUSE = 0.02
NO_TURN = -1


class Turns:
    """Those of this process."""

    def __init__(self) -> None:
        self._local = threading.local()

    def begin(self, path: Path) -> None:
        """Wait until no other process compiles the kernel of a file; it is this one's turn then."""
        held = self._held()
        file, byte = opened(path.parent, os.getpid()), byte_of(path)
        until = time.monotonic() + PATIENCE
        while file is not None:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
            except OSError as error:
                if error.errno in HELD and time.monotonic() < until:
                    time.sleep(PAUSE)
                    continue
                break
            held.append((file, byte))
            return
        held.append((NO_TURN, 0))

    def end(self) -> None:
        """The turn begun last in this thread is over."""
        held = self._held()
        if held:
            release(*held.pop())

    def abandon(self) -> None:
        """So are all of this thread: something has failed."""
        while self._held():
            self.end()

    def _held(self) -> list[tuple[int, int]]:
        if not hasattr(self._local, "held"):
            self._local.held = []
        held: list[tuple[int, int]] = self._local.held
        return held


def release(file: int, byte: int) -> None:
    """Let go of a lock, if it is one."""
    if file != NO_TURN:
        with contextlib.suppress(OSError):  # closed by somebody who closes all there is
            fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)


@functools.cache
def opened(folder: Path, process: int) -> int | None:  # noqa: ARG001
    """Return the file of the locks of a folder; None if there can be none.

    It stays open: a process that closes a file loses all its locks on it. One that was forked may
    have closed what it inherited, so each opens it for itself.
    """
    try:
        return os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


def byte_of(path: Path) -> int:
    """Return the place of a kernel's byte: the first 60 bits of the digest in its name."""
    return int(path.stem.rpartition("-")[2][:15], 16)


turns = Turns()
