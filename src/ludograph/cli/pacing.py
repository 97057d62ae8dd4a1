"""How moves of a game that is shown follow each other: after some time, or by keys."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, Self

import click

if TYPE_CHECKING:
    from ludograph.cli.terminal.keyboard import Keyboard

DELAY = 0.15
"""Seconds between moves where somebody watches."""

Delay = float | Literal["step"] | None
"""Seconds between moves, a key for each, or what is usual."""


class Pace(AbstractContextManager["Pace"]):
    """Waits so that moments do not follow each other faster than a person can see.

    Attributes
    ----------
    keys
        What keys do meanwhile, to be shown.
    """

    keys = ""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.next = 0.0

    def __exit__(self, *raised: object) -> None:
        """End it."""

    def wait(self) -> None:
        """Wait until it is time for the next moment."""
        if self.delay > 0:
            time.sleep(max(0.0, self.next - time.monotonic()))
            self.next = time.monotonic() + self.delay

    def skip(self) -> None:
        """Do not wait for the next moment: somebody has just done something."""
        self.next = 0.0

    def end(self) -> None:
        """Wait until the last moment has been seen."""
        self.wait()


class ByKeys(Pace):
    """Waits for a key before the next moment."""

    keys = "space on  c to the end  q quit"

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(0.0)
        self.keyboard = keyboard
        self.skips = True  # the first moment is there at once

    def __enter__(self) -> Self:
        self.keyboard.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        """Give the keyboard back."""
        self.keyboard.__exit__(*raised)

    def wait(self) -> None:
        """Wait for a key that says to go on."""
        from ludograph.cli.terminal import keyboard
        from ludograph.players.human import Quit

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
        """The last moment stays on the terminal: nothing to wait for."""


def pace_of(delay: Delay, usual: float) -> Pace:
    """Return a pace.

    Raises
    ------
    UsageError
        Without a terminal, if keys are wanted.
    """
    if delay != "step":
        return Pace(usual if delay is None else delay)
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--delay step needs a terminal, for its keys and its pictures")
    from ludograph.cli.terminal.keyboard import Keyboard

    return ByKeys(Keyboard())
