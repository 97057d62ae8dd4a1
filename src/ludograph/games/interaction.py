"""A game for human players: the next step, moves by pointing, reasons against a move.

The game defines these texts once, for pages and terminals; the defaults here have none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Generic

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games.played import PASS, P, PlayedPosition

if TYPE_CHECKING:
    from ludograph.views import Sketch, Spot

SWAP = "swap"
"""The text of the move of the pie rule, by which a seat takes the other's side."""


class Interaction(Generic[P]):
    """The instructions for people to move, and their choice of a move; by default they type it.

    Attributes
    ----------
    written_as
        The form of a move, for people who type one: ``a cell, such as c5``.
    """

    written_as: str = ""

    def tasks(self, position: P) -> Sequence[str]:  # noqa: ARG002
        """Return the instructions for the seat to move: ``Place a penguin``.

        For moves that people point at part by part there is a sentence for each part, the last one
        for all further parts: ``Pick a queen``, ``Choose where it goes``.
        """
        return ("Choose your move",)

    def action(self, position: P, move: int) -> str:
        """Return the effect of a legal move as an imperative: ``Claim the road``, ``Pass``."""
        text = position.text(move)
        return text.capitalize() if text.isalpha() else f"Play {text}"

    def confirmation(self, position: P) -> str:  # noqa: ARG002
        """Return the text of the button that plays a move after the choice of its parts.

        It need not name the move, which the picture shows: ``Place it here``. If it is empty, the
        default, the button has the `action` of the move.
        """
        return ""

    def hint(self, position: P, move: int) -> str:
        """Return the sentence on a legal move that the board shows as advice."""
        return in_words(position, move)

    def pointed(self, position: P, move: int) -> Sequence[Collection[int]]:  # noqa: ARG002
        """Return the cells by which people point at a legal move on the picture, part by part.

        A move from one cell to another has two parts of one cell each; a color has one part, any
        cell of that color. Without parts, the default, a move is typed or chosen from a list.
        """
        return ()

    def marked(self, position: P, move: int) -> Collection[int]:  # noqa: ARG002
        """Return the cells of the first part of `pointed` that a page marks and that keys reach.

        This is for parts of many cells of which few matter: those of a color that touch one's own
        zone. Empty, the default: all cells of the part.
        """
        return ()

    def put(self, position: P, move: int) -> Sequence[Sketch]:  # noqa: ARG002
        """Return what a legal move puts on its cell, which people see there before they confirm it.

        This is for moves of one part of one cell that put a new piece there. Empty, the default:
        the cell is marked.
        """
        return ()

    def spots(self, position: P, move: int) -> Sequence[Spot]:  # noqa: ARG002
        """Return the places beside the cells by which people point at a legal move, part by part.

        This is for games whose moves put pieces where the picture has no cells yet, on pages that
        can show them. Next parts with equal corners are alternatives at one place: a person who
        points there goes through them. By default there are none, and ``pointed`` is used.
        """
        return ()

    def why_not_cells(self, position: P, cells: Sequence[int]) -> str:  # noqa: ARG002
        """Return why these cells, or the last of them, do not lead to a legal move.

        The text is for the seat to move, as in ``d4 is taken``; empty if the game has no reason.
        """
        return ""

    def why_not_at(self, position: P, point: tuple[float, float]) -> str:  # noqa: ARG002
        """Return why a point of the picture beside all cells does not lead to a legal move.

        It is used for games with places for moves, see :meth:`spots`: ``A tile lies here already``.
        """
        return ""

    def called(self, position: P, move: int) -> str:
        """Return the name of a refused move; it need not be a move of this game."""
        try:
            return repr(position.game.move_text(position.setup, move))
        except IllegalMove:
            return f"the code {move!r}"

    def why_not_move(self, position: P, move: int) -> str:  # noqa: ARG002
        """Return why a move is not legal for the seat to move; empty if the game has no reason."""
        return ""

    def pieces(self, position: P) -> Sequence[int]:  # noqa: ARG002
        """Return the pieces for setting up a position, as numbers of the palette.

        Cells with other fills cannot be changed. By default none: positions of the game cannot be
        set up piece by piece.
        """
        return ()

    def arranged(self, position: P, fills: Sequence[int]) -> P:  # noqa: ARG002
        """Return a position with these fills that legal moves can reach from a start.

        Parameters
        ----------
        position
            The start of a game on the same board with the same options.
        fills
            For each cell the number of a color of :attr:`Scene.in_cells`; those for people to
            choose are `pieces`.

        Raises
        ------
        InvalidInput
            If no game leads to it, with the reason in a sentence.
        """
        raise InvalidInput("positions of this game cannot be set up piece by piece")


def swap_of(position: PlayedPosition) -> int | None:
    """Return the move that takes the other's side, if it is legal: the one written `SWAP`."""
    try:
        move = position.parse(SWAP)
    except IllegalMove:
        return None
    return move if position.is_legal(move) else None


def in_words(position: PlayedPosition, move: int) -> str:
    """Return a legal move as text, with its effect if the text does not show it.

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


def effect(position: PlayedPosition, move: int) -> str:
    """Return the effect of a legal move, for use in a sentence; empty if its text shows it."""
    text, action = position.text(move), position.game.interaction.action(position, move)
    action = action.removeprefix(f"{text.capitalize()}: ")
    return "" if action in (f"Play {text}", text.capitalize()) else action[:1].lower() + action[1:]


def task(position: PlayedPosition, chosen: int = 0) -> str:
    """Return the next instruction for a person after the choice of some parts of a move.

    Examples
    --------
    >>> from ludograph import hex
    >>> task(hex.position(3, pie=False))
    'Put a stone to join the black borders'
    """
    said = tasks(position)
    return said[min(chosen, len(said) - 1)]


def tasks(position: PlayedPosition) -> Sequence[str]:
    """Return the instructions for the seat to move, part by part; or that only a pass is left."""
    codes = position.legal_moves()
    if len(codes) == 1 and position.text(codes[0]) == PASS:
        return ("Only a pass is left",)
    return tuple(position.game.interaction.tasks(position))
