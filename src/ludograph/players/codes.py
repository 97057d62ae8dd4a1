"""A game as it is told to a host that knows it: its start, then the codes of moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludograph.boards import to_data
from ludograph.games import Position, TimeLeft
from ludograph.games.dialogue import AnswerFault, Dialogue


class Codes(Dialogue):
    """One game with a Python file."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position, self.seat = position, seat

    def order(self) -> Mapping[str, Any]:
        """Return the start of the game."""
        position = self.position
        return {
            "game": position.game.name,
            "board": to_data(position.board),
            "setup": position.game.describe(position),
            "seat": self.seat,
        }

    def question(self, moves: list[int], time_left: TimeLeft) -> tuple[list[int], TimeLeft]:
        """Return moves and clock as they are."""
        return moves, time_left

    def move(self, said: Any) -> int:
        """Return the code."""
        if not isinstance(said, int):
            raise AnswerFault("protocol", "answered no move")
        return said
