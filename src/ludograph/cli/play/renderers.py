"""Renderers of a running game (screen, lines, plain text, none) and the pace of their frames."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Self

from ludograph.cli.play import frames
from ludograph.cli.play.frames import Frame
from ludograph.cli.terminal import Drawn, Picture, Terminal, size
from ludograph.games import Position
from ludograph.views.ansi import Colors, colors_of

DELAY = 0.15
"""The default seconds between moves on a terminal."""


class Renderer(AbstractContextManager["Renderer"]):
    """Shows nothing; the other renderers draw on a terminal or write text.

    Parameters
    ----------
    delay
        Seconds between frames.
    keys
        Whether keys are read.
    picture
        The picture to draw in place: see :class:`Terminal`.

    Attributes
    ----------
    due
        When the next frame may be shown; 0 after a person's move: at once.
    """

    def __init__(
        self, delay: float = 0.0, *, keys: bool = False, picture: Picture | None = None
    ) -> None:
        self.delay, self.due = delay, 0.0
        self.terminal = Terminal(keys=keys, picture=picture)

    def __enter__(self) -> Self:
        self.terminal.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        """End the output, also after an error."""
        self.terminal.__exit__(*raised)

    def show(self, frame: Frame) -> None:
        """Show a frame of a game."""

    def wait(self) -> None:
        """Wait until it is time for the next frame."""
        if self.delay > 0:
            time.sleep(max(0.0, self.due - time.monotonic()))
            self.due = time.monotonic() + self.delay


class TextRenderer(Renderer):
    """Writes frames one after the other.

    Parameters
    ----------
    text
        Returns a frame as lines.
    between
        What is written between frames.
    """

    def __init__(
        self,
        delay: float,
        text: Callable[[Frame], str],
        *,
        between: str = "",
        keys: bool = False,
    ) -> None:
        super().__init__(delay, keys=keys)
        self.text, self.between = text, between
        self.before = ""

    def show(self, frame: Frame) -> None:
        """Write a frame below the last one."""
        self.wait()
        sys.stdout.write(self.before + self.text(frame))
        sys.stdout.flush()
        self.before = self.between


class ScreenRenderer(Renderer):
    """Draws every position in place, again when the window changes; the last picture stays."""

    def __init__(self, delay: float, *, keys: bool = False) -> None:
        super().__init__(delay, keys=keys, picture=self.picture)
        self.color = colored()
        self.frame: Frame | None = None

    def __exit__(self, *raised: object) -> None:
        """Restore the terminal, and write the last picture on it."""
        try:
            if raised[0] is None:
                self.wait()
        finally:
            super().__exit__(*raised)
        if self.frame is not None:
            columns, lines = size()
            lines -= len(self.below(columns))
            last = frames.picture(self.frame, columns, lines, self.color)
            sys.stdout.write("\n".join(last) + "\n")
            sys.stdout.flush()

    def show(self, frame: Frame) -> None:
        """Draw a frame over the last one."""
        self.wait()
        self.frame = dataclasses.replace(frame, position=frame.position.copy())
        self.terminal.draw()

    def picture(self) -> Drawn:
        """Return the lines of the screen in the present size of the window."""
        columns, lines = size()
        below = self.below(columns)
        if self.frame is None:
            return below, None
        board = frames.picture(self.frame, columns, lines - len(below), self.color, around={})
        return [*board, *below], None

    def below(self, columns: int) -> list[str]:  # noqa: ARG002
        """Return the lines under the frame; subclasses have some."""
        return []


def choose_renderer(position: Position, delay: float | None, *, scroll: bool = False) -> Renderer:
    """Return the renderer of a game for standard output.

    Parameters
    ----------
    delay
        Seconds between frames; None: `DELAY` on a terminal, otherwise 0.
    scroll
        Whether other lines are written between the frames.
    """
    if not draws_in_place():
        return plain_renderer(delay)
    if scroll or not frames.fits(position, *size()):
        return line_renderer(DELAY if delay is None else delay)
    return ScreenRenderer(DELAY if delay is None else delay)


def plain_renderer(delay: float | None) -> Renderer:
    """Return the renderer that writes every position as plain text, with ``#`` between them."""
    return TextRenderer(delay or 0.0, frames.plain, between="#\n")


def line_renderer(delay: float, *, keys: bool = False) -> Renderer:
    """Return the renderer for terminals that are too small for the board: a line per move."""
    return TextRenderer(delay, lambda frame: f"{frames.short(frame)}\n", keys=keys)


def draws_in_place() -> bool:
    """Tell whether standard output is a terminal with a cursor that can be moved."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def has_keyboard() -> bool:
    """Tell whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def colored() -> bool:
    """Tell whether the terminal shows colors."""
    return colors_of(sys.stdout) is not Colors.NONE
