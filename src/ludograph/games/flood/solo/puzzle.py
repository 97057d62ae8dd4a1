"""The free regions of a solo game, numbered so that sets of them are short rows of bits.

Region ``r`` is bit ``r % 64`` of word ``r // 64`` of a row. The number of words is a multiple of
four, the size of a block. All arithmetic is in ``uint64``, because Numba makes the sum of an
``int64`` and a ``uint64`` a float.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.flood.rules import OWNER, cells_at
from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import NONE, ONE, population
from ludograph.rules.kernels.sets import WORD, Words, make_rows
from ludograph.rules.random import GAMMA, scramble

IntArray: TypeAlias = npt.NDArray[np.int32]
LongArray: TypeAlias = npt.NDArray[np.int64]

BLOCK = 4
"""The number of words of a block."""
BLOCK_BITS = BLOCK * WORD

THREE = np.uint64(3)
SIX = np.uint64(6)
LOW_SIX = np.uint64(63)


class Graph(NamedTuple):
    """The colors and the neighbors of the free regions.

    The neighbors of a region are a set of which only the blocks with members are stored. Numbers
    are unsigned, so that Numba needs no test for indices that count from the end of an array.
    """

    masks: Words
    """``uint64[colors, width]``: the set of each color's regions."""
    rows: Words
    """``uint64[regions + 1]``: the pairs of region ``r`` are ``rows[r]`` to ``rows[r + 1] - 1``.
    A pair is a region and a block with neighbors of it."""
    blocks: Words
    """``uint64[pairs]``: the number of the block's first word in a set."""
    bits: Words
    """``uint64[pairs * 4]``: the region's neighbors in the block."""


class Puzzle(NamedTuple):
    """The free regions of a solo game, sorted by color; the zone itself has no number.

    A set of free regions is a row of ``width`` words. The *near* set of a zone contains the regions
    that the zone has taken and the regions that touch it. A color gains the near regions of that
    color that are not taken yet.
    """

    palette: IntArray
    """``int32[colors]``: the colors of free regions, ascending; the puzzle numbers them from 0."""
    graph: Graph
    start: Words
    """``uint64[width]``: the regions that touch the zone at the start."""

    @property
    def regions(self) -> int:
        """The number of free regions."""
        return self.graph.rows.size - 1

    @property
    def width(self) -> int:
        """The number of words in a set."""
        return self.start.size


def make_puzzle(setup: FloodSetup, state: State) -> Puzzle:
    """Return the puzzle of a position of a solo game.

    Time and memory are O(links), and not quadratic in the regions.

    Raises
    ------
    InvalidInput
        If the game has more than one seat.
    """
    if setup.starts.size != 1:
        raise InvalidInput(f"flood: the solo solvers play one seat, not {setup.starts.size}")
    cells = cells_at(setup)
    free = (state[cells : cells + setup.sizes.size] & OWNER) == 0
    order = np.flatnonzero(free)
    order = order[np.argsort(setup.colors[order], kind="stable")]
    count = order.size
    number = np.full(free.size, -1, np.int64)
    number[order] = np.arange(count)
    width = -(-count // BLOCK_BITS) * BLOCK
    palette, color = np.unique(setup.colors[order], return_inverse=True)

    source = np.repeat(number, np.diff(setup.offsets))
    target = number[setup.neighbors]
    touched = target[(source < 0) & (target >= 0)]
    inside = (source >= 0) & (target >= 0)
    return Puzzle(
        palette=palette.astype(np.int32),
        graph=Graph(
            make_rows(color, np.arange(count), palette.size, width),
            *_neighbors(source[inside], target[inside], count, width),
        ),
        start=make_rows(np.zeros_like(touched), touched, 1, width)[0],
    )


def _neighbors(
    source: LongArray, target: LongArray, count: int, width: int
) -> tuple[Words, Words, Words]:
    """Return ``rows``, ``blocks`` and ``bits`` of a :class:`Graph`, given the ends of its links."""
    blocks = max(1, width // BLOCK)
    places, pair = np.unique(source * blocks + target // BLOCK_BITS, return_inverse=True)
    rows = np.zeros(count + 1, np.uint64)
    np.cumsum(np.bincount(places // blocks, minlength=count), out=rows[1:])
    bits = make_rows(pair, target % BLOCK_BITS, places.size, BLOCK)
    return rows, (places % blocks * BLOCK).astype(np.uint64), bits.reshape(-1)


@compiled
def add(words: Words, member: int) -> None:
    """Put a region into a set."""
    words[member >> 6] |= ONE << (np.uint64(member) & LOW_SIX)


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
