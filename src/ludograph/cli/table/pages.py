"""Texts that take more room than a line: shown instead of the board, until a key is pressed."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ludograph.cli.terminal import keyboard
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.texts import fit, safe

if TYPE_CHECKING:
    from ludograph.cli.terminal.keyboard import Keyboard
    from ludograph.players.human import Turn

GLANCE = 0.5
LEAVING = (keyboard.ESC, keyboard.CLOSED, "q")


class Pages:
    """Shows texts page by page; meanwhile the clock runs on."""

    def __init__(self, screen: Screen, keys: Keyboard, turn: Turn) -> None:
        self.screen, self.keys, self.turn = screen, keys, turn

    def show(self, lines: list[str]) -> None:
        """Show lines; a key shows the next page, Escape goes back to the board."""
        first, columns = 0, Screen.size()[0]
        lines = wrapped(lines, columns)
        while first < len(lines):
            columns, height = Screen.size()
            room = max(1, height - 2)
            rest = len(lines) - first - room
            more = f"any key goes on ({rest} more lines), Esc to the board"
            last = more if rest > 0 else "any key goes back to the board"
            page = [fit(safe(line), columns) for line in lines[first : first + room]]
            self.screen.draw([*page, "", fit(last, columns)])
            key = None
            while key is None:
                self.turn.seconds_left()
                key = self.keys.read(GLANCE)
            if key in LEAVING:
                return
            first += room


def wrapped(lines: list[str], columns: int) -> list[str]:
    """Return lines broken so that they fit."""
    return [part for line in lines for part in (textwrap.wrap(line, columns) or [""])]
