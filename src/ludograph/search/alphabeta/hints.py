"""What a game can tell alpha-beta search: what winning is worth to it beside the margin."""

from __future__ import annotations

from ludograph.rules import Setup
from ludograph.rules.dispatch import generic_with_default

LARGE = 1e6
"""More than any margin of a game."""


@generic_with_default
def win_bonus(setup: Setup) -> float:
    """Return the points of margin that winning is worth, beside the margin.

    By default more than any margin: a win is a win. In a game of chance that lets the least risk of
    losing outweigh all points, so such a game should say what it is worth.
    Monte-Carlo search blends both by its own ``margin_weight``.
    """
    return LARGE
