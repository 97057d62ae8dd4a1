"""A transposition table that threads share without locks.

An entry has three words: the value, data about it, and the key xor both. A torn entry, half from
one thread and half from another, has a key of no position and is not found (Hyatt, Mann: "A
lockless transposition-table implementation for parallel search", ICGA Journal 2002).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import signed
from ludograph.search.records import make_zeros

Table: TypeAlias = npt.NDArray[np.uint64]
"""``uint64[entries, 3]``, the number of entries a power of two."""

EXACT, LOWER, UPPER = 1, 2, 3
"""Whether a value is exact, or a bound for the true value."""

CLOSED = (1 << 12) - 1
"""The depth of a value that does not depend on the depth limit: it holds at any depth."""

MOVE_BITS = np.uint64(32)
DEPTH_BITS = np.uint64(12)
BOUND_SHIFT = MOVE_BITS + DEPTH_BITS
MOVE_MASK = np.uint64((1 << 32) - 1)
DEPTH_MASK = np.uint64((1 << 12) - 1)
BOUND_MASK = np.uint64(3)
NOTHING = np.uint64(0)
ONE = np.uint64(1)


def make_table(bits: int) -> Table:
    """Return an empty table of ``2 ** bits`` entries, of 24 bytes each."""
    return make_zeros((1 << bits, 3), np.uint64)


@compiled
def probe(table: Table, key: np.uint64) -> tuple[float, np.uint64]:
    """Return the value stored for a key and the data about it; ``NOTHING`` if there is none."""
    slot = key & np.uint64(table.shape[0] - 1)
    word = table[slot, 1]
    about = table[slot, 2]
    if about == NOTHING or table[slot, 0] ^ word ^ about != key:
        return 0.0, NOTHING
    return np.uint64(word).view(np.float64), about


@compiled
def store(table: Table, key: np.uint64, value: float, bound: int, depth: int, move: int) -> None:
    """Store a value; a deeper one of the same key stays."""
    slot = key & np.uint64(table.shape[0] - 1)
    old = table[slot, 2]
    if old != NOTHING and table[slot, 0] ^ table[slot, 1] ^ old == key and depth_of(old) > depth:
        return
    word = np.float64(value).view(np.uint64)
    about = np.uint64(bound) << BOUND_SHIFT
    about |= np.uint64(depth) << MOVE_BITS
    about |= np.uint64(move)
    table[slot, 0] = key ^ word ^ about
    table[slot, 1] = word
    table[slot, 2] = about


@compiled
def bound_of(about: np.uint64) -> int:
    """Return ``EXACT``, ``LOWER`` or ``UPPER``."""
    return signed((about >> BOUND_SHIFT) & BOUND_MASK)


@compiled
def depth_of(about: np.uint64) -> int:
    """Return how many plies the value looks ahead, or ``CLOSED``."""
    return signed((about >> MOVE_BITS) & DEPTH_MASK)


@compiled
def move_of(about: np.uint64) -> int:
    """Return the move found best."""
    return signed(about & MOVE_MASK)
