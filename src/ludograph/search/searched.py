"""What searches need of a position and its game, and the checks of numbers from an author."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Protocol

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
    def setup(self) -> Setup:
        """The part that does not change during the game."""

    @property
    def state(self) -> State:
        """The part that changes."""


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
