"""What is left to do in a solo game, numbered so that sets of regions are short rows of bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.bitsets import BLOCK, ONE, WORD_BITS, Words
from ludograph.games.flood.zones import OWNER, cells_at
from ludograph.rules import State

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]

NARROW = BLOCK * WORD_BITS
"""Up to so many free regions a board is *narrow*: a set of them is one block."""


class Puzzle(NamedTuple):
    """The free regions of a solo game, sorted by color; the zone itself has no number.

    A set of free regions is a row of ``width`` words, 4 on a narrow board. The *near* set of a zone
    holds what the zone has taken and all that touches it; what a color gains is what is near, of
    that color and not taken yet.
    """

    palette: IntArray
    """``int32[colors]``: the game's colors that are left, ascending; here numbered from 0."""
    spans: IntArray
    """``int32[2 * colors]``: the first word in which a color has regions, behind the last."""
    masks: Words
    """``uint64[colors * width]``: the set of each color's regions."""
    rows: IntArray
    """``int32[regions + 1]``: a region's neighbors are ``rows[r]:rows[r + 1]`` of the next two."""
    links: IntArray
    """``int32[pairs]``: numbers of words; empty on a narrow board, which has no sparse rows."""
    bits: Words
    """``uint64[pairs]``: the neighbors in that word; on a narrow board ``uint64[regions * 4]``,
    the set of each region's neighbors."""
    near: Words
    """``uint64[width]``: the regions that touch the zone at the start."""

    @property
    def regions(self) -> int:
        """The number of free regions."""
        return self.rows.size - 1

    @property
    def width(self) -> int:
        """The number of words in a set."""
        return self.near.size


def make_puzzle(setup: FloodSetup, state: State) -> Puzzle:
    """Return what is left to do in a position of a solo game; O(links), a few numpy calls.

    Memory grows with the links of the graph, not with the square of its regions.

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
    width = BLOCK if count <= NARROW else -(-count // WORD_BITS)

    palette, color = np.unique(setup.colors[order], return_inverse=True)
    bounds = np.searchsorted(color, np.arange(palette.size + 1))
    spans = np.empty(2 * palette.size, np.int32)
    spans[0::2] = bounds[:-1] // WORD_BITS
    spans[1::2] = (bounds[1:] - 1) // WORD_BITS + 1

    source = np.repeat(number, np.diff(setup.offsets))
    target = number[setup.neighbors]
    touched = target[(source < 0) & (target >= 0)]
    inside = (source >= 0) & (target >= 0)
    rows, links, bits = _neighbor_rows(source[inside], target[inside], count, width)
    return Puzzle(
        palette=palette.astype(np.int32),
        spans=spans,
        masks=_bit_rows(color, np.arange(count), palette.size, width),
        rows=rows,
        links=links,
        bits=bits,
        near=_bit_rows(np.zeros_like(touched), touched, 1, width),
    )


def _bit_rows(row: LongArray, members: LongArray, count: int, width: int) -> Words:
    """Return ``count`` sets one after the other: ``members[i]`` is in set ``row[i]``."""
    words = np.zeros(count * width, np.uint64)
    flags = ONE << (members % WORD_BITS).astype(np.uint64)
    np.bitwise_or.at(words, row * width + members // WORD_BITS, flags)
    return words


def _neighbor_rows(
    source: LongArray, target: LongArray, count: int, width: int
) -> tuple[IntArray, IntArray, Words]:
    """Gather links by their source and their target's word."""
    rows = np.zeros(count + 1, np.int32)
    if width == BLOCK:
        return rows, np.empty(0, np.int32), _bit_rows(source, target, count, width)
    places, pair = np.unique(source * width + target // WORD_BITS, return_inverse=True)
    bits = _bit_rows(pair, target % WORD_BITS, places.size, 1)
    np.cumsum(np.bincount(places // width, minlength=count), out=rows[1:])
    return rows, (places % width).astype(np.int32), bits
