"""Leftover processes of a player whose supervisor has failed: found and killed.

Every process that a player starts inherits a token in its environment. A daemon that left its
session and its parent still has it, so a search of ``/proc`` finds it. Normally none are left:
:mod:`ludograph.hosting.supervisor` has ended them all.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

from ludograph.hosting.process_tree import children, descendants, is_dead, threads

TOKEN = "LUDOGRAPH_PLAYER"
ROUNDS = 200


def bearers(token: str) -> list[int]:
    """Return the processes with a token in their environment; zombies have no environment."""
    needle = f"{TOKEN}={token}".encode()
    found = []
    own = os.getpid()
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == own:
            continue
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if needle in environment(entry):
                found.append(int(entry))
    return found


def environment(process: int | str) -> list[bytes]:
    """Return the variables of a process; one empty text for a zombie.

    If its first thread has ended before others, only these have them.

    Raises
    ------
    OSError
        If it is gone, or belongs to another user.
    """
    text = _environment_at(f"/proc/{process}")
    for thread in threads(process) if not text else ():
        text = text or _environment_at(f"/proc/{process}/task/{thread}")
    return text.split(b"\0")


def _environment_at(place: str) -> bytes:
    try:
        with open(f"{place}/environ", "rb", buffering=0) as file:
            return file.read(1 << 20)
    except ProcessLookupError:
        return b""  # a zombie, to newer kernels


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
            _signal(process, signal.SIGSTOP)
        for process in found:
            _signal(process, signal.SIGKILL)
        time.sleep(0.001)
    return total


def kill_orphans(forker: int, token: str) -> int:
    """Kill the processes left by a supervisor that its player has killed; return their number.

    They are children of the process that forked the supervisor. Its other children are supervisors,
    each with the token of its own player.
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
    """Tell whether a process has a token other than this one; a zombie may be a supervisor too."""
    try:
        variables = environment(process)
    except OSError:
        return True
    if not variables[0]:
        return is_dead(process)
    own = f"{TOKEN}={token}".encode()
    return own not in variables and any(x.startswith(f"{TOKEN}=".encode()) for x in variables)


def _signal(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)
