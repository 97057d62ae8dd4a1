"""Random numbers from an explicit state: the same seed gives the same game anywhere.

The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
OOPSLA 2014): one word of state, two multiplications a number, any state is a good start. Threads
have states of their own.
"""

from __future__ import annotations

from operator import index

import numpy as np

from ludograph.rules.compilation import compiled
from ludograph.rules.layout import Rng

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_27, SHIFT_30, SHIFT_31 = np.uint64(27), np.uint64(30), np.uint64(31)
HALF = np.uint64(32)
LOW_BITS = np.uint64(11)
UNIT = 2.0**-53

_WORD = (1 << 64) - 1


def random_state(seed: int, *stream: int) -> Rng:
    """Return a generator state for a seed and, with more numbers, an independent stream of it.

    Parameters
    ----------
    seed
        Any integer, also of NumPy; only its lowest 64 bits count.
    stream
        What the numbers are for: a game's number, a seat, a thread.

    Returns
    -------
    uint64[1]

    Raises
    ------
    TypeError
        If a number is no integer.
    """
    word = index(seed) & _WORD
    for number in (0, *map(index, stream)):
        word = _mix((word + (number + 1) * int(GAMMA)) & _WORD)
    return np.array([word], dtype=np.uint64)


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * int(MIX_1)) & _WORD
    word = ((word ^ (word >> 27)) * int(MIX_2)) & _WORD
    return word ^ (word >> 31)


@compiled
def scramble(word: np.uint64) -> np.uint64:
    """Return 64 well mixed bits of a word: a hash, and the generator's output function."""
    word = (word ^ (word >> SHIFT_30)) * MIX_1
    word = (word ^ (word >> SHIFT_27)) * MIX_2
    return word ^ (word >> SHIFT_31)


@compiled
def random_bits(rng: Rng) -> np.uint64:
    """Return the next 64 random bits."""
    rng[0] += GAMMA
    return scramble(rng[0])


@compiled
def random_below(rng: Rng, bound: int) -> int:
    """Return a random integer of ``range(bound)``, for ``1 <= bound < 2**32``.

    The bias of the multiplication (Lemire 2019) is under ``bound / 2**32`` and left in.
    """
    product: int = np.int64(((random_bits(rng) >> HALF) * np.uint64(bound)) >> HALF)  # type: ignore[assignment]
    return product


@compiled
def random_unit(rng: Rng) -> float:
    """Return a random float of [0, 1)."""
    return np.float64(random_bits(rng) >> LOW_BITS) * UNIT
