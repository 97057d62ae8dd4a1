"""Ctrl-Z: the terminal is given back while the program sleeps, and taken again afterwards."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

Holders = list[tuple[Callable[[], None], Callable[[], None]]]


class Suspension:
    """Who holds the terminal now, and what each does when the program goes to sleep."""

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


suspension = Suspension()
