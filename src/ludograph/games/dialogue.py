"""The messages of a game to a foreign program; the referee makes them.

The program itself runs in a host process that does not know the game: the host passes on these
messages and returns the program's answers. The dialogue also interprets the answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from ludograph.errors import InvalidInput
from ludograph.games.played import P

if TYPE_CHECKING:
    from ludograph.games.outcome import Outcome
    from ludograph.games.timing import TimeLeft


class AnswerFault(Exception):
    """An answer that is no move.

    Attributes
    ----------
    reason
        ``protocol`` for garbage; ``illegal-move`` for a well-formed answer that is no move of this
        game; ``resign``.
    illegal
        The text of the answer as an illegal move; empty for other reasons.
    """

    def __init__(self, reason: str, text: str, illegal: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        self.illegal = illegal


class More(NamedTuple):
    """A further question before the program answers with a move."""

    question: Any


def dropped(move: int) -> int:
    """Return the seat that left the game, from its negative number."""
    return -1 - move


class Dialogue(ABC):
    """One game with one program.

    Attributes
    ----------
    legal
        Whether questions should contain the legal moves, if possible; some programs do not need
        them.
    """

    legal: bool = True

    begun: Sequence[int] = ()
    """The first moves of the game, of all seats: the first ones of the first question, including
    the program's own."""

    @abstractmethod
    def order(self) -> Mapping[str, Any]:
        """Return the data that the host needs to start the program, as JSON-able data."""

    @abstractmethod
    def question(self, moves: list[int], time_left: TimeLeft) -> Any:
        """Return the question for a move, as JSON-able data.

        Parameters
        ----------
        moves
            The moves since the program's own last one; ``-1 - seat`` for a seat that dropped out.
            The first ones may be the :attr:`begun`.
        """

    @abstractmethod
    def move(self, said: Any) -> int | More:
        """Return the code of the move in the program's answer; raise AnswerFault if it is none.

        The referee checks whether the move is legal. The form of the answer is checked here: it may
        come from a program that has replaced its host.
        """

    def ending(self, outcome: Outcome | None) -> Any:
        """Return the result of the game for the host: ranks, None if it was stopped."""
        return None if outcome is None else list(outcome.ranks)


class DialogueBoard(Generic[P]):
    """The board of a dialogue, which follows that of the referee.

    The program's own answer is played at the next question: a next question comes only after a
    legal answer.
    """

    def __init__(self, position: P) -> None:
        self.position = position.copy()
        self.answered: int | None = None

    def follow(self, moves: list[int], *, drops: bool = False) -> Iterator[tuple[int | None, int]]:
        """Play the program's last answer, then moves; yield each with its seat before it is played.

        The seat is None for moves of chance. Seats that dropped out are also dropped here; with
        ``drops`` they are yielded among the moves, as their negative numbers.
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
    """The interface of a game to programs of one kind; its positions are of the game's class."""

    @abstractmethod
    def check(self, position: Any) -> None:
        """Raise InvalidInput if such programs cannot play a game from this position."""

    def check_opening(self, position: Any, moves: Sequence[int]) -> None:  # noqa: ARG002
        """Raise InvalidInput if such programs cannot begin after moves of the referee.

        By default they cannot: their protocol may have no message for a move of their own.
        """
        raise InvalidInput(f"{position.game.name}: C players cannot begin after an opening")

    @abstractmethod
    def dialogue(self, position: Any, seat: int) -> Dialogue:
        """Return the dialogue of the game from this position for the program on a seat."""
