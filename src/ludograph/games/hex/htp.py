"""Hex in the messages of HTP.

The referee handles swaps. It sends no swap to the program, but sets up the program's board again
with plain stones. When the opponent swaps, the program keeps its color: its board is mirrored, with
exchanged colors and with exchanged rows and columns. Otherwise the program would see a single black
stone and could try to swap it again. The program itself may answer ``swap-pieces``; its own idea
of a swap does not matter, because its board is set up again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games.dialogue import AnswerFault, Dialogue, ProgramInterface
from ludograph.games.hex.layouts import COLOR_NAMES
from ludograph.games.hex.notation import letters, number_of
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.timing import TimeLeft

SWAPS = ("swap-pieces", "swap-sides", "swap")
CELL = re.compile(r"([a-z])([1-9][0-9]{0,3})")
LETTERS = 26
"""The number of columns with a name of one letter."""


class HexPrograms(ProgramInterface):
    """The interface of programs with HTP that play Hex."""

    def check(self, position: HexPosition) -> None:
        """Raise InvalidInput unless the game is Hex on the usual board with at most 26 columns."""
        if position.is_variant:
            raise InvalidInput(
                "hex: programs that speak HTP play by the rules of Hex, not those of "
                f"{position.game.name}"
            )
        if not position.is_standard:
            raise InvalidInput(
                "hex: programs that speak HTP play on hexagonal cells, as in "
                f"'ludograph hex -t h', this board is {position.board.name!r}"
            )
        if position.size > LETTERS:
            raise InvalidInput(f"hex: HTP names {LETTERS} columns, this board has {position.size}")

    def check_opening(self, position: HexPosition, moves: Sequence[int]) -> None:
        """Allow any opening: programs receive its stones."""

    def dialogue(self, position: HexPosition, seat: int) -> HtpDialogue:
        """Return the messages of the game for the program on a seat."""
        return HtpDialogue(position, seat)


class HtpDialogue(Dialogue):
    """The messages of one game with one program.

    Attributes
    ----------
    stones
        The referee's board: (color, vertex) in the order played.
    color
        The program's color on the referee's board; a swap changes it.
    mirrored
        Whether colors, and rows and columns, are exchanged on the program's board.
    sent
        The number of stones sent to the program; below zero if its board must be set up again.
    """

    def __init__(self, position: HexPosition, seat: int) -> None:
        self.start, self.seat, self.swap = position, seat, position.swap
        self.stones: list[tuple[int, int]] = []
        self.color = seat  # black moves first
        self.mirrored = False
        self.sent = 0

    def order(self) -> Mapping[str, Any]:
        """Return the field ``size`` of the program's start, the size of the board."""
        return {"size": self.start.size}

    def question(self, moves: list[int], time_left: TimeLeft) -> list[tuple[str, bool]]:
        """Return the commands for the opponent's moves, the clock and the program's next move.

        Each command has a flag: whether the program must support it.
        """
        opened, self.begun = len(self.begun), ()
        first = BLACK  # the color of seat 0
        for ply, move in enumerate(moves):
            if move == self.swap:
                self.swapped()
                self.mirrored = self.seat == 0  # a resumed game may have the program's own swap
                first = WHITE
            elif ply < opened:
                self.stones.append(((ply + first) % 2, move))
            else:
                self.stones.append((1 - self.color, move))
        commands = [(command, True) for command in self.board()]
        clock = clock_of(time_left)
        if clock:
            commands.append((f"time_left {self.name_of(self.color)} {clock}", False))
        return [*commands, (f"genmove {self.name_of(self.color)}", True)]

    def board(self) -> list[str]:
        """Return the commands that update the program's board."""
        commands = ["clear_board"] if self.sent < 0 else []
        for color, vertex in self.stones[max(0, self.sent) :]:
            commands.append(f"play {self.name_of(color)} {self.text(vertex)}")
        self.sent = len(self.stones)
        return commands

    def swapped(self) -> None:
        """Change the program's color; mark its board to be set up again."""
        self.color = 1 - self.color
        self.sent = -1

    def move(self, said: Any) -> int:
        """Return the code of the program's move, and add its stone to the referee's board.

        Raises
        ------
        AnswerFault
            If the text is no move, or if the program resigns.
        """
        if not isinstance(said, str):
            raise AnswerFault("protocol", "answered nothing")
        word = said.lower()
        if word == "resign":
            raise AnswerFault("resign", "it resigned")
        if word in SWAPS:
            self.swapped()
            return self.swap
        found = CELL.fullmatch(word)
        if found is None:
            if word == "pass":
                raise AnswerFault("illegal-move", "answered 'pass'", word)
            raise AnswerFault("protocol", f"answered {said[:200]!r}")
        column, row, size = number_of(found[1]), int(found[2]) - 1, self.start.size
        if column >= size or row >= size:
            what = f"answered {word!r}, no cell of a board of {size} x {size}"
            raise AnswerFault("illegal-move", what, word)
        if self.mirrored:
            column, row = row, column
        vertex = self.start.vertex(row, column)
        self.stones.append((self.color, vertex))
        self.sent += 1
        return vertex

    def name_of(self, color: int) -> str:
        """Return the name of a color on the program's board."""
        return COLOR_NAMES[color ^ self.mirrored]

    def text(self, vertex: int) -> str:
        """Return the name of a cell on the program's board."""
        row, column = self.start.place(vertex)
        if self.mirrored:
            column, row = row, column
        return f"{letters(column)}{row + 1}"


def clock_of(time_left: TimeLeft) -> str:
    """Return the seconds and the stones of GTP's ``time_left``; an empty text without a clock."""
    move, game, _ = time_left
    if move is None:
        return "" if game is None else f"{clock_text(game)} 0"
    if (game or move) < move:
        assert game is not None
        return f"{clock_text(game)} 0"
    return f"{clock_text(move)} 1"


def clock_text(seconds: float) -> str:
    """Return seconds as a text for GTP: a whole number, or two decimals below 10 seconds."""
    return str(int(seconds)) if seconds >= 10 else f"{seconds:.2f}".rstrip("0").rstrip(".")
