"""The traceback of a player at a timeout or a crash, reported by its process if it still can.

The signal ``ASK`` ends the process, which first notes its active calls: a C player in its crash
report, a Python player in its output (``faulthandler``). The referee waits for that at most
``ASK_SECONDS``, and no verdict depends on it. A fatal signal, such as ``SIGSEGV`` in the machine
code of a Python player, does the same.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal

from ludograph.formatting import one_line
from ludograph.hosting.supervisor import readable

ASK = signal.SIGUSR2
"""A signal that ends a process without a handler, and leaves no core file."""

ASK_SECONDS = 0.008
"""The seconds by which this may delay the end of a process."""

STACK = "Stack (most recent call first):"
HERE = os.path.dirname(__file__)
OURS = (HERE, os.path.join(os.path.dirname(HERE), "players"))
"""Folders whose frames are left out of a player's traceback."""

LEFT_OUT = (*(f'  File "{folder}/' for folder in OURS), "Extension modules: ")
FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)')


def ends_when_asked(process: int) -> bool:
    """Ask a process for its traceback; return whether that has ended it at once."""
    try:
        descriptor = os.pidfd_open(process)
    except OSError:
        return False
    try:
        signal.pidfd_send_signal(descriptor, ASK)
        return readable(descriptor, ASK_SECONDS)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def answer_with_stack() -> None:
    """Make a Python process print its calls at this signal and at fatal ones, and end."""
    faulthandler.enable(file=2, all_threads=False)
    faulthandler.register(ASK, file=2, all_threads=False, chain=True)


def place_in(log: str, path: str) -> str:
    r"""Return a Python player's place, as in `` in think (bot.py, line 12)``; empty if unknown.

    It is the innermost call in the player's own folder.

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
    """Return a player's output without Ludograph's frames and modules in its traceback."""
    lines = log.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(LEFT_OUT))
