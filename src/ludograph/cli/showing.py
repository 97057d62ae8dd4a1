"""Ways to show a game as it goes: a screen in a terminal, lines, plain text, nothing."""

from __future__ import annotations

import os
import sys
import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ludograph.cli import frames
from ludograph.cli.frames import Frame
from ludograph.cli.screen import Screen

if TYPE_CHECKING:
    from ludograph.games import Position

DELAY = 0.15
"""Seconds between moves where somebody watches."""


class Show(AbstractContextManager["Show"]):
    """Shows nothing; its heirs show more."""

    def show(self, frame: Frame) -> None:
        """Show a moment of a game."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the show, whatever happened."""


class PlainShow(Show):
    """Writes every state as plain text, with ``#`` between them."""

    def __init__(self, delay: float) -> None:
        self.pace = Pace(delay)
        self.first = True

    def show(self, frame: Frame) -> None:
        """Write a state and what led to it."""
        self.pace.wait()
        sys.stdout.write(("" if self.first else "#\n") + frames.plain(frame))
        sys.stdout.flush()
        self.first = False


class ScrollingShow(Show):
    """Writes a line per move: for terminals in which the board has no room."""

    def __init__(self, delay: float) -> None:
        self.pace = Pace(delay)

    def show(self, frame: Frame) -> None:
        """Write what happened."""
        self.pace.wait()
        sys.stdout.write(frames.short(frame) + "\n")
        sys.stdout.flush()


class ScreenShow(Show):
    """Draws every state in place, and leaves the last one on the terminal."""

    def __init__(self, delay: float, color: bool) -> None:
        self.pace = Pace(delay)
        self.color = color
        self.screen = Screen()
        self.last: list[str] = []

    def __enter__(self) -> Self:
        self.screen.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the terminal back."""
        if kind is None:
            self.pace.wait()
        self.screen.__exit__(kind, error, trace)
        if self.last:
            sys.stdout.write("\n".join(self.last) + "\n")
            sys.stdout.flush()

    def show(self, frame: Frame) -> None:
        """Draw a state."""
        self.pace.wait()
        columns, lines = Screen.size()
        self.last = frames.picture(frame, columns, lines, self.color)
        self.screen.draw(self.last)


class Pace:
    """Waits so that moments do not follow each other faster than a person can see."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.next = 0.0

    def wait(self) -> None:
        """Wait until it is time for the next moment."""
        if self.delay > 0:
            time.sleep(max(0.0, self.next - time.monotonic()))
            self.next = time.monotonic() + self.delay


def choose_show(position: Position, delay: float | None, *, scroll: bool = False) -> Show:
    """Return how to show a game on standard output.

    Parameters
    ----------
    delay
        Seconds between moments; None: none where nobody watches.
    """
    from ludograph.views.capabilities import Colors, colors_of

    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return PlainShow(delay or 0.0)
    pause = DELAY if delay is None else delay
    if scroll or not frames.fits(position, *Screen.size()):
        return ScrollingShow(pause)
    return ScreenShow(pause, colors_of(sys.stdout) is not Colors.NONE)
