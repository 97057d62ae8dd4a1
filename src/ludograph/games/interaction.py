"""A game for people who play: the next step, moves by pointing, reasons against a move.

The words are said once, by the game, for pages and terminals alike; the defaults here know none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Generic

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games.position import PASS, P, Position

if TYPE_CHECKING:
    from ludograph.views import Spot

SWAP = "swap"
"""The text of the move of the pie rule, by which a seat takes the other's side."""


class Interaction(Generic[P]):
    """What people read when they are to move, and how they choose a move; by default they type it.

    Attributes
    ----------
    written_as
        How a move is written, for people who type one: ``a cell, such as c5``.
    """

    written_as: str = ""

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

    def confirmation(self, position: P) -> str:  # noqa: ARG002
        """Return the order on the button that plays a move after its parts were chosen.

        It need not name the move, which the picture shows: ``Place it here``. Empty, as by
        default, the button has the `action` of the move.
        """
        return ""

    def hint(self, position: P, move: int) -> str:
        """Return what is said of a legal move that is shown on the board as advice."""
        return in_words(position, move)

    def pointed(self, position: P, move: int) -> Sequence[Collection[int]]:  # noqa: ARG002
        """Return how people point at a legal move on the picture: part by part, by which cells.

        A move from one cell to another has two parts of one cell each; a color has one part, any
        cell of that color. Without parts, as by default, a move is typed or picked from a list.
        """
        return ()

    def marked(self, position: P, move: int) -> Collection[int]:  # noqa: ARG002
        """Return the cells of the first part of `pointed` that a page marks, and where keys go.

        For parts of many cells, of which few matter: those of a color that touch one's own zone.
        Empty, as by default: all cells of the part.
        """
        return ()

    def spots(self, position: P, move: int) -> Sequence[Spot]:  # noqa: ARG002
        """Return how people point at a legal move beside the cells, part by part.

        For games whose moves put something where the picture has no cells yet, on pages that can
        show it. Of the parts that come next, those with equal corners are ways to do something at
        one place: who points there goes through them. By default there are none, and ``pointed``
        tells.
        """
        return ()

    def objection(self, position: P, cells: Sequence[int]) -> str:  # noqa: ARG002
        """Return why no legal move is pointed at by these cells of the picture, the last of them.

        To the seat to move, as in ``d4 is taken``; empty where the game has nothing to say.
        """
        return ""

    def objection_at(self, position: P, point: tuple[float, float]) -> str:  # noqa: ARG002
        """Return why no legal move is pointed at by a point of the picture, beside all its cells.

        Asked of games whose moves are pointed at by places, see :meth:`spots`: ``A tile lies here
        already``.
        """
        return ""

    def called(self, position: P, move: int) -> str:
        """Return what a move is called where it is refused; it need not be one of this game."""
        try:
            return repr(position.game.move_text(position.setup, move))
        except IllegalMove:
            return f"the code {move!r}"

    def reason_against(self, position: P, move: int) -> str:  # noqa: ARG002
        """Return why a move is not legal for the seat to move; empty where no game tells."""
        return ""

    def pieces(self, position: P) -> Sequence[int]:  # noqa: ARG002
        """Return what people may put on cells to set a position up, as numbers of the palette.

        Cells whose fill is none of them stay as they are. Often nothing: positions of the game
        are not set up piece by piece.
        """
        return ()

    def arranged(self, position: P, fills: Sequence[int]) -> P:  # noqa: ARG002
        """Return the position whose picture has these fills, reached by legal moves from a start.

        Parameters
        ----------
        position
            The start of a game on the same board with the same options.
        fills
            For each cell the number of a color of :attr:`Scene.in_cells`; those that may be chosen
            are `pieces`.

        Raises
        ------
        InvalidInput
            If no game comes to this, with the reason in a sentence for a person.
        """
        raise InvalidInput("positions of this game cannot be set up piece by piece")


def swap_of(position: Position) -> int | None:
    """Return the move that takes the other's side, if it is legal: the one written `SWAP`."""
    try:
        move = position.parse(SWAP)
    except IllegalMove:
        return None
    return move if position.is_legal(move) else None


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
    what = effect(position, move)
    return f"{position.text(move)} ({what})" if what else position.text(move)


def effect(position: Position, move: int) -> str:
    """Return what a legal move does, as an order within a sentence; empty if its text tells."""
    text, action = position.text(move), position.game.interaction.action(position, move)
    action = action.removeprefix(f"{text.capitalize()}: ")
    return "" if action in (f"Play {text}", text.capitalize()) else action[:1].lower() + action[1:]


def task(position: Position, chosen: int = 0) -> str:
    """Return what the person has to do next, when some parts of a move are chosen.

    Examples
    --------
    >>> from ludograph import hex
    >>> task(hex.position(3, pie=False))
    'Put a stone to join the black borders'
    """
    said = tasks(position)
    return said[min(chosen, len(said) - 1)]


def tasks(position: Position) -> Sequence[str]:
    """Return what the seat to move is to do, part by part; or that only a pass is left."""
    codes = position.legal_moves()
    if len(codes) == 1 and position.text(codes[0]) == PASS:
        return ("Only a pass is left",)
    return tuple(position.game.interaction.tasks(position))
