"""Renderers of a running game (screen, lines, plain text, none) and the pace of their frames."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Self

import click

from ludograph.cli.play import frames
from ludograph.cli.play.frames import Frame
from ludograph.cli.play.options import Pause
from ludograph.cli.terminal import keyboard
from ludograph.cli.terminal.keyboard import Keyboard
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.terminal.signals import ResizeHandler
from ludograph.cli.texts import safe
from ludograph.players.human import Quit
from ludograph.views.ansi import Colors, colors_of
from ludograph.views.columns import fit

if TYPE_CHECKING:
    from ludograph.games import Position


DELAY = 0.15
"""The default seconds between moves on a terminal."""

BELOW = 2
"""Lines below a frame on a screen with a status: the result and the status."""


class Pace(AbstractContextManager["Pace"]):
    """Waits between frames, so that a person can follow them.

    Attributes
    ----------
    keys
        The line that explains the keys; empty if there are none.
    """

    keys = ""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.next = 0.0

    def __exit__(self, *raised: object) -> None:
        """Do nothing: there is nothing to restore."""

    def wait(self) -> None:
        """Wait until it is time for the next frame."""
        if self.delay > 0:
            time.sleep(max(0.0, self.next - time.monotonic()))
            self.next = time.monotonic() + self.delay

    def skip(self) -> None:
        """Do not wait for the next frame, because a person has just moved."""
        self.next = 0.0

    def end(self) -> None:
        """Wait after the last frame, so that a person sees it."""
        self.wait()


class KeyPace(Pace):
    """Waits for a key before the next frame."""

    keys = "space on  c to the end  q quit"

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(0.0)
        self.keyboard = keyboard
        self.skips = True  # the first frame is shown at once

    def __enter__(self) -> Self:
        self.keyboard.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        """Restore the keyboard."""
        self.keyboard.__exit__(*raised)

    def wait(self) -> None:
        """Wait for a key that continues the game."""
        if self.skips:
            self.skips = False
            return
        while self.keys:
            match self.keyboard.read():
                case " " | keyboard.ENTER | keyboard.RIGHT:
                    return
                case "c":
                    self.keys = ""
                case "q" | keyboard.CLOSED:
                    raise Quit

    def skip(self) -> None:
        """Do not wait for a key."""
        self.skips = True

    def end(self) -> None:
        """Do not wait: the last frame stays on the terminal."""


def pace_of(delay: Pause, usual: float) -> Pace:
    """Return the pace of a delay; ``usual`` is the default in seconds.

    Raises
    ------
    UsageError
        If the delay is ``step`` and there is no terminal.
    """
    if delay != "step":
        return Pace(usual if delay is None else delay)
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--delay step needs a terminal, for its keys and its pictures")

    return KeyPace(Keyboard())


class Renderer(AbstractContextManager["Renderer"]):
    """Draws nothing; the other renderers draw on a terminal or write text.

    Attributes
    ----------
    pace
        Waits between frames.
    """

    def __init__(self, pace: Pace | None = None) -> None:
        self.pace = pace or Pace(0.0)

    def __enter__(self) -> Self:
        self.pace.__enter__()
        return self

    def show(self, frame: Frame) -> None:
        """Show a frame of a game."""

    def __exit__(self, *raised: object) -> None:
        """End the output, also after an error."""
        self.pace.__exit__(*raised)


class PlainRenderer(Renderer):
    """Writes every position as plain text, with ``#`` between them."""

    first = True

    def show(self, frame: Frame) -> None:
        """Write a position and the event before it."""
        self.pace.wait()
        sys.stdout.write(("" if self.first else "#\n") + frames.plain(frame))
        sys.stdout.flush()
        self.first = False


class LineRenderer(Renderer):
    """Writes a line per move: for terminals that are too small for the board."""

    def show(self, frame: Frame) -> None:
        """Write the event."""
        self.pace.wait()
        sys.stdout.write(frames.short(frame) + "\n")
        sys.stdout.flush()


class ScreenRenderer(Renderer):
    """Draws every position in place, again when the window changes; the last picture stays.

    Attributes
    ----------
    status
        The last line of the screen, below the result; if empty, neither of them is shown.
    """

    def __init__(self, pace: Pace, color: bool, status: str = "") -> None:
        super().__init__(pace)
        self.color = color
        self.status = status
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
        """Restore the terminal, and write the last picture on it."""
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
        """Draw a frame."""
        self.pace.wait()
        with self.resizes.held():
            self.frame = dataclasses.replace(frame, position=frame.position.copy())
            self.draw()

    def draw(self) -> None:
        """Draw the last frame in the present size of the window."""
        if self.frame is not None:
            columns, lines = Screen.size()
            below = BELOW if self.status else 0
            picture = self.last = self.picture(self.frame, columns, lines - below)
            if self.status:
                result = fit(safe(self.frame.result), columns)
                self.last = [*picture, result] if result else picture
                picture = [*picture, result, fit(self.status, columns)]
            self.screen.draw(picture)

    def picture(self, frame: Frame, columns: int, lines: int) -> list[str]:
        """Return the lines of a frame."""
        if not self.pace.keys:
            return frames.picture(frame, columns, lines, self.color)
        picture = frames.picture(frame, columns, lines - 1, self.color)
        return [*picture, fit(self.pace.keys, columns)]


def choose_renderer(position: Position, delay: Pause, *, scroll: bool = False) -> Renderer:
    """Return the renderer of a game for standard output.

    Parameters
    ----------
    delay
        Seconds between frames, or ``step`` for a key; None: `DELAY` on a terminal, otherwise 0.

    Raises
    ------
    UsageError
        If the delay is ``step`` and there is no terminal.
    """
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return PlainRenderer(pace_of(delay, 0.0))
    pace = pace_of(delay, DELAY)
    if scroll or not frames.fits(position, *Screen.size()):
        return LineRenderer(pace)
    return ScreenRenderer(pace, colored())


def colored() -> bool:
    """Tell whether the terminal shows colors."""
    return colors_of(sys.stdout) is not Colors.NONE
