"""The keyboard in raw mode, which gives single keys by their names."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from typing import Self

from ludograph.cli.terminal.signals import suspension

ESCAPE = 0.05
"""Seconds in which the rest of an arrow key must follow its first byte."""

UP, DOWN, LEFT, RIGHT, HOME, END = "up", "down", "left", "right", "home", "end"
ENTER, TAB, BACK_TAB, ESC, BACKSPACE, DELETE = (
    "enter",
    "tab",
    "back-tab",
    "escape",
    "backspace",
    "delete",
)
CLEAR, CLEAR_WORD, CLOSED = "clear", "clear-word", "closed"

NAMES = {
    b"\x1b[A": UP,
    b"\x1bOA": UP,
    b"\x1b[B": DOWN,
    b"\x1bOB": DOWN,
    b"\x1b[C": RIGHT,
    b"\x1bOC": RIGHT,
    b"\x1b[D": LEFT,
    b"\x1bOD": LEFT,
    b"\x1b[H": HOME,
    b"\x1bOH": HOME,
    b"\x1b[1~": HOME,
    b"\x01": HOME,
    b"\x1b[F": END,
    b"\x1bOF": END,
    b"\x1b[4~": END,
    b"\x05": END,
    b"\x1b[3~": DELETE,
    b"\x1b[Z": BACK_TAB,
    b"\x1b": ESC,
    b"\r": ENTER,
    b"\n": ENTER,
    b"\t": TAB,
    b"\x7f": BACKSPACE,
    b"\x08": BACKSPACE,
    b"\x15": CLEAR,
    b"\x17": CLEAR_WORD,
    b"\x04": CLOSED,
    b"": CLOSED,
}
"""Keys that are no letters; the last two are Ctrl-D and the end of the input."""


class Keyboard:
    """Standard input without echo and line editing, as a context manager."""

    def __init__(self) -> None:
        self.file = sys.stdin.fileno()

    def __enter__(self) -> Self:
        self.before = termios.tcgetattr(self.file)
        self._take()
        suspension.hold(self._leave, self._take)
        return self

    def __exit__(self, *raised: object) -> None:
        """Restore the mode of the keyboard."""
        suspension.free()
        self._leave()

    def _take(self) -> None:
        tty.setcbreak(self.file)

    def _leave(self) -> None:
        termios.tcsetattr(self.file, termios.TCSADRAIN, self.before)

    def forget(self) -> None:
        """Discard the keys that were pressed before a question."""
        termios.tcflush(self.file, termios.TCIFLUSH)

    def read(self, seconds: float | None = None) -> str | None:
        """Return the next key: a name, a letter, or "" if unknown; None if none came in time."""
        if not self._comes(seconds):
            return None
        key = more = os.read(self.file, 1)
        while more and not is_whole(key) and self._comes(ESCAPE):
            more = os.read(self.file, 1)
            key += more
        if key in NAMES:
            return NAMES[key]
        text = key.decode("utf-8", "replace")
        return text if len(text) == 1 and text.isprintable() else ""

    def _comes(self, seconds: float | None) -> bool:
        return bool(select.select([self.file], [], [], seconds)[0])


def is_whole(key: bytes) -> bool:
    """Tell whether the bytes of a key are complete.

    The bytes of an arrow key end with a letter or a tilde. The first byte of a letter beyond ASCII
    gives the number of its bytes.
    """
    if key.startswith(b"\x1b"):
        if len(key) == 2:  # a letter with Alt, or Escape and then a letter
            return key[1:] not in (b"[", b"O")
        return len(key) > 2 and key[-1] >= ord("@")
    first = key[0] if key else 0
    return len(key) >= 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
