"""A 64-bit hash in a state, as two of its ``int32`` slots.

Each possible fact of a position (a stone on a vertex) has a random word. The hash is the xor of the
words of all true facts, and a move toggles the words of the facts that it changes (Zobrist: "A new
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
    """Return the word of a fact by its number, at least 1, for games without a list of words."""
    return scramble(GAMMA * np.uint64(number))


@compiled
def toggle(state: State, slot: int, word: np.uint64) -> None:
    """Toggle a fact with this word in the hash at ``slot`` and the next slot."""
    state[slot] ^= np.int32(np.uint32(word))
    state[slot + 1] ^= np.int32(np.uint32(word >> HALF))


@compiled
def hash_at(state: State, slot: int) -> np.uint64:
    """Return the hash at ``slot`` and the next slot."""
    low = np.uint64(np.uint32(state[slot]))
    high = np.uint64(np.uint32(state[slot + 1]))
    return (high << HALF) | low
