"""The table of what is known of positions: a proof, or how far one seems to be."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.solving.bits import NONE, ONE, reverse
from ludograph.rules import compiled
from ludograph.rules.random import GAMMA, scramble

Memory = npt.NDArray[np.uint64]
"""``uint64[entries, 4]``: the key, then either a proof or what is left to prove.

A proof is one word, the winner and the carrier. An open position has its two proof numbers, the
moves still to try, and the carriers that refute the others. The number of entries is a power of
two.
"""

KEY, PROOF, MUST, USED = range(4)
"""Columns. The proof of an open position is its two numbers; USED counts the work of a proof."""

WINNER_SHIFT = np.uint64(62)
OPEN_MARK = np.uint64(3) << WINNER_SHIFT
CARRIER_MASK = (ONE << WINNER_SHIFT) - ONE
NUMBER_BITS = np.uint64(28)
NUMBER_MASK = (ONE << NUMBER_BITS) - ONE
INFINITE = (1 << 28) - 1
"""More than any proof number."""

BUCKET = 4
"""Places that a position may have."""

OPEN = -1
"""Instead of a color: nothing is proven."""


def make_memory(bits: int) -> Memory:
    """Return an empty table of ``2 ** bits`` entries of 32 bytes."""
    return np.zeros((1 << max(bits, 2), 4), np.uint64)


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
def find(memory: Memory, key: np.uint64) -> int:
    """Return the place of a position, or -1."""
    slot = int(np.int64(key & np.uint64(memory.shape[0] - 1)))
    for offset in range(BUCKET):
        place = slot ^ offset
        if memory[place, KEY] == key and memory[place, PROOF] != NONE:
            return place
    return -1


@compiled
def place_for(memory: Memory, key: np.uint64) -> int:
    """Return where to write a position: its own place, a free one, or that of the least worth."""
    slot = int(np.int64(key & np.uint64(memory.shape[0] - 1)))
    best = slot
    fewest = INFINITE * 4
    for offset in range(BUCKET):
        place = slot ^ offset
        if memory[place, KEY] == key or memory[place, PROOF] == NONE:
            return place
        worth = int(np.int64(memory[place, USED]))
        if winner_at(memory, place) == OPEN:
            phi, delta = numbers_at(memory, place)
            worth = phi + delta
        if worth < fewest:
            fewest = worth
            best = place
    return best


@compiled
def winner_at(memory: Memory, place: int) -> int:
    """Return the color that is proven to win, or ``OPEN``."""
    mark = int(np.int64(memory[place, PROOF] >> WINNER_SHIFT))
    return OPEN if mark == 3 else mark - 1


@compiled
def numbers_at(memory: Memory, place: int) -> tuple[int, int]:
    """Return the proof numbers of an open position."""
    word = memory[place, PROOF]
    phi = int(np.int64(word & NUMBER_MASK))
    return phi, int(np.int64((word >> NUMBER_BITS) & NUMBER_MASK))


@compiled
def cells_at(memory: Memory, place: int, column: int, turned: bool, count: int) -> np.uint64:
    """Return a set of cells of an entry, as the position stands on the board."""
    cells = memory[place, column] & CARRIER_MASK
    return turn(cells, count) if turned else cells


@compiled
def remember(
    memory: Memory,
    key: np.uint64,
    turned: bool,
    count: int,
    winner: int,
    carrier: np.uint64,
    work: int,
) -> None:
    """Store a proof and how many positions it took."""
    place = place_for(memory, key)
    if turned:
        carrier = turn(carrier, count)
    memory[place, KEY] = key
    memory[place, PROOF] = carrier | (np.uint64(winner + 1) << WINNER_SHIFT)
    memory[place, MUST] = NONE
    memory[place, USED] = np.uint64(work)


@compiled
def remember_open(
    memory: Memory,
    key: np.uint64,
    turned: bool,
    count: int,
    phi: int,
    delta: int,
    must: np.uint64,
    used: np.uint64,
) -> None:
    """Store what is left to prove."""
    place = place_for(memory, key)
    if turned:
        must = turn(must, count)
        used = turn(used, count)
    memory[place, KEY] = key
    memory[place, PROOF] = OPEN_MARK | np.uint64(phi) | (np.uint64(delta) << NUMBER_BITS)
    memory[place, MUST] = must
    memory[place, USED] = used
