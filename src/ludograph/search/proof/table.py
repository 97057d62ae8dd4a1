"""The transposition table of proofs: the two numbers of a position, and data of the game.

A position has one of four places, which share a cache line if a game adds no words. When all are in
use, the entry of least value is replaced: the value of a proof is the nodes that it took, that of
an open position its numbers.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, signed
from ludograph.search.arrays import make_zeros
from ludograph.search.proof.stack import ENDLESS

Table: TypeAlias = npt.NDArray[np.uint64]
"""``uint64[entries, 2 + words]``, the number of entries a power of two."""

KEY, NUMBERS, WORDS = range(3)
"""Columns: the key, both numbers in a word, the first word of the game's own.

A decided entry stores the work of its proof plus 1 in place of ``ENDLESS``.
"""

NUMBER_BITS = np.uint64(28)
NUMBER_MASK = (ONE << NUMBER_BITS) - ONE
BUCKET = 4
"""The number of places for a position."""


def make_table(bits: int, words: int = 0) -> Table:
    """Return an empty table of ``2 ** bits`` entries, each with ``words`` words for the game."""
    return make_zeros((1 << max(bits, 2), WORDS + words), np.uint64)


@compiled
def find(table: Table, key: np.uint64) -> int:
    """Return the place of a position, or -1."""
    slot = signed(key & np.uint64(table.shape[0] - 1))
    for offset in range(BUCKET):
        place = slot ^ offset
        if table[place, KEY] == key and table[place, NUMBERS] != NONE:
            return place
    return -1


@compiled
def numbers_at(table: Table, place: int) -> tuple[int, int]:
    """Return phi and delta of an entry."""
    word = table[place, NUMBERS]
    phi = signed(word & NUMBER_MASK)
    delta = signed(word >> NUMBER_BITS)
    if phi == 0:
        delta = ENDLESS
    elif delta == 0:
        phi = ENDLESS
    return phi, delta


@compiled
def store(table: Table, key: np.uint64, phi: int, delta: int, work: int) -> int:
    """Store the numbers of a position; return its place.

    Parameters
    ----------
    work
        The nodes that a proof took, which are the value of a decided entry.
    """
    place = place_for(table, key)
    if phi == 0:
        delta = min(work + 1, ENDLESS)
    elif delta == 0:
        phi = min(work + 1, ENDLESS)
    table[place, KEY] = key
    table[place, NUMBERS] = np.uint64(phi) | (np.uint64(delta) << NUMBER_BITS)
    return place


@compiled
def place_for(table: Table, key: np.uint64) -> int:
    """Return where to write a position: its own place, a free one, or that of the least value."""
    slot = signed(key & np.uint64(table.shape[0] - 1))
    best = slot
    fewest = 2 * ENDLESS
    for offset in range(BUCKET):
        place = slot ^ offset
        if table[place, KEY] == key or table[place, NUMBERS] == NONE:
            return place
        work = work_at(table, place)
        if work < fewest:
            fewest = work
            best = place
    return best


@compiled
def work_at(table: Table, place: int) -> int:
    """Return the value of an entry: the work to compute it again."""
    word = table[place, NUMBERS]
    phi = signed(word & NUMBER_MASK)
    delta = signed(word >> NUMBER_BITS)
    decided = 1 if phi == 0 or delta == 0 else 0
    return phi + delta - decided
