"""Standard streams that are closed, full or no longer read, and errors of the machine by number."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

CLOSED = "standard output is closed: write it to /dev/null if it is not wanted"

OUT_OF_FILES = frozenset({errno.EMFILE, errno.ENFILE})
OUT_OF_ROOM = frozenset({errno.ENOMEM, errno.EAGAIN})
"""Of memory, of processes: starting one fails so."""

MACHINE = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EIO,
        errno.EBADF,
        *OUT_OF_FILES,
        *OUT_OF_ROOM,
    }
)
"""What goes wrong on a machine whatever was asked of it."""


def open_standard_streams() -> bool:
    """Have all three streams lead somewhere: a file of ours must never be taken for one.

    Returns
    -------
    bool
        Whether there was a standard output: without one, what was asked for is lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number
    closed = sys.stdout is None
    sys.stdin, sys.stdout, sys.stderr = (
        stream or open(number, mode, closefd=False)  # noqa: SIM115  (as long as the process)
        for number, (stream, mode) in enumerate(
            ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
        )
    )
    return not closed


def is_gone() -> bool:
    """Tell whether the current folder has been removed."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def silence(stream: Any) -> None:
    """Let nothing more be written to a pipe that nobody reads, not even at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
