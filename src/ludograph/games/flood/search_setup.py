"""The setup for searches of Flood, with sets of regions as bits.

The rules are those of the game. The evaluation by territory uses the sets, see
:mod:`ludograph.games.flood.territory`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import MARK, OWNER, cells_at
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.sets import CAPACITY, WORD, Set, Words, words_for


class FloodSearchSetup(NamedTuple):
    """The Setup of Flood for searches. Sets of regions have ``words`` words."""

    base: FloodSetup
    near: Words
    """``uint64[regions, words]``: the neighbors of each region."""
    allowed: Words
    """``uint64[seats, words]``: the regions whose color a seat may play."""


class RegionSets(Protocol):
    """The fields of a Setup that kernels on sets of regions read."""

    @property
    def base(self) -> FloodSetup:
        """The Setup of the game."""

    @property
    def near(self) -> Words:
        """``uint64[regions, words]``: the neighbors of each region."""

    @property
    def allowed(self) -> Words:
        """``uint64[seats, words]``: the regions whose color each seat may play."""


def make_search_setup(setup: FloodSetup) -> FloodSearchSetup:
    """Return the Setup for searches; its states are those of the game.

    It has sets only if two seats play the standard variant on at most 256 regions; otherwise
    ``words`` is 0.
    """
    regions, seats = setup.sizes.size, setup.starts.size
    has_sets = seats == 2 and not setup.capture and regions <= CAPACITY
    words = max(2, words_for(regions)) if has_sets else 0
    search = FloodSearchSetup(
        setup,
        np.zeros((regions, words), np.uint64),
        np.zeros((seats, words), np.uint64),
    )
    for region in range(regions if has_sets else 0):
        color = setup.colors[region]
        for near in setup.neighbors[setup.offsets[region] : setup.offsets[region + 1]]:
            put(search.near[region], near)
        for seat in range(seats):
            if not setup.forbidden[seat] >> color & 1:
                put(search.allowed[seat], region)
    return search


def put(row: Words, member: int) -> None:
    """Put a region into a set."""
    row[member // WORD] |= np.uint64(1) << np.uint64(member % WORD)


@compiled
def read_sets(setup: FloodSetup, state: State, like: Set) -> tuple[Set, Set, Set]:
    """Return the free regions, and the regions that touch the zones of seats 0 and 1; O(regions).

    The second and the third set are right only for free regions.
    """
    a = read_words(setup, state, 0)
    b = read_words(setup, state, WORD)
    if len(like) == 2:
        return (a[0], b[0]), (a[1], b[1]), (a[2], b[2])
    c = read_words(setup, state, 2 * WORD)
    d = read_words(setup, state, 3 * WORD)
    return (a[0], b[0], c[0], d[0]), (a[1], b[1], c[1], d[1]), (a[2], b[2], c[2], d[2])


@compiled
def read_words(setup: FloodSetup, state: State, first: int) -> tuple[np.uint64, ...]:
    """Return the three sets of :func:`read_sets` for 64 regions from ``first`` on, a word each."""
    cells = cells_at(setup)
    free = reach = other_reach = NONE
    for region in range(first, min(first + WORD, setup.sizes.size)):
        cell = state[cells + region]
        here = np.uint64(region - first)
        free |= np.uint64(cell & OWNER == 0) << here
        reach |= np.uint64((cell >> MARK) & 1) << here
        other_reach |= np.uint64((cell >> (MARK + 1)) & 1) << here
    return free, reach, other_reach
