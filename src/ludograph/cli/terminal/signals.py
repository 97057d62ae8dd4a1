"""Signals: Ctrl-C and other requests to stop, Ctrl-Z, a window of another size.

SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed terminal) raise ``KeyboardInterrupt`` in the running
code. While the exception leaves the program, players are ended, records are closed and the terminal
is restored. A signal may come at any time, also while code is loaded or compiled. In three places
the exception would be lost; there it is raised again a moment later: in code that the interpreter
calls by itself (it reports the exception to :data:`sys.unraisablehook`), in code that LLVM calls
back while it makes machine code, and in code that modules written in C call while they are loaded,
because some of them ignore errors there.

SIGTSTP (Ctrl-Z) restores the terminal while the program is stopped. SIGWINCH redraws the picture in
the window at once.
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
"""Seconds in which a second signal is ignored, because wrappers may send one, too; a later one ends
the process at once."""

RETRY = 0.005
"""Seconds after which an exception that would be lost is raised again."""

LLVM_PATH = "llvmlite"
"""A part of the path of code that LLVM calls back: no exception may leave this code."""

LOADING = frozenset(
    {ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__}
)
"""The code that calls the C code of a module on loading; no exception may pass through it."""

Holders = list[tuple[Callable[[], None], Callable[[], None]]]


class Stop:
    """Turns SIGINT, SIGTERM and SIGHUP into ``KeyboardInterrupt``.

    Attributes
    ----------
    number
        The first signal that came; SIGINT if none came.
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
    """The parts of the program that use the terminal; SIGTSTP restores it for the pause."""

    def __init__(self) -> None:
        self._holders: Holders = []

    def hold(self, leave: Callable[[], None], take: Callable[[], None]) -> None:
        """Call ``leave`` before the program is stopped, and ``take`` when it continues.

        Both run in a signal handler, at any time, so they must write to the terminal's descriptor,
        not to a stream.
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
        """Restore the terminal, for a program that ends at once."""
        for leave, _ in reversed(self._holders):
            leave()

    def _sleep(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # the program is stopped here
        signal.signal(signal.SIGTSTP, self._sleep)
        for _, take in self._holders:
            take()


class ResizeHandler(AbstractContextManager["ResizeHandler"]):
    """Calls a function when the window's size changes (SIGWINCH), also while a player thinks.

    A call interrupts the running code; within :meth:`held` it waits for the end of the block.

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
        """Restore the handler of the signal."""
        if self._listens:
            signal.signal(signal.SIGWINCH, self._before)
            self._listens = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Delay calls until the end of a block, which they must not interrupt."""
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
