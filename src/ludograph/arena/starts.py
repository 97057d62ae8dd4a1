"""Starts of a tournament or a ladder, by their numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ludograph.boards import to_data
from ludograph.games import Position

MakePosition = Callable[[int, int], Position]
"""Called with the number of a variant and a whole number to draw by; returns a start."""


def starts_by_number(
    make_position: MakePosition, variants: int, seed_of: Callable[[int], int]
) -> Callable[[int], Position]:
    """Return a function that returns a start by its number; the latest ones are stored.

    Parameters
    ----------
    variants
        The number of variants of the game, which starts take in turn.
    seed_of
        Returns the whole number by which a start is drawn.
    """
    return lru_cache(variants + 1)(lambda n: make_position(n % variants, seed_of(n)))


def is_fixed(make_position: MakePosition, variant: int) -> bool:
    """Tell whether a variant has the same start for every seed."""
    one, other = (make_position(variant, seed) for seed in range(2))
    same_game = one.game.describe(one) == other.game.describe(other)
    return same_game and to_data(one.board) == to_data(other.board)
