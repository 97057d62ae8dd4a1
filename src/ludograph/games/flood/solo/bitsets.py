"""Sets of regions as rows of ``uint64`` words: region ``r`` is bit ``r % 64`` of word ``r // 64``.

The number of words of a row is a multiple of four, the size of a block. All arithmetic is in
``uint64``, because Numba makes the sum of an ``int64`` and a ``uint64`` a float.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, population
from ludograph.rules.random import GAMMA, scramble

Words: TypeAlias = npt.NDArray[np.uint64]

WORD_BITS = 64
BLOCK = 4
"""The number of words of a block."""

THREE = np.uint64(3)
SIX = np.uint64(6)
LOW_SIX = np.uint64(63)


@compiled
def add(words: Words, member: int) -> None:
    """Put a region into a set."""
    words[member >> 6] |= ONE << (np.uint64(member) & LOW_SIX)


@compiled
def clear(words: Words) -> None:
    """Remove all members of a set."""
    for word in range(words.size):
        words[word] = NONE


@compiled
def join(source: Words, target: Words) -> None:
    """Put all members of ``source`` into ``target``."""
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
    """Tell whether all members of ``a`` are in ``b``."""
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
    """Return a hash of a set."""
    value = NONE
    for word in range(words.size):
        value = scramble((value + GAMMA) ^ words[word])
    return value
