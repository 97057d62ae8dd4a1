"""A game as it is told to a host that knows it: its start, then the codes of moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludograph.boards import to_data
from ludograph.games import Position, TimeLeft
from ludograph.games.dialogue import AnswerFault, Dialogue
from ludograph.games.library import graph_data


class Codes(Dialogue):
    """One game with a Python file, or with a C library, whose host has an interface of the game."""

    def __init__(self, position: Position, seat: int, *, library: bool) -> None:
        self.position, self.seat, self.library = position, seat, library

    def order(self) -> Mapping[str, Any]:
        """Return the start of the game."""
        position = self.position
        return {
            "game": position.game.name,
            "board": self.board(),
            "setup": position.game.describe(position),
            "seat": self.seat,
        }

    def board(self) -> dict[str, Any]:
        """Return as much of the board as this kind of player needs."""
        if not self.library:
            return to_data(self.position.board)
        interface = self.position.game.library_interface()
        if interface is None:
            return graph_data(self.position.board)
        return interface.board_data(self.position)

    def question(self, moves: list[int], time_left: TimeLeft) -> tuple[list[int], TimeLeft]:
        """Return moves and clock as they are."""
        return moves, time_left

    def move(self, said: Any) -> int:
        """Return the code."""
        if not isinstance(said, int):
            raise AnswerFault("protocol", "answered no move")
        return said
