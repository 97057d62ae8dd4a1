"""Waiting for descriptors of other processes, and reading them."""

from __future__ import annotations

import select
import signal
import socket
import time
from array import array
from contextlib import suppress


def number_of(process: int) -> int:
    """Return the number of a process in this namespace, from its descriptor."""
    with open(f"/proc/self/fdinfo/{process}", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["Pid"])


def received(line: socket.socket, size: int, seconds: float) -> bytes:
    """Return the received bytes, up to a size, or until no more come in time."""
    found = b""
    while len(found) < size and readable(line.fileno(), seconds):
        chunk = line.recv(size - len(found))
        if not chunk:
            break
        found += chunk
    return found


def received_with_descriptors(
    line: socket.socket, size: int, count: int
) -> tuple[bytes, list[int]]:
    """Wait for a message; return it and the descriptors that came with it, at most ``count``.

    Programs that this process starts do not get them: ``socket.recv_fds`` ignores such a flag
    in Python 3.11. The message is empty if the other end is closed.
    """
    numbers = array("i")
    space = socket.CMSG_LEN(count * numbers.itemsize)
    data, notes, _, _ = line.recvmsg(size, space, socket.MSG_CMSG_CLOEXEC)
    for level, kind, rights in notes:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            numbers.frombytes(rights[: len(rights) - len(rights) % numbers.itemsize])
    return data, list(numbers)


def readable(descriptor: int, seconds: float | None = None) -> bool:
    """Wait until something can be read, or a process has ended; return whether in time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1000.0))


PATIENCE = 0.01
"""Seconds until a supervisor that has not ended is resumed, in case it was stopped."""


def end(supervisor: int, seconds: float) -> None:
    """Wait at most this time for a supervisor to end by itself; then kill it.

    Parameters
    ----------
    supervisor
        A descriptor of the supervisor's process.
    """
    until = time.perf_counter() + seconds
    with suppress(ProcessLookupError):
        while not readable(supervisor, PATIENCE) and time.perf_counter() < until:
            signal.pidfd_send_signal(supervisor, signal.SIGCONT)
        signal.pidfd_send_signal(supervisor, signal.SIGKILL)
    readable(supervisor)
