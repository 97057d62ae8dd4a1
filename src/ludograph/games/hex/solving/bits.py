"""Sets of cells as the bits of one ``uint64`` word.

All arithmetic is in ``uint64``: Numba makes a float of a sum of an ``int64`` and a ``uint64``.
"""

from __future__ import annotations

import numpy as np

from ludograph.rules import compiled

NONE = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
FOUR = np.uint64(4)
EIGHT = np.uint64(8)
SIXTEEN = np.uint64(16)
HALF = np.uint64(32)
TOP_BYTE = np.uint64(56)
PAIRS = np.uint64(0x5555555555555555)
QUADS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)
ODD_BYTES = np.uint64(0x00FF00FF00FF00FF)
ODD_DOUBLES = np.uint64(0x0000FFFF0000FFFF)


@compiled
def bit(place: int) -> np.uint64:
    """Return the set of one cell."""
    return ONE << np.uint64(place)


@compiled
def population(word: np.uint64) -> int:
    """Return the number of bits set; compilers know this idiom as one instruction."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & QUADS) + ((word >> TWO) & QUADS)
    word = (word + (word >> FOUR)) & NIBBLES
    return np.int64((word * BYTES) >> TOP_BYTE)  # type: ignore[return-value]


@compiled
def lowest(word: np.uint64) -> int:
    """Return the place of the lowest bit set; 64 if there is none."""
    return population((word & (~word + ONE)) - ONE)


@compiled
def reverse(word: np.uint64) -> np.uint64:
    """Return the 64 bits in the opposite order."""
    word = ((word >> ONE) & PAIRS) | ((word & PAIRS) << ONE)
    word = ((word >> TWO) & QUADS) | ((word & QUADS) << TWO)
    word = ((word >> FOUR) & NIBBLES) | ((word & NIBBLES) << FOUR)
    word = ((word >> EIGHT) & ODD_BYTES) | ((word & ODD_BYTES) << EIGHT)
    word = ((word >> SIXTEEN) & ODD_DOUBLES) | ((word & ODD_DOUBLES) << SIXTEEN)
    return (word >> HALF) | (word << HALF)
