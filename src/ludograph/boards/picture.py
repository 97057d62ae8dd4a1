"""The colors of marks in the picture of a board without a game."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ludograph.views import Swatch

PLAIN = Swatch("vertex", "#c9d6e6", ".")
MARKS = ("#b9c9a4", "#e3c08f", "#c5b3d6", "#e0aeb4", "#9fc5c9", "#d5cf94")
"""The colors of marks without a color of their own, used in turn."""

COLORS = {
    "black": "#2a2a31",
    "white": "#ffffff",
    "red": "#d9534f",
    "blue": "#4a7fd4",
    "green": "#4ca466",
    "yellow": "#efd44a",
}
"""The colors of marks with these names."""

OUTLINE = "#85858f"
"""The color around marked vertices, which makes white ones visible."""


def mark_colors(marks: Iterable[str]) -> dict[str, str]:
    """Return the color of each mark of a board in its picture, as ``#rrggbb``."""
    tints = itertools.cycle(MARKS)
    return {name: COLORS.get(name) or next(tints) for name in marks}


def palette(marks: Iterable[str]) -> tuple[Swatch, ...]:
    """Return the color of vertices without a mark, then that of each mark."""
    colors = mark_colors(marks)
    return PLAIN, *(Swatch(name, rgb, "+", OUTLINE) for name, rgb in colors.items())
