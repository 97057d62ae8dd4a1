"""Ctrl-C, a polite kill and a closed terminal: at any instant, while code loads or compiles too.

All three raise ``KeyboardInterrupt`` where the program is, so that players die, records are closed
and the terminal is given back on the way out. Where that exception would be lost, it is raised a
moment later: in code that the interpreter calls on its own (which it tells
:data:`sys.unraisablehook`), in what LLVM calls back while it makes machine code, and in what
modules written in C call while they are loaded, some of which drop what goes wrong there.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any

from ludograph.cli.suspending import suspension

PATIENCE = 0.5
"""Seconds after a signal in which another one, which wrappers may send too, changes nothing; after
that somebody is out of patience."""

AGAIN = 0.005
"""Seconds after which an exception that would be lost is raised again."""

CALLING_BACK = "llvmlite"
"""Part of the path of code that must not be left by an exception."""

LOADING = frozenset(
    {ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__}
)
"""What calls the C code of a module that is loaded; no exception must go through there."""


class Stop:
    """Makes the signals stop the program.

    Attributes
    ----------
    number
        The signal that came first; Ctrl-C if none came.
    """

    def __init__(self) -> None:
        self.number = signal.SIGINT
        self._first: float | None = None

    def watch(self) -> None:
        """Begin to wait for the signals, those excepted that a parent has switched off."""
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
        elif now - self._first > PATIENCE:
            suspension.give_back()
            os.write(2, b"ludograph: interrupted\n")
            os._exit(128 + self.number)

    def _raise(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        while frame is not None:
            if CALLING_BACK in frame.f_code.co_filename or frame.f_code in LOADING:
                signal.setitimer(signal.ITIMER_REAL, AGAIN)
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    def _lost(self, unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
        else:
            self._report(unraisable)


stop = Stop()
