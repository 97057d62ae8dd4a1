"""How a game speaks to the people who play it: what moves do, what is to be done, what is wrong.

The words are said once, by the game, for pages and terminals alike; the defaults here know none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from ludograph.errors import IllegalMove
from ludograph.games.outcome import Outcome
from ludograph.games.position import Position
from ludograph.rules import Setup

P = TypeVar("P", bound=Position)
"""The positions of a game: what its pictures, records and interfaces read them by."""

PASS = "pass"

SWAP = "swap"
"""The text of the move of the pie rule, by which a seat takes the other's side."""


class SeatFacts(NamedTuple):
    """Facts about a seat that people see beside its name and its score.

    Attributes
    ----------
    color
        What tells its pieces from others now, such as ``black``.
    holding
        What it has won so far, such as ``12 fish``.
    stuck
        Why it does not come to move any more while others play on.
    terms
        What is fixed for it alone, such as ``{"forbidden": ["red"]}``.
    """

    color: str = ""
    holding: str = ""
    stuck: str = ""
    terms: Mapping[str, Sequence[str]] = MappingProxyType({})


class Wording(ABC, Generic[P]):
    """What a :class:`~ludograph.games.Game` says in words."""

    @abstractmethod
    def move_text(self, setup: Setup, move: int) -> str:
        """Return the text of a move code; raise IllegalMove if no move has this code."""

    def tasks(self, position: P) -> Sequence[str]:  # noqa: ARG002
        """Return what the seat to move is to do now: ``Place a penguin``.

        Of moves that are pointed at part by part there is a sentence for each part, the last one
        for all that follow: ``Pick a queen``, ``Choose where it goes``.
        """
        return ("Choose your move",)

    def action(self, position: P, move: int) -> str:
        """Return what a legal move does, as an order: ``Claim the road``, ``Pass``."""
        text = position.text(move)
        return text.capitalize() if text.isalpha() else f"Play {text}"

    def objection(self, position: P, cells: Sequence[int]) -> str:  # noqa: ARG002
        """Return why no legal move is pointed at by these cells of the picture, the last of them.

        To the seat to move, as in ``d4 is taken``; empty where the game has nothing to say.
        """
        return ""

    def objection_at(self, position: P, point: tuple[float, float]) -> str:  # noqa: ARG002
        """Return why no legal move is pointed at by a point of the picture, beside all its cells.

        Asked of games whose moves are pointed at by places, see
        :meth:`~ludograph.games.Game.spots`: ``A tile lies here already``.
        """
        return ""

    def hint(self, position: P, move: int) -> str:
        """Return what is said of a legal move that is shown on the board as advice."""
        return in_words(position, move)

    def result(self, position: P, outcome: Outcome, names: Sequence[str]) -> str:  # noqa: ARG002
        """Return the result of a finished game in one sentence."""
        best = [f"{names[seat]} (seat {seat})" for seat in outcome.winners]
        points = ", ".join(f"{score:g}" for score in outcome.scores)
        if len(best) == 1:
            return f"{best[0]} wins, scores {points}."
        return f"A draw between {' and '.join(best)}, scores {points}."

    def called(self, position: P, move: int) -> str:
        """Return what a move is called where it is refused; it need not be one of this game."""
        try:
            return repr(self.move_text(position.setup, move))
        except IllegalMove:
            return f"the code {move!r}"

    def reason_against(self, position: P, move: int) -> str:  # noqa: ARG002
        """Return why a move is not legal for the seat to move; empty where no game tells."""
        return ""

    def seat_facts(self, position: P, seat: int) -> SeatFacts:  # noqa: ARG002
        """Return the facts about a seat that people see now; by default none."""
        return SeatFacts()

    def describe_move(self, position: P, move: int) -> str:
        """Return what a move has done, such as ``plays 5-4``; ``position`` is the one after."""
        text = position.text(move)
        return "passes" if text == PASS else f"plays {text}"

    def announce(self, position: P, move: int) -> str:
        """Return what a move has done, for who sees the board: its places need not be told.

        ``position`` is the one after it. Empty for what needs no words, as a tile that is drawn.
        """
        return self.describe_move(position, move)

    def label(self, position: P, move: int) -> str:
        """Return what a move is called in a list of those played; ``position`` is the one after.

        In words, where the text of a move is none for who has not read how moves are written.
        """
        return position.text(move)


def swap_of(position: Position) -> int | None:
    """Return the move that takes the other's side, if it is legal: the one written `SWAP`."""
    try:
        move = position.parse(SWAP)
    except IllegalMove:
        return None
    return move if position.is_legal(move) else None


def terms_text(terms: Mapping[str, Sequence[str]]) -> str:
    """Return the terms of a seat in a line: ``forbidden: blue, red``; empty without any."""
    return "; ".join(f"{name}: {', '.join(texts)}" for name, texts in terms.items())


def in_words(position: Position, move: int) -> str:
    """Return a legal move as text, and what it does where the text does not tell.

    Examples
    --------
    >>> from ludograph import hex
    >>> position = hex.position(3)
    >>> position.play("b2")
    >>> in_words(position, position.parse("a1")), in_words(position, position.parse("swap"))
    ('a1', 'swap (take the opening stone and its color)')
    """
    text, action = position.text(move), position.game.action(position, move)
    action = action.removeprefix(f"{text.capitalize()}: ")
    if action in (f"Play {text}", text.capitalize()):
        return text
    return f"{text} ({action[:1].lower()}{action[1:]})"


def task(position: Position, chosen: int = 0) -> str:
    """Return what the seat to move is to do, after so many parts of a move are chosen.

    Examples
    --------
    >>> from ludograph import hex
    >>> task(hex.position(3, pie=False))
    'Put a stone on a free cell'
    """
    said = tasks(position)
    return said[min(chosen, len(said) - 1)]


def tasks(position: Position) -> Sequence[str]:
    """Return what the seat to move is to do, part by part; or that only a pass is left."""
    codes = position.legal_moves()
    if len(codes) == 1 and position.text(codes[0]) == PASS:
        return ("Only a pass is left",)
    return tuple(position.game.tasks(position))
