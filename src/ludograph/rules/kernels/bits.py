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
TOP_BYTE = np.uint64(56)
PAIRS = np.uint64(0x5555555555555555)
QUADS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)


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
