"""The messages from which a foreign program knows a game; the referee makes them.

The program itself runs in a host process that knows no game: it gets what is said here and sends
back what the program answers. What an answer means is judged here too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.games.outcome import Outcome
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


class More(NamedTuple):
    """What is to be said still, before the program answers by a move."""

    question: Any


def dropped(move: int) -> int:
    """Return the seat that left the game, from the number below zero that tells so."""
    return -1 - move


class Dialogue(ABC):
    """One game with one program.

    Attributes
    ----------
    legal
        Whether questions are to hold the legal moves, where they can; some programs need none.
    """

    legal: bool = True

    begun: Sequence[int] = ()
    """The moves with which the game begins, of whichever seats: the first ones of
    the first question, the program's own among them."""

    @abstractmethod
    def order(self) -> Mapping[str, Any]:
        """Return what the host needs to start the program, as JSON-able data."""

    @abstractmethod
    def question(self, moves: list[int], time_left: TimeLeft) -> Any:
        """Return what is to be said, as JSON-able data, so that the program answers by a move.

        Parameters
        ----------
        moves
            Those since the program's own last one; ``-1 - seat`` for a seat that was dropped. The
            first ones may be the :attr:`begun`.
        """

    @abstractmethod
    def move(self, said: Any) -> int | More:
        """Return the code of the move that the program answered; raise AnswerFault if it is none.

        Whether the move is legal is the referee's to judge. What is said is checked here: it may
        come from a program that has taken the place of its host.
        """

    def ending(self, outcome: Outcome | None) -> Any:
        """Return how the game ended as the host is to know it: ranks, None if it was stopped."""
        return None if outcome is None else list(outcome.ranks)


class Board:
    """The board of a dialogue, which follows that of the referee.

    The program's own answer is played when the next question comes: only a legal one is followed
    by a question.
    """

    def __init__(self, position: Position) -> None:
        self.position = position.copy()
        self.answered: int | None = None

    def follow(self, moves: list[int], *, drops: bool = False) -> Iterator[tuple[int | None, int]]:
        """Play the program's last answer, then moves; yield each with its seat before it is played.

        The seat is None for what chance does. Seats that were dropped are dropped here too;
        ``drops`` has them yielded among the moves, as the numbers below zero that they are.
        """
        own = [] if self.answered is None else [self.answered]
        self.answered = None
        for move in (*own, *moves):
            if move < 0:
                if drops:
                    yield dropped(move), move
                self.position.drop(dropped(move))
                continue
            yield self.position.turn, move
            self.position.push(move)


class ProgramInterface(ABC):
    """How a game is played by programs of one kind."""

    @abstractmethod
    def check(self, position: Position) -> None:
        """Raise InvalidInput if such programs cannot play the game that begins here."""

    def check_opening(self, position: Position, moves: Sequence[int]) -> None:  # noqa: ARG002
        """Raise InvalidInput if such programs cannot begin behind moves that others have made.

        By default they cannot: there may be no words for a move of their own.
        """
        raise InvalidInput(f"{position.game.name}: C players cannot begin after an opening")

    @abstractmethod
    def dialogue(self, position: Position, seat: int) -> Dialogue:
        """Return the messages of the game that begins here for the program on a seat."""
