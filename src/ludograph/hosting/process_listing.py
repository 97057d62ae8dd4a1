"""Which processes came out of which, as ``/proc`` tells."""

from __future__ import annotations

import os

FULL_LISTS = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
"""Whether this kernel lists a process's children; else all processes have to be looked at."""


def descendants(root: int) -> list[int]:
    """Return the processes below one, parents before their children."""
    if not FULL_LISTS:
        return by_parents(root)
    found = children(root)
    for process in found:  # it grows on the way
        found += children(process)
    return found


def children(process: int) -> list[int]:
    """Return the processes that were started by any thread of one, or were left to it."""
    found: list[int] = []
    for thread in threads(process):
        try:
            with open(f"/proc/{process}/task/{thread}/children", "rb", buffering=0) as file:
                found += map(int, file.read(1 << 16).split())
        except OSError:
            continue  # it ended meanwhile
    return found


def has_more_threads(root: int, most: int) -> bool:
    """Tell whether the processes below one have more threads than these; look at no more."""
    if not FULL_LISTS:
        return sum(len(threads(process)) for process in by_parents(root)) > most
    count, found = 0, children(root)
    for process in found:  # it grows on the way
        count += len(threads(process))
        if max(count, len(found)) > most:
            return True
        found += children(process)
    return False


def threads(process: int) -> list[str]:
    """Return the numbers of a process's threads; none if it is gone."""
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


def by_parents(root: int) -> list[int]:
    """Return the processes below one, from the parents of all that there are."""
    below: dict[int, list[int]] = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        fields = fields_of(entry)
        if fields:  # else it ended meanwhile
            below.setdefault(int(fields[1]), []).append(int(entry))
    found = list(below.get(root, []))
    for process in found:  # it grows on the way
        found += below.get(process, [])
    return found


def state_of(process: int | str) -> str:
    """Return ``R`` for what runs or waits to run, ``T`` for what is stopped; empty if gone."""
    fields = fields_of(process)
    return fields[0].decode() if fields else ""


def fields_of(process: int | str) -> list[bytes]:
    """Return what ``stat`` tells of a process after its name; nothing if it is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb", buffering=0) as file:
            return file.read(1 << 12).rpartition(b")")[2].split()
    except OSError:
        return []
