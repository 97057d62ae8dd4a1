"""Runs a program that speaks HTP inside its host process: one game of Hex.

The swap is the referee's: it is never sent to the program, whose board is set up anew with plain
stones. When the opponent swaps, the program keeps its color: both colors change places, and so do
rows and columns. A program that met a lone black stone might want to swap it once more. A program's
own ``swap-pieces`` is understood, whatever it takes a swap to be.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.players.channel import Answer
from ludograph.players.htp.framing import COLOR_NAMES
from ludograph.players.htp.program import Program, ProgramFault, Refusal

SWAPS = ("swap-pieces", "swap-sides", "swap")
CELL = re.compile(r"([a-z])([1-9][0-9]{0,3})")
LETTERS = 26

BLACK, WHITE = 0, 1


class HtpRunner:
    """One game played by one program.

    Attributes
    ----------
    stones
        The referee's board: (color, vertex) in the order played.
    color
        The program's own, which a swap changes.
    mirrored
        Whether the program's board has colors, and rows and columns, exchanged.
    told
        How many of the stones the program knows.
    """

    def __init__(self) -> None:
        self.program: Program
        self.stones: list[tuple[int, int]] = []
        self.size = 0
        self.color = BLACK
        self.mirrored = False
        self.told = 0
        self.known: set[str] = set()

    def prepare(self, game: str) -> None:
        """Nothing is needed before the program itself."""

    def start(self, order: dict[str, Any]) -> str | None:
        """Start the program and set up its board; return its name."""
        self.size = math.isqrt(len(order["board"]["offsets"]) - 1) - 2
        self.color = order["seat"]
        if self.size > LETTERS:
            raise InvalidInput(f"HTP names {LETTERS} columns, the board has {self.size}")
        try:
            self.program = Program(order["path"])
        except OSError as error:
            raise InvalidInput(f"{error.filename}: {error.strerror}") from None
        try:
            self.known = set(self.optional("list_commands").split())
            name = self.optional("name")
            self.resize()
            self.program.ask("clear_board")
        except Refusal as refusal:
            raise InvalidInput(f"refused clear_board: {refusal}") from None
        except ProgramFault as fault:
            raise InvalidInput(str(fault)) from None
        return name

    def optional(self, command: str) -> str:
        """Send a command that a program need not know; return its answer or an empty text."""
        try:
            return self.program.ask(command)
        except Refusal:
            return ""

    def resize(self) -> None:
        """Set the size of the board; some programs want one number, some two."""
        try:
            self.program.ask(f"boardsize {self.size} {self.size}")
        except Refusal as refusal:
            try:
                self.program.ask(f"boardsize {self.size}")
            except Refusal:
                size = f"{self.size} x {self.size}"
                raise InvalidInput(f"does not play on {size}: {refusal}") from None

    def play(self, moves: list[int], time_left: list[Any]) -> Answer:
        """Tell the opponent's move, ask for the program's."""
        try:
            for move in moves:
                self.take(move)
            self.tell()
            self.tell_time(time_left)
            return self.answer(self.program.ask(f"genmove {self.name_of(self.color)}"))
        except Refusal as refusal:
            return Answer(fault="protocol", text=f"refused a command: ? {refusal}")
        except ProgramFault as fault:
            return Answer(fault=fault.reason, text=str(fault))

    def take(self, move: int) -> None:
        """Keep a move of the opponent's."""
        if move == self.swap:
            self.swapped()
            self.mirrored = True
        else:
            self.stones.append((1 - self.color, move))

    @property
    def swap(self) -> int:
        """The code of a swap."""
        return (self.size + 2) ** 2

    def swapped(self) -> None:
        """Change color; the stone stays, and the program's board is set up anew."""
        self.color = 1 - self.color
        self.told = -1

    def tell(self) -> None:
        """Bring the program's board up to date."""
        if self.told < 0:
            self.program.ask("clear_board")
            self.told = 0
        for color, vertex in self.stones[self.told :]:
            self.program.ask(f"play {self.name_of(color)} {self.text(vertex)}")
        self.told = len(self.stones)

    def tell_time(self, time_left: list[Any]) -> None:
        """Tell the clock, if the program wants to know it."""
        move, game, _ = time_left
        if "time_left" not in self.known or (move is None and game is None):
            return
        left, stones = (game, 0) if move is None or (game or move) < move else (move, 1)
        self.optional(f"time_left {self.name_of(self.color)} {clock_text(left)} {stones}")

    def answer(self, text: str) -> Answer:
        """Return the move that a text names, kept here too."""
        word = text.lower()
        if word == "resign":
            return Answer(fault="resign", text="it gave the game up")
        if word in SWAPS:
            self.swapped()
            return Answer(move=self.swap)
        found = CELL.fullmatch(word)
        if found is None:
            if word == "pass":
                return Answer(fault="illegal-move", text="answered 'pass'", illegal=word)
            return Answer(fault="protocol", text=f"answered {text[:200]!r}")
        column, row = ord(found[1]) - ord("a"), int(found[2]) - 1
        if column >= self.size or row >= self.size:
            what = f"answered {word!r}, no cell of a board of {self.size} x {self.size}"
            return Answer(fault="illegal-move", text=what, illegal=word)
        if self.mirrored:
            column, row = row, column
        vertex = (row + 1) * (self.size + 2) + column + 1
        self.stones.append((self.color, vertex))
        self.told += 1
        return Answer(move=vertex)

    def name_of(self, color: int) -> str:
        """Return the name of a color on the program's board."""
        return COLOR_NAMES[color ^ self.mirrored]

    def text(self, vertex: int) -> str:
        """Return the name of a cell on the program's board."""
        row, column = divmod(vertex, self.size + 2)
        if self.mirrored:
            column, row = row, column
        return f"{chr(ord('a') + column - 1)}{row}"

    def finish(self, ranks: list[int] | None) -> None:  # noqa: ARG002
        """End the program."""
        self.program.quit()


def clock_text(seconds: float) -> str:
    """Return seconds for a program: whole numbers, as GTP has them, but for the last few."""
    return str(int(seconds)) if seconds >= 10 else f"{seconds:.2f}".rstrip("0").rstrip(".")
