"""The traceback of a player at a timeout, reported by its process if it still can.

The signal ``ASK`` ends the process, which notes the calls that are under way first: a C player's in
its crash report, a Python player's in what it prints (``faulthandler``). Nobody waits for that
longer than ``ASK_SECONDS``, and no verdict depends on it.
"""

from __future__ import annotations

import faulthandler
import os
import re
import select
import signal

from ludograph.quoting import one_line

ASK = signal.SIGUSR2
"""Ends a process that does nothing about it, and leaves no core file."""

ASK_SECONDS = 0.008
"""How much later than it would be otherwise a process may be killed."""

STACK = "Stack (most recent call first):"
HERE = os.path.dirname(__file__)
OURS = (HERE, os.path.join(os.path.dirname(HERE), "players"))
"""Folders whose frames say nothing to a player."""

CALLS = tuple(f'  File "{folder}/' for folder in OURS)
FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)')


def ends_when_asked(process: int) -> bool:
    """Ask a process where it is; tell whether that has ended it at once."""
    try:
        descriptor = os.pidfd_open(process)
    except OSError:
        return False
    try:
        signal.pidfd_send_signal(descriptor, ASK)
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(ASK_SECONDS * 1000.0))
    except OSError:
        return False
    finally:
        os.close(descriptor)


def answer_with_stack() -> None:
    """Have a Python process print its calls when it is asked, and end."""
    faulthandler.register(ASK, file=2, all_threads=False, chain=True)


def place_in(log: str, path: str) -> str:
    r"""Return where a Python player was, as in `` in think (bot.py, line 12)``; empty if unknown.

    The innermost call that is in the player's own folder counts.

    Examples
    --------
    >>> place_in('hm\\n' + STACK + '\\n  File "/x/bot.py", line 3 in think\\n', "/x/bot.py")
    ' in think (bot.py, line 3)'
    """
    folder = os.path.dirname(os.path.abspath(path)).encode("ascii", "backslashreplace").decode()
    for line in log.rpartition(STACK)[2].splitlines() if STACK in log else ():
        found = FRAME.fullmatch(line)
        if found and os.path.dirname(found["file"]) == folder:
            file = one_line(os.path.basename(found["file"]))
            return f" in {one_line(found['function'])} ({file}, line {found['line']})"
    return ""


def without_ours(log: str) -> str:
    """Return what a player printed without those of its calls that are Ludograph's."""
    lines = log.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(CALLS))
