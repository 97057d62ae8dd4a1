"""Sets of small numbers as the bits of one word.

All arithmetic is in ``uint64``: for Numba the sum of an ``int64`` and a ``uint64`` is a float.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.rules.compilation import compiled

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
def signed(number: np.unsignedinteger[Any]) -> int:
    """Return an unsigned number as a signed one, for arithmetic with signed numbers."""
    return np.int64(number)  # type: ignore[return-value]


@compiled
def bit(place: int) -> np.uint64:
    """Return the set with one member, 0 to 63."""
    return ONE << np.uint64(place)


@compiled
def population(word: np.uint64) -> int:
    """Return the number of bits set; compilers replace this idiom by one instruction."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & QUADS) + ((word >> TWO) & QUADS)
    word = (word + (word >> FOUR)) & NIBBLES
    return signed((word * BYTES) >> TOP_BYTE)


@compiled
def lowest(word: np.uint64) -> int:
    """Return the index of the lowest bit set; 64 if there is none."""
    return population((word & (~word + ONE)) - ONE)


@compiled
def bit_count(bits: int) -> int:
    """Return the number of bits set in a signed number that is not negative."""
    return population(np.uint64(bits))


@compiled
def reverse(word: np.uint64) -> np.uint64:
    """Return the 64 bits in the opposite order."""
    word = ((word >> ONE) & PAIRS) | ((word & PAIRS) << ONE)
    word = ((word >> TWO) & QUADS) | ((word & QUADS) << TWO)
    word = ((word >> FOUR) & NIBBLES) | ((word & NIBBLES) << FOUR)
    word = ((word >> EIGHT) & ODD_BYTES) | ((word & ODD_BYTES) << EIGHT)
    word = ((word >> SIXTEEN) & ODD_DOUBLES) | ((word & ODD_DOUBLES) << SIXTEEN)
    return (word >> HALF) | (word << HALF)
