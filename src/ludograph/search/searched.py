"""What searches need of a position and its game, and the checks of numbers from an author."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Protocol, Self

from ludograph.boards import Board
from ludograph.errors import InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.rules import Setup, State

KINDS = TREE, DEPTH, PROOF, OWN = "tree", "depth", "proof", "own"
"""The kinds of views of a game: for Monte Carlo tree search, alpha-beta search and proofs of the
game's own strategies; and for functions of an author and networks, which get the states of the
game itself."""


class SearchedGame(Protocol):
    """The part of a game that searches need."""

    def search_view(self, position: Any, kind: str) -> Any:
        """Return what the game hands to a search, with a ``setup``."""


class SearchedPosition(Protocol):
    """The part of a position of :mod:`ludograph.games` that searches need."""

    @property
    def game(self) -> SearchedGame:
        """Its game."""

    @property
    def board(self) -> Board:
        """Its board."""

    @property
    def setup(self) -> Setup:
        """The part that does not change during the game."""

    @property
    def state(self) -> State:
        """The part that changes."""

    def copy(self) -> Self:
        """Return an independent copy."""

    def text(self, move: int) -> str:
        """Return the text of a move."""

    def result_text(self, result: Any) -> str:
        """Return the result of a search in a line."""

    def result_html(self, result: Any) -> str:
        """Return the result of a search for a notebook."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownResult:
    """A result of a search, which shows the names of moves if it knows its position.

    Attributes
    ----------
    position
        A copy of the position that was searched; None if a state was. With it, ``print(result)``
        and notebooks show moves by their names.
    """

    position: SearchedPosition | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return repr(self) if self.position is None else self.position.result_text(self)

    def _repr_html_(self) -> str | None:
        """Return the board and a table for a notebook."""
        return None if self.position is None else self.position.result_html(self)


def checked_number(name: str, number: Any, low: float, high: float) -> float:
    """Return a number; raise InvalidInput if it is not one, or out of its range."""
    is_number = isinstance(number, Real) and not isinstance(number, bool)
    if not is_number or not low <= number <= high:
        raise InvalidInput(
            f"{name} must be a number from {low:g} to {high:g}, got {described(number)}"
        )
    return float(number)


def check_limits(*, time: float | None = None, **wholes: int | None) -> None:
    """Raise InvalidInput if a limit is no positive number; None: no limit."""
    number = isinstance(time, int | float) and not isinstance(time, bool)
    if time is not None and not (number and math.isfinite(time) and time > 0):
        raise InvalidInput(f"time must be a positive number of seconds, got {described(time)}")
    for name, value in wholes.items():
        if value is not None and (not is_whole(value) or value < 1):
            raise InvalidInput(f"{name} must be a whole number from 1 on, got {described(value)}")
