"""Leftover processes of a player that has killed its supervisor and the fork server.

Every process that a player starts inherits a token in its environment. A daemon that left its
session and its parent still has it, so a search of ``/proc`` finds it. Normally none are left:
:mod:`ludograph.hosting.supervisor` has ended them all, or :mod:`ludograph.hosting.forkserver`.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from ludograph.hosting.process_tree import send, threads

TOKEN = "LUDOGRAPH_PLAYER"
ROUNDS = 200


def bearers(token: str) -> list[int]:
    """Return the processes of this user with a token in their environment; zombies have none."""
    needle = f"{TOKEN}={token}".encode()
    others = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    others.remove(os.getpid())
    return [process for process in others if needle in environment(process)]


def environment(process: int) -> list[bytes]:
    """Return the variables of a process; none if it belongs to another user, or has ended.

    If its first thread has ended before others, only these have them.
    """
    for thread in threads(process):
        with (
            suppress(OSError),
            open(f"/proc/{process}/task/{thread}/environ", "rb", buffering=0) as file,
        ):
            if text := file.read(1 << 20):
                return text.split(b"\0")
    return []


def kill_all(token: str) -> int:
    """Kill every process with a token; return the number of processes found.

    Notes
    -----
    The search is repeated until it finds nothing, because a process may fork before it is killed;
    the processes found are stopped before any is killed, so that they cannot fork.
    """
    total = 0
    for _ in range(ROUNDS):
        found = bearers(token)
        if not found:
            break
        total += len(found)
        for process in found:
            send(process, signal.SIGSTOP)
        for process in found:
            send(process, signal.SIGKILL)
        time.sleep(0.001)
    return total
