"""The setup for searches of Flood: regions, and their neighbors, as sets of bits.

The rules are those of the game. On sets there are random games
(:mod:`ludograph.games.flood.leaves`) and an evaluation (:mod:`ludograph.games.flood.territory`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import MARK, OWNER, cells_at
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.sets import CAPACITY, WORD, Set, Words, words_for


class FloodSearchSetup(NamedTuple):
    """A game of Flood for searches. Sets of regions have ``words`` words."""

    base: FloodSetup
    near: Words
    """``uint64[regions, words]``: the neighbors of each region."""
    hues: Words
    """``uint64[colors, words]``: the regions that start with each color."""
    allowed: Words
    """``uint64[seats, words]``: the regions whose color a seat may play."""


def make_search_setup(setup: FloodSetup) -> FloodSearchSetup:
    """Return the Setup for searches; states stay the same.

    Without sets (0 words) unless two seats play the standard variant on at most 256 regions.
    """
    regions, seats = setup.sizes.size, setup.starts.size
    has_sets = seats == 2 and not setup.capture and regions <= CAPACITY
    words = max(2, words_for(regions)) if has_sets else 0
    search = FloodSearchSetup(
        setup,
        np.zeros((regions, words), np.uint64),
        np.zeros((setup.color_count, words), np.uint64),
        np.zeros((seats, words), np.uint64),
    )
    for region in range(regions if has_sets else 0):
        color = setup.colors[region]
        for near in setup.neighbors[setup.offsets[region] : setup.offsets[region + 1]]:
            put(search.near[region], near)
        put(search.hues[color], region)
        for seat in range(seats):
            if not setup.forbidden[seat] >> color & 1:
                put(search.allowed[seat], region)
    return search


def put(row: Words, member: int) -> None:
    """Put a region into a set."""
    row[member // WORD] |= np.uint64(1) << np.uint64(member % WORD)


@compiled
def read_sets(
    setup: FloodSetup, state: State, seat: int, like: Set
) -> tuple[Set, Set, Set, Set, Set]:
    """Return the free regions, the zones of a seat and of the other, and what touches each.

    Of what touches a zone, only the free regions mean anything. Cost: O(regions).
    """
    a = read_words(setup, state, seat, 0)
    b = read_words(setup, state, seat, WORD)
    if len(like) == 2:
        return (
            (a[0], b[0]),
            (a[1], b[1]),
            (a[2], b[2]),
            (a[3], b[3]),
            (a[4], b[4]),
        )
    c = read_words(setup, state, seat, 2 * WORD)
    d = read_words(setup, state, seat, 3 * WORD)
    return (
        (a[0], b[0], c[0], d[0]),
        (a[1], b[1], c[1], d[1]),
        (a[2], b[2], c[2], d[2]),
        (a[3], b[3], c[3], d[3]),
        (a[4], b[4], c[4], d[4]),
    )


@compiled
def read_words(
    setup: FloodSetup, state: State, seat: int, first: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the same of 64 regions from one on, a word each."""
    cells = cells_at(setup)
    free = own = other = reach = other_reach = NONE
    for region in range(first, min(first + WORD, setup.sizes.size)):
        cell = state[cells + region]
        owner = cell & OWNER
        here = np.uint64(region - first)
        free |= np.uint64(owner == 0) << here
        own |= np.uint64(owner == seat + 1) << here
        other |= np.uint64(owner == 2 - seat) << here
        reach |= np.uint64((cell >> (MARK + seat)) & 1) << here
        other_reach |= np.uint64((cell >> (MARK + 1 - seat)) & 1) << here
    return free, own, other, reach, other_reach
