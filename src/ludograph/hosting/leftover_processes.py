"""Leftover processes of a player, should its supervisor have failed: found and killed.

Every process that a player starts inherits a token in its environment. A daemon that left its
session and its parent still carries it, so a look through ``/proc`` finds it. Normally there is
nothing to find: :mod:`ludograph.hosting.supervisor` has ended them all.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

from ludograph.hosting.process_tree import children, descendants, state_of

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


def kill_orphans(forker: int, token: str) -> int:
    """Kill what a supervisor has left that was killed by its player; return how many were found.

    Such processes are the children of the one that has forked the supervisor. Its other children
    are supervisors, and each of these bears the token of its own player.
    """
    total = 0
    for _ in range(ROUNDS):
        found = [child for child in children(forker) if not is_supervisor(child, token)]
        if not found:
            break
        total += len(found)
        for process in found:
            below = descendants(process)
            for one in (process, *below):
                _signal(one, signal.SIGSTOP)
            for one in (process, *below):
                _signal(one, signal.SIGKILL)
        time.sleep(0.001)
    return total


def is_supervisor(process: int, token: str) -> bool:
    """Tell whether a process bears a token, and not this one; a zombie may be anything."""
    try:
        with open(f"/proc/{process}/environ", "rb", buffering=0) as file:
            variables = file.read(1 << 20).split(b"\0")
    except OSError:
        return True
    if not variables[0]:
        return state_of(process) in ("", "Z", "X")
    own = f"{TOKEN}={token}".encode()
    return own not in variables and any(x.startswith(f"{TOKEN}=".encode()) for x in variables)


def _signal(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)
