"""Messages about compilation: a first compilation takes seconds, and the user sees why."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Set

WIPE = "\r\x1b[K"
"""Clears the line and goes back to its beginning."""

Parts = Callable[[], Set[str]]
"""Returns the names of the kernels that will be needed; called only if one is missing."""

SECONDS_EACH = 0.25
"""Estimated seconds of a kernel, used until some have been compiled
(``benchmarks/first_use.py``)."""

ENOUGH = 8
"""The least number of kernels for a useful count and a reliable mean."""


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
    progress
        How many of all known kernels are done, as in ``3 of 70``; empty while few are known.
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
        self._wanted: dict[str, Parts] = {}
        self._found: list[Parts] = []
        self._all: set[str] = set()
        self._done: set[str] = set()
        self._made = 0
        self.progress = ""
        self.spent = 0.0

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Write no messages meanwhile: for callers with messages of their own."""
        before, self.enabled = self.enabled, False
        try:
            yield
        finally:
            self.enabled = before

    @contextlib.contextmanager
    def shown_by(self, line: Callable[[str], None]) -> Iterator[None]:
        """Pass the messages to a function meanwhile, in place of the terminal's line."""
        before, self.line = self.line, line
        try:
            yield
        finally:
            self.line = before

    def prepare(self, what: str, parts: Parts | None = None) -> None:
        """Say what is compiled from now on, such as ``mcts for hex``, and which kernels it needs.

        ``parts`` is called only when a kernel is missing. A repeated call replaces the earlier one,
        as a process may play games for weeks.
        """
        self._what = what
        if parts is not None:
            self._wanted[what] = parts

    def begin(self, name: str, reaches: Parts = frozenset, *, kept: bool = True) -> None:
        """Note that a compilation of a kernel begins in this thread.

        Parameters
        ----------
        reaches
            Returns the names of all kernels that it contains, its own among them.
        kept
            Whether later processes will find its machine code.
        """
        self._local.depth = depth = getattr(self._local, "depth", 0) + 1
        if depth == 1:
            self._local.started = time.perf_counter()
            if self.enabled:
                self._all |= reaches()
        if not self.enabled:
            return
        self._made += 1
        when = "only this once" if kept else "again in each process"
        if self.line is not None or on_terminal():
            self._show(f"preparing {self._what}{self._how_far()}, {when} ...")
        elif not self._told:
            self._say(f"preparing {self._what}, which takes some seconds, {when}\n")
        self._told = True
        self._done.add(name)

    def found(self, reaches: Parts) -> None:
        """Note that a kernel was found on disk: its parts need no compilation."""
        if self.enabled:
            self._found.append(reaches)

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

    def _how_far(self) -> str:
        """Return the number of finished kernels, of all kernels, and the time left.

        The text is empty while only a few kernels are known: others will follow.
        """
        while self._wanted:
            self._all |= self._wanted.popitem()[1]()
        self._done |= self._asked(self._found)
        done, total = len(self._done & self._all), len(self._all)
        self.progress = f"{done} of {total}" if total >= ENOUGH else ""
        if not self.progress:
            return ""
        spent = self.spent + time.perf_counter() - self._local.started
        each = spent / (self._made - 1) if self._made > ENOUGH else SECONDS_EACH
        return f": {self.progress} functions, about {rounded(each * (total - done))} s left"

    @staticmethod
    def _asked(several: list[Parts]) -> set[str]:
        names: set[str] = set()
        while several:
            names |= several.pop()()
        return names

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


def rounded(seconds: float) -> int:
    """Return rounded seconds: 1 to 5, then multiples of five."""
    return max(1, round(seconds)) if seconds <= 5 else 5 * round(seconds / 5)


announcer = Announcer()
