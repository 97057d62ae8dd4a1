"""Territories and isolated regions on boards of at most 64 tiles, as sets of tiles in one word.

All players take a step at once: the free tiles around a seat's reached tiles are one set. So the
evaluation visits each tile once, while one with a queue visits each side of each tile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    NOWHERE,
    SEAT_SLOTS,
    SEATS,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.rules import Scores, State, compiled
from ludograph.rules.kernels.bits import NONE, ONE, lowest, population

MOST_TILES = 64


class TileSets(NamedTuple):
    """The board as sets of tiles; empty arrays if it has more than ``MOST_TILES`` tiles."""

    near: npt.NDArray[np.uint64]
    """``uint64[n]``: the tiles around each tile."""
    rich: npt.NDArray[np.uint64]
    """``uint64[2]``: the tiles with two fish or more, and those with three."""


def make_tile_sets(setup: PenguinsSetup) -> TileSets:
    """Return the tile sets of a board."""
    n = setup.fish.size
    near, rich = np.zeros(n if n <= MOST_TILES else 0, np.uint64), np.zeros(2, np.uint64)
    for tile in range(near.size):
        for other in setup.beyond[setup.offsets[tile] : setup.offsets[tile + 1]].tolist():
            near[tile] |= np.uint64(1 << other if other < n else 0)
        for place in range(setup.fish[tile] - 1):
            rich[place] |= np.uint64(1 << tile)
    return TileSets(near, rich)


@compiled(inlined=True)
def free_tiles(setup: PenguinsSetup, state: State) -> np.uint64:
    """Return the set of free tiles."""
    free = NONE
    cells = cells_at(setup)
    for tile in range(cells + setup.fish.size - 1, cells - 1, -1):
        free = (free << ONE) | (ONE if state[tile] == FREE else NONE)
    return free


@compiled(inlined=True)
def around(sets: TileSets, tiles: np.uint64) -> np.uint64:
    """Return the tiles around a set of tiles."""
    found = NONE
    while tiles != NONE:
        found |= sets.near[lowest(tiles)]
        tiles &= tiles - ONE
    return found


@compiled(inlined=True)
def around_penguins(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> np.uint64:
    """Return the tiles around a seat's penguins; the empty set if the seat was eliminated."""
    found = NONE
    if not state[SEATS + SEAT_SLOTS * seat + GONE]:
        first = tiles_at(setup) + seat * setup.penguins
        for slot in range(first, first + setup.penguins):
            if state[slot] != NOWHERE:
                found |= sets.near[state[slot]]
    return found


@compiled(inlined=True)
def fish_on(sets: TileSets, tiles: np.uint64) -> int:
    """Return the number of fish on a set of tiles."""
    return population(tiles) + population(tiles & sets.rich[0]) + population(tiles & sets.rich[1])


@compiled(allocates=True)  # a set for each seat
def add_territory_of_sets(
    setup: PenguinsSetup, sets: TileSets, state: State, weight: float, out: Scores
) -> None:
    """Do the same as :func:`ludograph.games.penguins.evaluation.add_territory`; O(tiles)."""
    free = free_tiles(setup, state)
    reached = np.empty(setup.seats, np.uint64)
    shared = NONE
    for seat in range(setup.seats):
        reached[seat] = around_penguins(setup, sets, state, seat) & free
    while True:
        once, twice = shared, shared
        for seat in range(setup.seats):
            twice |= once & reached[seat]
            once |= reached[seat]
        if once == NONE:
            return
        free &= ~once
        for seat in range(setup.seats):
            own = reached[seat] & ~twice
            out[seat] += weight * fish_on(sets, own)
            reached[seat] = around(sets, own) & free
        shared = around(sets, twice) & free


@compiled
def is_contested(setup: PenguinsSetup, sets: TileSets, state: State) -> bool:
    """Tell whether penguins of two seats can reach the same free tile."""
    free = free_tiles(setup, state)
    others = NONE
    for seat in range(setup.seats - 1, -1, -1):
        reached = around_penguins(setup, sets, state, seat) & free
        first = reached
        fresh = reached
        while fresh != NONE:
            if (reached & others) != NONE:
                return True
            fresh = around(sets, fresh) & free & ~reached
            reached |= fresh
        others |= first
    return False


@compiled
def has_island(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> bool:
    """Tell whether free tiles beside a seat's penguins are out of reach of all other seats."""
    free = free_tiles(setup, state)
    own = around_penguins(setup, sets, state, seat) & free
    fresh = NONE
    for other in range(setup.seats):
        if other != seat:
            fresh |= around_penguins(setup, sets, state, other)
    fresh &= free
    while fresh != NONE:
        own &= ~fresh
        if own == NONE:
            return False
        free &= ~fresh
        fresh = around(sets, fresh) & free
    return own != NONE
