"""Finding what is left of a player, should its keeper have failed.

Every process that a player starts inherits a token in its environment. A daemon that left its
session and its parent still carries it, so a look through ``/proc`` finds it. Normally there is
nothing to find: :mod:`ludograph.players.keeper` has ended them all.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

TOKEN = "LUDOGRAPH_PLAYER"
ROUNDS = 200


def bearers(token: str) -> list[int]:
    """Return the processes whose environment holds a token; zombies have no environment."""
    needle = f"{TOKEN}={token}".encode()
    found = []
    own = os.getpid()
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == own:
            continue
        with contextlib.suppress(OSError):  # it ended meanwhile, or is not ours to look at
            descriptor = os.open(f"/proc/{entry}/environ", os.O_RDONLY)
            try:
                if needle in os.read(descriptor, 1 << 20).split(b"\0"):
                    found.append(int(entry))
            finally:
                os.close(descriptor)
    return found


def kill_all(token: str) -> int:
    """Kill every process that holds a token; return how many times one was found.

    Notes
    -----
    The search is repeated until it finds nothing, since a process may fork between a look and
    its end; those found are stopped before any is killed, so that they fork no more.
    """
    total = 0
    for _ in range(ROUNDS):
        found = bearers(token)
        if not found:
            break
        total += len(found)
        for process in found:
            _signal(process, signal.SIGSTOP)
        for process in found:
            _signal(process, signal.SIGKILL)
        time.sleep(0.001)
    return total


def _signal(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)
