"""Territories and isolated regions on boards of at most 64 tiles, as sets of tiles in one word.

All players take a step at once: the free tiles around a seat's reached tiles are one set. So the
evaluation visits each tile once, while one with a queue visits each side of each tile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

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
from ludograph.rules.kernels.bits import NONE, ONE
from ludograph.rules.kernels.growth import bit_planes, race, reachable, weight
from ludograph.rules.kernels.sets import (
    WORD,
    Set,
    Words,
    common,
    get,
    is_empty,
    make_rows,
    meets,
    union,
    without,
)

EMPTY: Set = (NONE,)


class TileSets(NamedTuple):
    """The board as sets of tiles; empty arrays if it has more than 64 tiles."""

    near: Words
    """``uint64[n, 1]``: the tiles around each tile."""
    fish: Words
    """``uint64[bits, 1]``: the tiles whose number of fish has each bit."""


def make_tile_sets(setup: PenguinsSetup) -> TileSets:
    """Return the tile sets of a board."""
    n = setup.fish.size if setup.fish.size <= WORD else 0
    tiles = np.repeat(np.arange(n), np.diff(setup.offsets)[:n])
    others = setup.beyond[: tiles.size]
    is_tile = others < n  # else it is the water
    near = make_rows(tiles[is_tile], others[is_tile], n, 1)
    return TileSets(near, bit_planes(setup.fish[:n], 1))


@compiled(inlined=True)
def free_tiles(setup: PenguinsSetup, state: State) -> Set:
    """Return the set of free tiles."""
    free = NONE
    cells = cells_at(setup)
    for tile in range(cells + setup.fish.size - 1, cells - 1, -1):
        free = (free << ONE) | (ONE if state[tile] == FREE else NONE)
    return (free,)


@compiled(inlined=True)
def around_penguins(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> Set:
    """Return the tiles around a seat's penguins; the empty set if the seat was eliminated."""
    found = EMPTY
    if not state[SEATS + SEAT_SLOTS * seat + GONE]:
        first = tiles_at(setup) + seat * setup.penguins
        for slot in range(first, first + setup.penguins):
            if state[slot] != NOWHERE:
                found = union(found, get(sets.near[state[slot]], found))
    return found


@compiled(inlined=True)
def around_others(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> Set:
    """Return the tiles around the penguins of all other seats."""
    found = EMPTY
    for other in range(setup.seats):
        if other != seat:
            found = union(found, around_penguins(setup, sets, state, other))
    return found


@compiled
def add_territory_of_sets(
    setup: PenguinsSetup, sets: TileSets, state: State, value: float, out: Scores
) -> None:
    """Do the same as :func:`ludograph.games.penguins.evaluation.add_territory`; O(tiles).

    Each seat runs a race against all later ones. The next seat runs within what these have won: the
    shortest ways to a tile of a territory are in this territory.
    """
    left = free_tiles(setup, state)
    last = setup.seats - 1
    for seat in range(last):
        others = EMPTY
        for later in range(seat + 1, setup.seats):
            others = union(others, around_penguins(setup, sets, state, later))
        reach = around_penguins(setup, sets, state, seat)
        own, other = race(sets.near, reach, others, left, left)
        out[seat] += value * weight(sets.fish, without(own, other))
        left = without(other, own)
    out[last] += value * weight(sets.fish, left)


@compiled
def is_contested(setup: PenguinsSetup, sets: TileSets, state: State) -> bool:
    """Tell whether penguins of two seats can reach the same free tile."""
    free = free_tiles(setup, state)
    others = common(around_penguins(setup, sets, state, 0), free)
    for seat in range(1, setup.seats):
        first = common(around_penguins(setup, sets, state, seat), free)
        if meets(reachable(sets.near, first, free), others):
            return True
        others = union(others, first)
    return False


@compiled
def has_island(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> bool:
    """Tell whether free tiles beside a seat's penguins are out of reach of all other seats."""
    free = free_tiles(setup, state)
    own = common(around_penguins(setup, sets, state, seat), free)
    others = reachable(sets.near, around_others(setup, sets, state, seat), free)
    return not is_empty(without(own, others))
