"""Messages about compilation: a first one takes seconds, and no wait is silent."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Set

WIPE = "\r\x1b[K"
"""Back to the beginning of the line, and nothing on it."""

Parts = Callable[[], Set[str]]
"""Tells the names of the kernels that will be wanted; asked for only where one is missing."""

SECONDS_EACH = 0.25
"""What a kernel takes, about, until some have been compiled (``benchmarks/first_use.py``)."""

ENOUGH = 8
"""So many kernels are a number worth telling, and a mean to be trusted."""


def on_terminal() -> bool:
    """Tell whether a person reads standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


class Announcer:
    """Says on standard error that a first compilation is under way: never a silent wait.

    On a terminal there is one line, which counts the kernels and is wiped when it has come true;
    elsewhere one line is written when the first one is missing, and no more.

    Attributes
    ----------
    line
        Shows a text, or none, in place of the terminal's line: for who draws there already.
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
        self._spent = 0.0

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Say nothing meanwhile: for who tells of it otherwise."""
        before, self.enabled = self.enabled, False
        try:
            yield
        finally:
            self.enabled = before

    def prepare(self, what: str, parts: Parts | None = None) -> None:
        """Say what is compiled from now on, such as ``mcts for hex``, and which kernels it needs.

        Nothing is looked at before a kernel is missing. What is said again takes the place of what
        was said before: a process may play games for weeks.
        """
        self._what = what
        if parts is not None:
            self._wanted[what] = parts

    def begin(self, name: str, reaches: Parts = frozenset, *, kept: bool = True) -> None:
        """A compilation of a kernel begins in this thread.

        Parameters
        ----------
        reaches
            Tells the names of all kernels that it is made of, its own among them.
        kept
            Whether its machine code will be found again by later processes.
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
        """A kernel has been found on disk: what it is made of needs not be compiled."""
        if self.enabled:
            self._found.append(reaches)

    def end(self) -> None:
        """The compilation begun last in this thread is done."""
        self._local.depth = depth = max(0, getattr(self._local, "depth", 1) - 1)
        if depth == 0:
            self._spent += time.perf_counter() - self._local.started
            self._show("")

    def abandon(self) -> None:
        """What was being compiled in this thread has failed."""
        if getattr(self._local, "depth", 0):
            self._local.depth = 0
            self._show("")

    def say_preparing(self, what: str) -> None:
        """Something is prepared by another process, this time only."""
        if self.line is not None or on_terminal():
            self._show(f"preparing {what}, only this once ...")
        elif what not in self._said:
            self._said.add(what)
            self._say(f"preparing {what}, which takes some seconds, only this once\n")

    def said_preparing(self) -> None:
        """It is prepared."""
        self._show("")

    def warn(self, text: str) -> None:
        """Say something on a line of its own."""
        self._say(f"ludograph: {text}\n")

    def warn_once(self, text: str) -> None:
        """The same, but not again in this process."""
        if text not in self._said:
            self._said.add(text)
            self.warn(text)

    def _how_far(self) -> str:
        """Return how many kernels are there, of how many, and how long the others take.

        Nothing of this while only a few are known of: others will be wanted after them.
        """
        while self._wanted:
            self._all |= self._wanted.popitem()[1]()
        self._done |= self._asked(self._found)
        done, total = len(self._done & self._all), len(self._all)
        if total < ENOUGH:
            return ""
        spent = self._spent + time.perf_counter() - self._local.started
        each = spent / (self._made - 1) if self._made > ENOUGH else SECONDS_EACH
        return f": {done} of {total} functions, about {rounded(each * (total - done))} s left"

    @staticmethod
    def _asked(several: list[Parts]) -> set[str]:
        names: set[str] = set()
        while several:
            names |= several.pop()()
        return names

    def _show(self, text: str) -> None:
        """Write a text in place of the last one, where somebody watches."""
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
    """Return seconds as people say them: each of the first five, then the fives."""
    return max(1, round(seconds)) if seconds <= 5 else 5 * round(seconds / 5)


announcer = Announcer()
