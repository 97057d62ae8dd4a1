"""Processes as the tests see them: which has started which, and whether they still run."""

import time
from pathlib import Path


def wait_until(holds, seconds=120):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.02)


def descendants(process):
    """Return the processes that came out of one, from /proc."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def alive(number):
    try:
        state = (Path("/proc") / str(number) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(processes):
    """Wait until processes have ended, however busy the machine is."""
    wait_until(lambda: not any(map(alive, processes)))
    return True
