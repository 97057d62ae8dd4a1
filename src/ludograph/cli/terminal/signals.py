"""Signals: Ctrl-C and other requests to stop, Ctrl-Z, a window of another size.

SIGINT (Ctrl-C), SIGTERM (a polite kill) and SIGHUP (a closed terminal) raise ``KeyboardInterrupt``
where the program is, so that players die, records are closed and the terminal is given back on the
way out. They may come at any instant, while code loads or compiles too. Where the exception would
be lost, it is raised a moment later: in code that the interpreter calls on its own (which it tells
:data:`sys.unraisablehook`), in what LLVM calls back while it makes machine code, and in what
modules written in C call while they are loaded, some of which drop what goes wrong there.

SIGTSTP (Ctrl-Z) gives the terminal back while the program sleeps. SIGWINCH draws again what a
window shows, at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any, Self

REPEAT = 0.5
"""Seconds in which a second signal changes nothing, as wrappers may send one too; a later one ends
the process at once."""

RETRY = 0.005
"""Seconds after which an exception that would be lost is raised again."""

LLVM_PATH = "llvmlite"
"""Part of the path of code that must not be left by an exception: LLVM calls it back."""

LOADING = frozenset(
    {ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__}
)
"""The code that calls the C code of a module on loading; no exception must go through it."""

Holders = list[tuple[Callable[[], None], Callable[[], None]]]


class Stop:
    """Turns SIGINT, SIGTERM and SIGHUP into ``KeyboardInterrupt``.

    Attributes
    ----------
    number
        The signal that came first; Ctrl-C if none came.
    """

    def __init__(self) -> None:
        self.number = signal.SIGINT
        self._first: float | None = None

    def watch(self) -> None:
        """Handle the signals from now on, except those that the parent process has ignored."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._come)
        signal.signal(signal.SIGALRM, self._raise)
        self._report, sys.unraisablehook = sys.unraisablehook, self._lost

    def exit_code(self) -> int:
        """Return the exit code; from now on the signals are ignored."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) == self._come:
                signal.signal(number, signal.SIG_IGN)
        return 128 + self.number

    def _come(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first, self.number = now, signal.Signals(number)
            self._raise(number, frame)
        elif now - self._first > REPEAT:
            suspension.give_back()
            os.write(2, b"ludograph: interrupted\n")
            os._exit(128 + self.number)

    def _raise(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        while frame is not None:
            if LLVM_PATH in frame.f_code.co_filename or frame.f_code in LOADING:
                signal.setitimer(signal.ITIMER_REAL, RETRY)
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    def _lost(self, unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, RETRY)
        else:
            self._report(unraisable)


class Suspension:
    """Parts of the program that hold the terminal; SIGTSTP gives it back during the pause."""

    def __init__(self) -> None:
        self._holders: Holders = []

    def hold(self, leave: Callable[[], None], take: Callable[[], None]) -> None:
        """Have ``leave`` called before the program sleeps, and ``take`` when it goes on.

        Both run in a signal handler, at any instant: they write to the terminal's descriptor, not
        to a stream.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        self._holders.append((leave, take))
        if signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL:
            signal.signal(signal.SIGTSTP, self._sleep)

    def free(self) -> None:
        """Undo the last :meth:`hold`."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._holders.pop()
        if not self._holders and signal.getsignal(signal.SIGTSTP) == self._sleep:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    def give_back(self) -> None:
        """Leave the terminal as it was found; for a program that ends at once."""
        for leave, _ in reversed(self._holders):
            leave()

    def _sleep(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # here the program sleeps
        signal.signal(signal.SIGTSTP, self._sleep)
        for _, take in self._holders:
            take()


class ResizeHandler(AbstractContextManager["ResizeHandler"]):
    """Calls a function on SIGWINCH, when the window has another size; also while a player thinks.

    Calls come between two steps of the code that runs then; within :meth:`held` they wait.

    Parameters
    ----------
    draw
        The function.
    """

    def __init__(self, draw: Callable[[], None]) -> None:
        self._draw = draw
        self._before: Any = None
        self._listens = self._holds = self._missed = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGWINCH, self._resized)
            self._listens = True
        return self

    def __exit__(self, *raised: object) -> None:
        """Stop listening."""
        if self._listens:
            signal.signal(signal.SIGWINCH, self._before)
            self._listens = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Put calls off until the end of a block that they must not interrupt."""
        self._holds = True
        try:
            yield
            while self._missed:
                self._missed = False
                self._draw()
        finally:
            self._holds = False

    def _resized(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._holds:
            self._missed = True
            return
        with self.held():
            self._draw()


stop = Stop()
suspension = Suspension()
