"""The ring of six neighbors around a hexagonal cell, and the rings that make the cell dead."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

POWERS = (1, 3, 9, 27, 81, 243)
"""A ring is a number of six digits to base 3: 0 free, 1 black, 2 white."""

BLACK_DIGIT, WHITE_DIGIT = 1, 2


@functools.cache
def dead_rings() -> npt.NDArray[np.uint8]:
    """Return for each ring whether the cell inside is dead, ``uint8[729]``.

    The color of a *dead* cell cannot change the winner. A cell matters to a color only if a
    shortest chain of that color can pass through it: from one cell of the ring to another one that
    is not joined to the first by own stones of the ring. A cell matters to both colors or to
    neither, so it is dead if one color fails this test (Björnsson, Hayward, Johanson, van
    Rijswijck: "Dead cell analysis in Hex and the Shannon game", 2007).
    """
    dead = np.zeros(3**6, np.uint8)
    for code in range(3**6):
        colors = [code // power % 3 for power in POWERS]
        dead[code] = not (_passable(colors, BLACK_DIGIT) and _passable(colors, WHITE_DIGIT))
    return dead


def _passable(colors: list[int], own: int) -> bool:
    """Tell whether a shortest chain of a color can pass through the cell inside a ring.

    Two cells of the ring, free or own, must not be joined by own stones of the ring.
    """
    usable = [place for place in range(6) if colors[place] in (0, own)]
    return any(
        not _joined(colors, own, first, second) and not _joined(colors, own, second, first)
        for first in usable
        for second in usable
        if first != second
    )


def _joined(colors: list[int], own: int, first: int, second: int) -> bool:
    """Tell whether all places between two places of a ring, clockwise, have own stones."""
    between = range(first + 1, second if second > first else second + 6)
    return all(colors[place % 6] == own for place in between)


DEAD = 64
"""The bit of :func:`ring_facts` for a dead cell."""

VULNERABLE = 128
"""The bit of :func:`ring_facts`, shifted by a color, for a cell that a stone of this color in some
place of its ring makes dead."""


@functools.cache
def ring_facts() -> npt.NDArray[np.uint16]:
    """Return a set of bits for the cell inside each ring: ``uint16[729]``.

    Bit ``2 * place + color``, for the first three places, is set if a stone of this color in this
    place makes the cell dead. The other bits are ``DEAD`` and ``VULNERABLE``.
    """
    dead, codes = dead_rings(), np.arange(3**6)
    facts = (DEAD * dead).astype(np.uint16)
    for place, power in enumerate(POWERS):
        free = codes[codes // power % 3 == 0]
        for color in (0, 1):
            bits = VULNERABLE << color | (1 << (2 * place + color) if place < 3 else 0)
            facts[free[dead[free + (1 + color) * power] == 1]] |= bits
    return facts
