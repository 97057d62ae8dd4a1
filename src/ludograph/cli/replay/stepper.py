"""A recorded game stepped through by keys, in a terminal."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Self

import click

from ludograph.cli.play import frames
from ludograph.cli.play.renderers import DELAY
from ludograph.cli.player_output import PLAIN, Lettering
from ludograph.cli.terminal import keyboard
from ludograph.cli.terminal.keyboard import Keyboard
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.texts import fit, safe

if TYPE_CHECKING:
    from ludograph.cli.play.frames import Frame
    from ludograph.referee import Record

ON, BACK, PLAY, START, QUIT = "on", "back", "play", "start", "quit"
NUMBERS, NAMES = "numbers", "names"

KEYS = {
    " ": ON,
    keyboard.ENTER: ON,
    keyboard.RIGHT: ON,
    keyboard.LEFT: BACK,
    "b": BACK,
    "e": PLAY,
    "s": START,
    "n": NUMBERS,
    "c": NAMES,
    "q": QUIT,
    keyboard.CLOSED: QUIT,
}
"""What keys do."""

HELP = "→ on  ← back  e to the end  s start  n numbers  c names of cells  q quit"

GLANCE = 0.5
"""Seconds after which the terminal's size is looked at again."""

BELOW = 2
"""Lines under the picture: the result, and what the keys do."""


def step(
    record: Record,
    begin: Callable[[], Iterator[Frame]],
    ply: int,
    delay: float | None,
    lettering: Lettering = PLAIN,
) -> None:
    """Show a game from a ply on, and go where the keys say.

    Parameters
    ----------
    begin
        Returns the game's frames from the start on.

    Raises
    ------
    UsageError
        Without a terminal to read keys from and to draw on.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--step needs a terminal, for its keys and its pictures")
    cursor = FrameCursor(record, begin)
    cursor.go_to_ply(ply)
    pause = DELAY if delay is None else delay
    size = Screen.size()
    draws = os.environ.get("TERM") != "dumb" and frames.fits(record.start, size[0], size[1] - BELOW)
    view: ScreenView | LineView = ScreenView() if draws else LineView()
    with Keyboard() as keys, view:
        walk(cursor, keys, view, pause, lettering)


class FrameCursor:
    """A place among the frames of a game.

    Nothing is kept of the others, as boards may be large: going back plays from the start again.
    """

    def __init__(self, record: Record, begin: Callable[[], Iterator[Frame]]) -> None:
        self.record = record
        self.begin = begin
        self.last = len(record.events)
        self.restart()

    def restart(self) -> None:
        """Go to the start."""
        self._rest = self.begin()
        self.frame = next(self._rest)
        self.index = 0

    def go(self, index: int) -> None:
        """Go to a frame; to the first or the last one if the number is too small or too large."""
        index = max(0, min(index, self.last))
        if index < self.index:
            self.restart()
        while self.index < index:
            self.frame = next(self._rest)
            self.index += 1

    def go_to_ply(self, ply: int) -> None:
        """Go to the last frame with this number of moves played."""
        plies = [0]
        for event in self.record.events:
            plies.append(plies[-1] + (event.move is not None))
        self.go(max(index for index, each in enumerate(plies) if each <= ply))


class ScreenView:
    """Draws frames in place, and leaves the last one on the terminal."""

    def __init__(self) -> None:
        from ludograph.views.ansi import Colors, colors_of

        self.screen = Screen()
        self.color = colors_of(sys.stdout) is not Colors.NONE
        self.left: list[str] = []
        self.size = (0, 0)

    def __enter__(self) -> Self:
        self.screen.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        """Give the terminal back."""
        self.screen.__exit__(*raised)
        click.echo("\n".join(self.left), color=True)

    def draw(self, frame: Frame, status: str) -> None:
        """Draw a frame with the result, if that is known, and a line of status."""
        columns, lines = self.size = Screen.size()
        picture = frames.picture(frame, columns, lines - BELOW, self.color)
        result = fit(safe(frame.result), columns)
        self.left = [*picture, result] if result else picture
        self.screen.draw([*picture, result, fit(status, columns)])

    def refresh(self, frame: Frame, status: str) -> None:
        """Draw it again if the terminal has another size now."""
        if Screen.size() != self.size:
            self.draw(frame, status)


class LineView:
    """Writes a line for each frame: for terminals in which the board has no room."""

    def __enter__(self) -> Self:
        click.echo(HELP)
        return self

    def __exit__(self, *raised: object) -> None:
        """End the lines."""

    def draw(self, frame: Frame, status: str) -> None:  # noqa: ARG002
        """Write what happened."""
        click.echo(frames.short(frame))
        if frame.result:
            click.echo(safe(frame.result))

    def refresh(self, frame: Frame, status: str) -> None:
        """What is written stays."""


def walk(
    cursor: FrameCursor,
    keys: Keyboard,
    view: ScreenView | LineView,
    pause: float,
    lettering: Lettering = PLAIN,
) -> None:
    """Draw frames and do what the keys say, until one says to quit."""
    playing, shown = False, (-1, lettering)
    while True:
        status = f"{cursor.index}/{cursor.last}  {HELP}"
        frame = dataclasses.replace(cursor.frame, lettering=lettering)
        if shown != (cursor.index, lettering):
            view.draw(frame, status)
            shown = (cursor.index, lettering)
        pressed = keys.read(pause if playing else GLANCE)
        if pressed is None:
            if playing:
                cursor.go(cursor.index + 1)
                playing = cursor.index < cursor.last
            else:
                view.refresh(frame, status)
            continue
        key = KEYS.get(pressed, "")
        playing = key == PLAY  # any other key stops it
        if key == QUIT:
            return
        if key == ON:
            cursor.go(cursor.index + 1)
        elif key == BACK:
            cursor.go(cursor.index - 1)
        elif key == START:
            cursor.go(0)
        elif key == NUMBERS:
            lettering = dataclasses.replace(lettering, numbers=not lettering.numbers)
        elif key == NAMES:
            lettering = dataclasses.replace(lettering, names=not lettering.names)
