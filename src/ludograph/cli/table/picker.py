"""Legal moves one after the other, each shown as if it had been played.

For games in which moves are not chosen by cells of the board.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ludograph.cli.frames import PLAIN, Lettering
from ludograph.cli.terminal import keyboard

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.views import Scene


class Picker:
    """A place among the legal moves, in groups of those that begin with the same word.

    Attributes
    ----------
    groups
        Moves as texts.
    """

    def __init__(self, position: Position, moves: dict[str, int]) -> None:
        self.position, self.moves = position, moves
        self.groups = [list(group) for _, group in groupby(moves, lambda text: text.split()[0])]
        self.group = self.member = -1

    @property
    def text(self) -> str:
        """The move that is shown; empty at first."""
        return self.groups[self.group][self.member] if self.group >= 0 else ""

    def move(self, key: str) -> None:
        """Go to another group (left, right) or another of its moves (up, down)."""
        if self.group < 0:
            self.group = self.member = 0
        elif key in (keyboard.LEFT, keyboard.RIGHT):
            self.group += 1 if key == keyboard.RIGHT else -1
            self.group %= len(self.groups)
            self.member = 0
        else:
            self.member += 1 if key == keyboard.DOWN else -1
            self.member %= len(self.groups[self.group])

    def next(self, step: int) -> None:
        """Go to the next group."""
        self.move(keyboard.RIGHT if step > 0 else keyboard.LEFT)

    def choose(self) -> list[int]:
        """Return the move that is shown."""
        return [self.moves[self.text]] if self.text else []

    def back(self) -> bool:
        """Show none again; tell whether one was shown."""
        shown = self.group >= 0
        self.group = self.member = -1
        return shown

    def scene(self, lettering: Lettering = PLAIN) -> Scene:
        """Return the picture with the move played."""
        board = self.position.copy()
        if self.text:
            board.play(self.moves[self.text])
        return board.scene(numbers=lettering.numbers, names=lettering.names)

    def told(self, columns: int) -> str:
        """Return which move is shown, as much of it as fits into these columns."""
        if not self.text:
            return ""
        place = f"place {self.group + 1} of {len(self.groups)}"
        members = len(self.groups[self.group])
        action = self.position.game.action(self.position, self.moves[self.text])
        said = "" if action == f"Play {self.text}" else f"{action[:1].lower()}{action[1:]}; "
        way = f", way {self.member + 1} of {members}"
        told = [
            f"{self.text}  ({rest})" for rest in (said + place + way, said + place, place + way)
        ]
        return next((line for line in told if len(line) <= columns), told[-1])
