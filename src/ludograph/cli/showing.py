"""Ways to show a game as it goes: a screen in a terminal, lines, plain text, nothing."""

from __future__ import annotations

import dataclasses
import os
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Self

from ludograph.cli import frames
from ludograph.cli.frames import Frame
from ludograph.cli.pacing import DELAY, Delay, Pace, pace_of
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.terminal.signals import ResizeHandler
from ludograph.cli.texts import fit

if TYPE_CHECKING:
    from ludograph.games import Position


class Show(AbstractContextManager["Show"]):
    """Shows nothing; its heirs show more.

    Attributes
    ----------
    pace
        Waits between moments.
    """

    def __init__(self, pace: Pace | None = None) -> None:
        self.pace = pace or Pace(0.0)

    def __enter__(self) -> Self:
        self.pace.__enter__()
        return self

    def show(self, frame: Frame) -> None:
        """Show a moment of a game."""

    def __exit__(self, *raised: object) -> None:
        """End the show, whatever happened."""
        self.pace.__exit__(*raised)


class PlainShow(Show):
    """Writes every state as plain text, with ``#`` between them."""

    first = True

    def show(self, frame: Frame) -> None:
        """Write a state and what led to it."""
        self.pace.wait()
        sys.stdout.write(("" if self.first else "#\n") + frames.plain(frame))
        sys.stdout.flush()
        self.first = False


class ScrollingShow(Show):
    """Writes a line per move: for terminals in which the board has no room."""

    def show(self, frame: Frame) -> None:
        """Write what happened."""
        self.pace.wait()
        sys.stdout.write(frames.short(frame) + "\n")
        sys.stdout.flush()


class ScreenShow(Show):
    """Draws every state in place, again when the window changes, and leaves the last one there."""

    def __init__(self, pace: Pace, color: bool) -> None:
        super().__init__(pace)
        self.color = color
        self.screen = Screen()
        self.last: list[str] = []
        self.frame: Frame | None = None
        self.resizes = ResizeHandler(self.draw)

    def __enter__(self) -> Self:
        super().__enter__()
        self.screen.__enter__()
        self.resizes.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        """Give the terminal back."""
        try:
            if raised[0] is None:
                self.pace.end()
        finally:
            self.resizes.__exit__(*raised)
            self.screen.__exit__(*raised)
            super().__exit__(*raised)
        if self.last:
            sys.stdout.write("\n".join(self.last) + "\n")
            sys.stdout.flush()

    def show(self, frame: Frame) -> None:
        """Draw a state."""
        self.pace.wait()
        with self.resizes.held():
            self.frame = dataclasses.replace(frame, position=frame.position.copy())
            self.draw()

    def draw(self) -> None:
        """Draw the state that is shown, as large as the window is now."""
        if self.frame is not None:
            columns, lines = Screen.size()
            self.last = self.picture(self.frame, columns, lines)
            self.screen.draw(self.last)

    def picture(self, frame: Frame, columns: int, lines: int) -> list[str]:
        """Return a state as lines."""
        if not self.pace.keys:
            return frames.picture(frame, columns, lines, self.color)
        picture = frames.picture(frame, columns, lines - 1, self.color)
        return [*picture, fit(self.pace.keys, columns)]


def choose_show(position: Position, delay: Delay, *, scroll: bool = False) -> Show:
    """Return how to show a game on standard output.

    Parameters
    ----------
    delay
        Seconds between moments, ``step`` for a key; None: none where nobody watches.

    Raises
    ------
    UsageError
        If keys are wanted where no terminal is.
    """
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return PlainShow(pace_of(delay, 0.0))
    pace = pace_of(delay, DELAY)
    if scroll or not frames.fits(position, *Screen.size()):
        return ScrollingShow(pace)
    return ScreenShow(pace, colored())


def colored() -> bool:
    """Tell whether the terminal shows colors."""
    from ludograph.views.ansi import Colors, colors_of

    return colors_of(sys.stdout) is not Colors.NONE
