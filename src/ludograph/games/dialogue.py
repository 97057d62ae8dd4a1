"""How a game is told to a program that others wrote: by the referee, from its own board.

The program itself runs in a host process that knows no game: it gets what is said here and sends
back what the program answers. What an answer means is judged here too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.position import Position
    from ludograph.games.timing import TimeLeft


class AnswerFault(Exception):
    """An answer that is no move.

    Attributes
    ----------
    reason
        ``protocol`` for garbage; ``illegal-move`` for what can be said and is no move of this game;
        ``resign``.
    illegal
        How the answer is shown as an illegal move; empty for other reasons.
    """

    def __init__(self, reason: str, text: str, illegal: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        self.illegal = illegal


class Dialogue(ABC):
    """One game with one program."""

    @abstractmethod
    def order(self) -> Mapping[str, Any]:
        """Return what the host needs to start the program, as JSON-able data."""

    @abstractmethod
    def question(self, moves: list[int], time_left: TimeLeft) -> Any:
        """Return what is to be said, as JSON-able data, so that the program answers by a move.

        Parameters
        ----------
        moves
            Those since the program's own last one; ``-1 - seat`` for a seat that was dropped.
        """

    @abstractmethod
    def move(self, said: Any) -> int:
        """Return the code of the move that the program answered; raise AnswerFault if it is none.

        Whether the move is legal is the referee's to judge.
        """


class ProgramInterface(ABC):
    """How a game is played by programs that speak a protocol."""

    @abstractmethod
    def check(self, position: Position) -> None:
        """Raise InvalidInput if the protocol cannot express the game that begins here."""

    @abstractmethod
    def dialogue(self, position: Position, seat: int) -> Dialogue:
        """Return the game that begins here as it is told to the program on a seat."""
