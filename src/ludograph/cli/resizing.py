"""The window of the terminal gets another size: what is on it is drawn again, at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any, Self


class Resizes(AbstractContextManager["Resizes"]):
    """Calls a function when the window has changed, also while the program waits or thinks.

    It is called between two steps of whatever runs then, so never while it is held.

    Parameters
    ----------
    draw
        What is called.
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
        """Wait with calls until something is done that must not be interrupted by them."""
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
