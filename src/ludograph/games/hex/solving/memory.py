"""The table of what is proven: who wins a position, and on which cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.solving.bits import NONE, ONE, reverse
from ludograph.rules import compiled
from ludograph.rules.random import GAMMA, scramble

Memory = npt.NDArray[np.uint64]
"""``uint64[entries, 2]``: the key, the proof; the number of entries is a power of two."""

WINNER_SHIFT = np.uint64(62)
CARRIER_MASK = (ONE << WINNER_SHIFT) - ONE


def make_memory(bits: int) -> Memory:
    """Return an empty table of ``2 ** bits`` entries of 16 bytes."""
    return np.zeros((1 << bits, 2), np.uint64)


@compiled
def turn(cells: np.uint64, count: int) -> np.uint64:
    """Return a set of cells turned by 180° on a board of so many."""
    return reverse(cells) >> np.uint64(64 - count)


@compiled
def key_of(
    black: np.uint64, white: np.uint64, color: int, count: int, symmetric: bool
) -> tuple[np.uint64, bool]:
    """Return the key of a position, and whether it stands there turned by 180°.

    Turning the board exchanges each color's two borders, so nothing changes but the places.
    """
    board = (ONE << np.uint64(count)) - ONE
    black &= board
    white &= board
    turned = False
    if symmetric:
        black_turned = turn(black, count)
        white_turned = turn(white, count)
        if black_turned < black or (black_turned == black and white_turned < white):
            black, white = black_turned, white_turned
            turned = True
    word = scramble(black + GAMMA)
    word = scramble((word ^ white) + GAMMA)
    return scramble((word ^ np.uint64(color)) + GAMMA), turned


@compiled
def recall(memory: Memory, key: np.uint64, turned: bool, count: int) -> tuple[int, np.uint64]:
    """Return the color that wins and its cells, or -1."""
    slot = np.int64(key & np.uint64(memory.shape[0] - 1))
    for place in (slot, slot ^ 1):
        if memory[place, 0] == key and memory[place, 1] != NONE:
            proof = memory[place, 1]
            carrier = proof & CARRIER_MASK
            if turned:
                carrier = turn(carrier, count)
            return int(np.int64(proof >> WINNER_SHIFT)) - 1, carrier
    return -1, NONE


@compiled
def remember(
    memory: Memory, key: np.uint64, turned: bool, count: int, winner: int, carrier: np.uint64
) -> None:
    """Store a proof in one of two places; the newest takes the second."""
    slot = np.int64(key & np.uint64(memory.shape[0] - 1))
    if memory[slot, 1] != NONE and memory[slot, 0] != key:
        slot ^= 1
    if turned:
        carrier = turn(carrier, count)
    memory[slot, 0] = key
    memory[slot, 1] = carrier | (np.uint64(winner + 1) << WINNER_SHIFT)
