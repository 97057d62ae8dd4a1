"""Messages about compilation: a first compilation takes seconds, and the user sees why."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator

WIPE = "\r\x1b[K"
"""Clears the line and goes back to its beginning."""


def on_terminal() -> bool:
    """Tell whether a person reads standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


class Announcer:
    """Reports first compilations on standard error, so that no wait is silent.

    On a terminal there is one line, which counts the kernels and is cleared at the end; elsewhere
    one line is written when the first kernel is missing, and no more.

    Attributes
    ----------
    line
        Shows a text, or none, in place of the terminal's line: for a program that draws there
        itself.
    made
        The number of functions compiled since :meth:`prepare`.
    spent
        The seconds of all compilations in this process.
    """

    def __init__(self) -> None:
        self.enabled = True
        self.line: Callable[[str], None] | None = None
        self._local = threading.local()
        self._said: set[str] = set()
        self._told = False
        self._what = "the first run"
        self.made = 0
        self.spent = 0.0

    @contextlib.contextmanager
    def shown_by(self, line: Callable[[str], None]) -> Iterator[None]:
        """Pass the messages to a function meanwhile, in place of the terminal's line."""
        before, self.line = self.line, line
        try:
            yield
        finally:
            self.line = before

    def prepare(self, what: str) -> None:
        """Say what is compiled from now on, such as ``mcts for hex``."""
        self._what, self.made = what, 0

    def begin(self, *, kept: bool = True) -> None:
        """Note that a compilation of a kernel begins in this thread.

        Parameters
        ----------
        kept
            Whether later processes will find its machine code.
        """
        self._local.depth = depth = getattr(self._local, "depth", 0) + 1
        if depth == 1:
            self._local.started = time.perf_counter()
        if not self.enabled:
            return
        self.made += 1
        when = "only this once" if kept else "again in each process"
        if self.line is not None or on_terminal():
            self._show(f"preparing {self._what}: function {self.made}, {when} ...")
        elif not self._told:
            self._say(f"preparing {self._what}, which takes some seconds, {when}\n")
        self._told = True

    def end(self) -> None:
        """Note that the compilation begun last in this thread is done."""
        self._local.depth = depth = max(0, getattr(self._local, "depth", 1) - 1)
        if depth == 0:
            self.spent += time.perf_counter() - self._local.started
            self._show("")

    def abandon(self) -> None:
        """Note that the compilation in this thread has failed."""
        if getattr(self._local, "depth", 0):
            self._local.depth = 0
            self._show("")

    def say_preparing(self, what: str) -> None:
        """Report that another process prepares something, this time only."""
        if self.line is not None or on_terminal():
            self._show(f"preparing {what}, only this once ...")
        elif what not in self._said:
            self._said.add(what)
            self._say(f"preparing {what}, which takes some seconds, only this once\n")

    def said_preparing(self) -> None:
        """End the report of :meth:`say_preparing`."""
        self._show("")

    def warn(self, text: str) -> None:
        """Write a text on a line of its own."""
        self._say(f"ludograph: {text}\n")

    def warn_once(self, text: str) -> None:
        """Write a text on a line of its own, once in this process."""
        if text not in self._said:
            self._said.add(text)
            self.warn(text)

    def _show(self, text: str) -> None:
        """Write a text in place of the last one, if there is a terminal."""
        if self.line is not None:
            if self.enabled:
                self.line(text)
        elif on_terminal():
            self._say(f"{WIPE}{text}")

    def _say(self, text: str) -> None:
        if self.enabled and sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


announcer = Announcer()
