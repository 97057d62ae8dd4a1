"""A 64-bit hash kept in a state, as two of its ``int32`` slots.

Each thing that can be so or not (a stone on a vertex) has a random word; the hash is the xor of the
words of all that is so, and a move changes it by the words of what it changes (Zobrist: "A new
hashing method with application for game playing", 1970).
"""

from __future__ import annotations

import numpy as np

from ludograph.rules.compilation import compiled
from ludograph.rules.layout import State
from ludograph.rules.random import GAMMA, scramble

HALF = np.uint64(32)


@compiled
def word_of(number: int) -> np.uint64:
    """Return the word of a thing by its number, at least 1, for games that keep no list of them."""
    return scramble(GAMMA * np.uint64(number))


@compiled
def toggle(state: State, slot: int, word: np.uint64) -> None:
    """Put a thing with this word into the hash at ``slot`` and the next, or take it out."""
    state[slot] ^= np.int32(np.uint32(word))
    state[slot + 1] ^= np.int32(np.uint32(word >> HALF))


@compiled
def hash_at(state: State, slot: int) -> np.uint64:
    """Return the hash kept at ``slot`` and the next."""
    low = np.uint64(np.uint32(state[slot]))
    high = np.uint64(np.uint32(state[slot + 1]))
    return (high << HALF) | low
