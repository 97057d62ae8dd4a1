"""A player that repeats the moves of a record, as long as the game goes as it went then."""

from __future__ import annotations

from typing import Any

from ludograph.games import Outcome, Position, TimeLeft
from ludograph.players import Player
from ludograph.referee.record import Record


class RecordedPlayer:
    """Plays as a record has it, as long as the game goes as it went then.

    Parameters
    ----------
    record
        Its moves are those of all seats, and of chance.
    then
        Plays where the record has no next move, or the game has gone another way.
    name
        How its seat is shown: as in the record.
    """

    def __init__(self, record: Record, then: Player, name: str) -> None:
        self.name = name
        self.moves = [event.move for event in record.events if event.move is not None]
        self.then = then
        self.played: list[int] = []
        self.untold: list[int] = []  # what the other player does not know yet

    def start(self, position: Position, seat: int) -> None:
        """Begin the game."""
        self.then.start(position, seat)

    def play(self, moves: list[int], time_left: TimeLeft) -> Any:
        """Return the recorded move, or another one."""
        self.untold += moves
        self.played += [move for move in moves if move >= 0]
        now = len(self.played)
        move: Any
        if now < len(self.moves) and self.played == self.moves[:now]:
            move = self.moves[now]
            self.untold.append(move)
        else:
            move = self.then.play(self.untold, time_left)
            self.untold = []
        self.played.append(move)
        return move

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""
