"""The fish of isolated regions: each region is solved once, and stored in the memo of a search.

Many positions of a search share a region: it only changes by moves of its own penguins.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.penguins.endgame import advance, key_part, make_endgame, start_search
from ludograph.games.penguins.isolated import Regions
from ludograph.games.penguins.rules import FREE, cells_at, target_of, tiles_at
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.setup import IntArray
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import signed

LARGEST = 48
"""The most free tiles of a region that a search tries to solve."""

VISITED = 2**11
"""The number of nodes in the memory of such a proof."""

FISH_BITS, TILE_BITS = np.uint64(10), np.uint64(8)
KEY_AT = FISH_BITS + TILE_BITS + TILE_BITS
"""The first bit of the key in an entry of the memo. Below it are the fish, the source and the
target of the first move.

The lower bits of the key are the index of the entry. Threads that share the Setup read and write an
entry as a whole."""

UNPROVEN = np.uint64(1023)
"""The fish of an entry without a proof; proven numbers are below it."""

TILES = 2**8
"""The greatest number of tiles for which first moves are stored."""


@compiled(allocates=True)  # only for a region that is not in the memo
def look_up(setup: PenguinsSearchSetup, state: State, regions: Regions, region: int) -> np.uint64:
    """Return the entry of a region; O(tiles) if it is in the memo, else the time of a proof."""
    free = regions.free[regions.free_ends[region] : regions.free_ends[region + 1]]
    members = regions.penguins[regions.penguin_ends[region] : regions.penguin_ends[region + 1]]
    tiles = tiles_at(setup.base)
    key = np.uint64(0)
    for tile in free:
        key ^= key_part(tile, 0)
    for penguin in members:
        key ^= key_part(state[tiles + penguin], 1)
    memo = setup.memo
    place = np.int64(key % np.uint64(memo.size))
    entry = memo[place]
    if entry >> KEY_AT != key >> KEY_AT:
        standing = np.empty(members.size, np.int32)
        for index in range(members.size):
            standing[index] = state[tiles + members[index]]
        entry = ((key >> KEY_AT) << KEY_AT) | prove(setup, standing, free)
        memo[place] = entry
    return entry


@compiled(allocates=True)
def prove(setup: PenguinsSearchSetup, standing: IntArray, free: IntArray) -> np.uint64:
    """Return the lower part of a region's entry: its fish and the first move, or ``UNPROVEN``.

    Parameters
    ----------
    standing, free
        ``int32[k]``, ``int32[m]``: the tiles of the penguins, and the free tiles.
    """
    base = setup.base
    if free.size > LARGEST:
        return UNPROVEN
    endgame = make_endgame(base, standing, free, VISITED)
    no_dice = np.empty(0, np.uint64)
    start_search(base, endgame, no_dice)
    advance(base, endgame, setup.effort, no_dice)
    found = endgame.progress[0]
    if not found.proven or found.fish >= np.int64(UNPROVEN):
        return UNPROVEN
    source = target = 0
    if base.fish.size <= TILES:
        way = endgame.best[0] - base.fish.size
        source, target = base.tiles[way >> base.shift], target_of(base, way)
    where = (np.uint64(target) << TILE_BITS) | np.uint64(source)
    return (where << FISH_BITS) | np.uint64(found.fish)


@compiled
def most_fish(setup: PenguinsSearchSetup, state: State, regions: Regions, region: int) -> int:
    """Return the most fish that can be eaten in a region; -1 if a proof takes too long."""
    known = look_up(setup, state, regions, region) & UNPROVEN
    return -1 if known == UNPROVEN else signed(known)


@compiled
def first_move(setup: PenguinsSearchSetup, state: State, regions: Regions, region: int) -> int:
    """Return the first move of a way to eat most fish in a region; -1 if none is known."""
    base = setup.base
    entry = look_up(setup, state, regions, region)
    if entry & UNPROVEN == UNPROVEN:
        return -1
    low = np.uint64(TILES - 1)
    source = signed((entry >> FISH_BITS) & low)
    target = signed((entry >> (FISH_BITS + TILE_BITS)) & low)
    if source == target:
        return -1
    cells = cells_at(base)
    for slot in range(base.offsets[source], base.offsets[source + 1]):
        way = base.ways[slot]
        steps = 0
        while state[cells + base.along[way + steps]] == FREE:
            if base.along[way + steps] == target:
                return base.fish.size + (slot << base.shift) + steps
            steps += 1
    return -1
