"""The alternate screen of a terminal, on which pictures replace each other in place."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Self

from ludograph.cli.terminal.signals import suspension

ENTER, LEAVE = "\x1b[?1049h\x1b[?25l\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"
HOME, REST_OF_LINE, REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"
SHOW_CARET, HIDE_CARET = "\x1b[?25h", "\x1b[?25l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""A terminal that supports these sequences shows the text between them in one step."""


class Screen:
    """The terminal's second screen; at the end the first one is shown again.

    The screen is cleared once. Then each picture is written over the previous one, line by line.
    """

    def __init__(self) -> None:
        self.stream = sys.stdout
        self._size: tuple[int, int] | None = None
        self._shown = ""

    @staticmethod
    def size() -> tuple[int, int]:
        """Return columns and lines of the terminal."""
        terminal = shutil.get_terminal_size()
        return terminal.columns, terminal.lines

    def __enter__(self) -> Self:
        self._write(ENTER)
        suspension.hold(
            lambda: self._write_through(LEAVE), lambda: self._write_through(ENTER + self._shown)
        )
        return self

    def __exit__(self, *raised: object) -> None:
        suspension.free()
        self._write(LEAVE)

    def draw(self, lines: list[str], caret: tuple[int, int] | None = None) -> None:
        """Replace the picture on the screen.

        Parameters
        ----------
        caret
            Column and line, from 0, where the terminal's own cursor is shown.
        """
        size = self.size()
        clear = REST_OF_SCREEN if self._size not in (None, size) else ""
        self._size = size
        body = "\r\n".join(f"{line}{REST_OF_LINE}" for line in lines[: size[1]])
        place = f"\x1b[{caret[1] + 1};{caret[0] + 1}H{SHOW_CARET}" if caret else HIDE_CARET
        self._shown = f"{BEGIN}{HOME}{clear}{body}{REST_OF_SCREEN}{place}{END}"
        self._write(self._shown)

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()

    def _write_through(self, text: str) -> None:
        os.write(self.stream.fileno(), text.encode())
