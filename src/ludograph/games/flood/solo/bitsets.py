"""Sets of regions as rows of ``uint64`` words: region ``r`` is bit ``r % 64`` of word ``r // 64``.

Rows are whole blocks of four words. All arithmetic is in ``uint64``: Numba makes a float of a sum
of an ``int64`` and a ``uint64``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.rules.random import GAMMA, scramble

Words: TypeAlias = npt.NDArray[np.uint64]

WORD_BITS = 64
BLOCK = 4
"""Words in a block."""

NONE = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
TOP_BYTE = np.uint64(56)
SIX = np.uint64(6)
LOW_SIX = np.uint64(63)
PAIRS = np.uint64(0x5555555555555555)
QUADS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)


@compiled
def signed(number: np.unsignedinteger[Any]) -> int:
    """Return an unsigned number as a signed one, which mixes with all others."""
    return np.int64(number)  # type: ignore[return-value]


@compiled
def population(word: np.uint64) -> int:
    """Return the number of bits set; compilers know this idiom as one instruction."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & QUADS) + ((word >> TWO) & QUADS)
    word = (word + (word >> FOUR)) & NIBBLES
    return signed((word * BYTES) >> TOP_BYTE)


@compiled
def lowest(word: np.uint64) -> int:
    """Return the place of the lowest bit set; 64 if there is none."""
    return population((word & (~word + ONE)) - ONE)


@compiled
def bit_count(colors: int) -> int:
    """Return the number of colors in a set of them, a bit each."""
    return population(np.uint64(colors))


@compiled
def add(words: Words, member: int) -> None:
    """Put a region into a set."""
    words[member >> 6] |= ONE << (np.uint64(member) & LOW_SIX)


@compiled
def clear(words: Words) -> None:
    """Make a set empty."""
    for word in range(words.size):
        words[word] = NONE


@compiled
def join(source: Words, target: Words) -> None:
    """Put all members of one set into another."""
    for word in range(source.size):
        target[word] |= source[word]


@compiled
def disjoint(a: Words, b: Words) -> bool:
    """Tell whether two sets have no member in common."""
    common = NONE
    for word in range(a.size):
        common |= a[word] & b[word]
    return common == NONE


@compiled
def within(a: Words, b: Words) -> bool:
    """Tell whether all members of one set are in another."""
    others = NONE
    for word in range(a.size):
        others |= a[word] & ~b[word]
    return others == NONE


@compiled
def size_of(words: Words) -> int:
    """Return the size of a set."""
    total = 0
    for word in range(words.size):
        total += population(words[word])
    return total


@compiled
def digest(words: Words) -> np.uint64:
    """Return 64 well mixed bits of a set."""
    value = NONE
    for word in range(words.size):
        value = scramble((value + GAMMA) ^ words[word])
    return value
