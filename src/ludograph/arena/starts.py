"""Starts of a tournament or a ladder, by their numbers."""

from __future__ import annotations

from collections.abc import Callable

from ludograph.boards import to_data
from ludograph.games import Position

MakePosition = Callable[[int, int], Position]
"""Called with the number of a variant and a whole number to draw by; returns a start."""


class Starts:
    """The positions from which games start; the latest ones are stored.

    Parameters
    ----------
    variants
        The number of variants of the game, which starts take in turn.
    seed_of
        Returns the whole number by which a start is drawn.
    """

    def __init__(
        self, make_position: MakePosition, variants: int, seed_of: Callable[[int], int]
    ) -> None:
        self._make_position, self._variants, self._seed_of = make_position, variants, seed_of
        self._kept: dict[int, Position] = {}

    def position(self, number: int) -> Position:
        """Return a start by its number; it must not be changed."""
        start = self._kept.get(number)
        if start is None:
            start = self._make_position(number % self._variants, self._seed_of(number))
            if len(self._kept) > self._variants:
                self._kept.clear()
            self._kept[number] = start
        return start


def is_fixed(make_position: MakePosition, variant: int) -> bool:
    """Tell whether a variant has the same start for every seed."""
    one, other = (make_position(variant, seed) for seed in range(2))
    same_game = one.game.describe(one) == other.game.describe(other)
    return same_game and to_data(one.board) == to_data(other.board)
