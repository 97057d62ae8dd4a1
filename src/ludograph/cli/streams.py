"""Standard streams that are closed or broken."""

from __future__ import annotations

import os
import sys
from typing import Any

CLOSED = "standard output is closed: write it to /dev/null if it is not wanted"


def open_standard_streams() -> bool:
    """Open missing standard streams, so that no other file gets one of their numbers.

    Returns
    -------
    bool
        Whether there was a standard output; without it, the output of the command is lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    closed = sys.stdout is None
    sys.stdin, sys.stdout, sys.stderr = (
        # Open as long as the process.
        stream or open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number, (stream, mode) in enumerate(
            ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
        )
    )
    return not closed


def silence(stream: Any) -> None:
    """Discard all further output to a pipe that nobody reads, also at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
