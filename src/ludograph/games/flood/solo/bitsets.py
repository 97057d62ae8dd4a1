"""Sets of regions as bits of ``uint64`` words: region ``r`` is bit ``r % 64`` of word ``r // 64``.

On small boards a set is one block of four words, a tuple that stays in registers. All arithmetic is
in ``uint64``: Numba makes a float of a sum of an ``int64`` and a ``uint64``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.rules.random import GAMMA, scramble

Words: TypeAlias = npt.NDArray[np.uint64]
Block: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

WORD_BITS = 64
BLOCK = 4
"""Words in a block."""

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
def load(words: Words, at: int) -> Block:
    """Return the block that begins at word ``at``."""
    return words[at], words[at + 1], words[at + 2], words[at + 3]


@compiled
def store(words: Words, at: int, block: Block) -> None:
    """Write the block that begins at word ``at``."""
    words[at], words[at + 1], words[at + 2], words[at + 3] = block


@compiled
def join(a: Block, b: Block) -> Block:
    """Return what is in one or the other."""
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@compiled
def meet(a: Block, b: Block) -> Block:
    """Return what is in both."""
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@compiled
def without(a: Block, b: Block) -> Block:
    """Return what is in the first alone."""
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@compiled
def has_any(block: Block) -> bool:
    """Tell whether a block has a member."""
    return (block[0] | block[1] | block[2] | block[3]) != NONE


@compiled
def same_words(words: Words, at: int, others: Words, others_at: int, count: int) -> bool:
    """Tell whether two sets of ``count`` words are equal."""
    for word in range(count):  # noqa: SIM110  (kernels have no generators)
        if words[at + word] != others[others_at + word]:
            return False
    return True


@compiled
def size_of(words: Words, at: int, count: int) -> int:
    """Return the size of a set of ``count`` words."""
    total = 0
    for word in range(at, at + count):
        total += population(words[word])
    return total


@compiled
def digest(words: Words, at: int, count: int) -> np.uint64:
    """Return 64 well mixed bits of a set of ``count`` words."""
    value = NONE
    for word in range(at, at + count):
        value = scramble((value + GAMMA) ^ words[word])
    return value
