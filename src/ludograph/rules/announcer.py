"""What is said of compiling: a first compilation takes seconds, and no wait is silent."""

from __future__ import annotations

import sys
import threading
import time

WIPE = "\r\x1b[K"
"""Back to the beginning of the line, and nothing on it."""


def on_terminal() -> bool:
    """Tell whether a person reads standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


class Announcer:
    """Says on standard error that a first compilation is under way: never a silent wait.

    Only the outermost kernel is announced; those that it calls are compiled inside its time. On a
    terminal there is one line, which counts and is wiped when it has come true; elsewhere each
    kernel has a line with its name.
    """

    def __init__(self) -> None:
        self.enabled = True
        self._local = threading.local()
        self._said: set[str] = set()
        self._parts = 0
        self._spent = 0.0

    def begin(self, name: str, *, kept: bool = True) -> None:
        """A compilation of kernel ``name`` begins in this thread.

        Parameters
        ----------
        kept
            Whether its machine code will be found again by later processes.
        """
        self._local.depth = depth = getattr(self._local, "depth", 0) + 1
        if depth == 1:
            self._local.started = time.perf_counter()
            when = "only this once" if kept else "again in each process"
            self._parts += 1
            counted = f"part {self._parts}, {self._spent:.0f} s so far"
            line = f"preparing the first run ({when}): {counted} ..."
            self._say(f"{WIPE}{line}" if on_terminal() else f"compiling {name} ({when}) ... ")

    def end(self) -> None:
        """The compilation begun last in this thread is done."""
        self._local.depth = depth = max(0, getattr(self._local, "depth", 1) - 1)
        if depth == 0:
            seconds = time.perf_counter() - self._local.started
            self._spent += seconds
            self._say(WIPE if on_terminal() else f"{seconds:.1f} s\n")

    def abandon(self) -> None:
        """What was being compiled in this thread has failed."""
        if getattr(self._local, "depth", 0):
            self._local.depth = 0
            self._say("failed\n")

    def warn(self, text: str) -> None:
        """Say something on a line of its own."""
        self._say(f"ludograph: {text}\n")

    def warn_once(self, text: str) -> None:
        """The same, but not again in this process."""
        if text not in self._said:
            self._said.add(text)
            self.warn(text)

    def _say(self, text: str) -> None:
        if self.enabled and sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


announcer = Announcer()
