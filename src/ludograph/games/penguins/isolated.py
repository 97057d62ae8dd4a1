"""Isolated regions: free tiles that the penguins of only one player can reach, and their fish.

A region is the set of free tiles that connected penguins of one seat can reach together. Moves of
other players change nothing in an isolated region, and moves there change nothing for them.
A region therefore stands in many positions of a search. It is solved once, and kept in the memo.

They give proven scores of Penguins, bounds of scores and candidate moves. If no free tile can be
reached by two players, no move of a player changes anything for another player: each has to eat as
many of its own fish as possible, in any order of turns. Then the final scores are proven. Before
that, the fish of each isolated region are proven. Of the free tiles that others can reach, too, a
player may get all or nothing.

Moves in an isolated region change nothing elsewhere, but each of them is a turn in which the seat
need not move elsewhere. So a seat that can move elsewhere may want fewer fish there for more turns.
If all tiles of a region can be eaten, no other order gives more fish or more turns: then the first
of these moves is as good as any move in such regions. If all regions of a seat are isolated, an
optimal move in one of them is as good as any.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.penguins.endgame import advance, key_part, make_endgame, start_search
from ludograph.games.penguins.evaluation import PenguinsSearchSetup, has_island, is_contested
from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    NOWHERE,
    REACH,
    SEAT_SLOTS,
    SEATS,
    UNPLACED,
    cells_at,
    target_of,
    tiles_at,
)
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.rules import TURN, Moves, Scores, State, compiled, contract, copy, fill, implements
from ludograph.rules.kernels.bits import signed
from ludograph.search.hints import candidates, proven_scores, score_bounds_at


class Regions(NamedTuple):
    """The regions found so far."""

    marks: IntArray
    """``int32[n + 1]``: 1 for the regions' free tiles and for the tiles of their penguins."""
    free: IntArray
    """``int32[n]``: the free tiles, region by region."""
    penguins: IntArray
    """``int32[p]``: the penguins, region by region."""
    free_ends: IntArray
    """``int32[p + 1]``: region ``r`` has ``free[free_ends[r] : free_ends[r + 1]]``."""
    penguin_ends: IntArray
    """``int32[p + 1]``"""
    isolated: IntArray
    """``int32[p]``: 1 if no other player can reach the region."""


@compiled(allocates=True)  # each caller needs its own arrays, as threads share a Setup
def make_regions(setup: PenguinsSetup) -> Regions:
    """Return arrays for the regions of a position, without any region."""
    n, p = setup.fish.size, setup.owners.size
    memory = np.empty(2 * n + 4 * p + 3, np.int32)
    fill(memory, 0)
    cut = 2 * n + 1
    return Regions(
        memory[: n + 1],
        memory[n + 1 : cut],
        memory[cut : cut + p],
        memory[cut + p : cut + 2 * p + 1],
        memory[cut + 2 * p + 1 : cut + 3 * p + 2],
        memory[cut + 3 * p + 2 :],
    )


@compiled
def find_regions(
    setup: PenguinsSetup, state: State, seat: int, regions: Regions, count: int, strict: bool
) -> int:
    """Add the regions of a seat to the first ``count`` regions; return the new count; O(slots).

    Penguins that cannot move belong to no region. Penguins of eliminated seats are ignored, as they
    never move. If ``strict``, -1 is returned at the first region that is not isolated.
    """
    tiles, cells = tiles_at(setup), cells_at(setup)
    marks = regions.marks
    for first in range(seat * setup.penguins, (seat + 1) * setup.penguins):
        tile = state[tiles + first]
        if tile == NOWHERE or marks[tile]:
            continue
        free_end, known = regions.free_ends[count], regions.penguin_ends[count]
        next_free, next_penguin = free_end, known
        marks[tile] = 1
        regions.penguins[known] = first
        known += 1
        isolated = 1
        while next_free < free_end or next_penguin < known:
            stands = next_penguin < known
            if stands:
                tile = state[tiles + regions.penguins[next_penguin]]
                next_penguin += 1
            else:
                tile = regions.free[next_free]
                next_free += 1
            for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
                near = setup.beyond[slot]
                cell = state[cells + near]
                if cell == FREE:
                    if not marks[near]:
                        marks[near] = 1
                        regions.free[free_end] = near
                        free_end += 1
                elif cell > 0 and not stands:
                    other = setup.owners[cell - 1]
                    if other != seat:
                        if not state[SEATS + SEAT_SLOTS * other + GONE]:
                            isolated = 0
                            if strict:
                                return -1
                    elif not marks[near]:
                        marks[near] = 1
                        regions.penguins[known] = cell - 1
                        known += 1
        if free_end > regions.free_ends[count]:
            regions.isolated[count] = isolated
            count += 1
            regions.free_ends[count], regions.penguin_ends[count] = free_end, known
    return count


class IsolatedRegion(NamedTuple):
    """An isolated region: no other player can reach it."""

    penguins: list[int]
    """The numbers of its penguins."""
    tiles: list[int]
    """The tiles of these penguins."""
    free: list[int]
    """The free tiles."""


def isolated_regions(
    setup: PenguinsSetup, state: State, seat: int
) -> tuple[list[IsolatedRegion], list[int]]:
    """Return the isolated regions of a seat, and its penguins in other regions; O(slots).

    Returns
    -------
    regions, contested
        The isolated regions, and the numbers of the other penguins that can move.
    """
    found = make_regions(setup)
    first = int(tiles_at(setup))
    regions: list[IsolatedRegion] = []
    contested: list[int] = []
    for region in range(find_regions(setup, state, seat, found, 0, False)):
        free = found.free[found.free_ends[region] : found.free_ends[region + 1]]
        penguins = found.penguins[found.penguin_ends[region] : found.penguin_ends[region + 1]]
        if found.isolated[region]:
            regions.append(
                IsolatedRegion(penguins.tolist(), state[first + penguins].tolist(), free.tolist())
            )
        else:
            contested += penguins.tolist()
    return regions, contested


LARGEST = 48
"""The most free tiles of a region that a search tries to solve."""

VISITED = 2**11
"""The number of nodes in the memory of such a proof."""

FISH_BITS, WAY_BITS = np.uint64(10), np.uint64(16)
KEY_AT = FISH_BITS + WAY_BITS
"""The first bit of the key in an entry of the memo. Below it are the fish and the first move.

The lower bits of the key are the index of the entry. Threads that share the Setup read and write an
entry as a whole."""

UNPROVEN = np.uint64(1023)
"""The fish of an entry without a proof; proven numbers are below it."""

NO_WAY = 2**16 - 1
"""The first move of an entry without one: a greater slot and length have no room."""


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
    way = min(endgame.best[0] - base.fish.size, NO_WAY)
    return (np.uint64(way) << FISH_BITS) | np.uint64(found.fish)


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
    way = signed((entry >> FISH_BITS) & np.uint64(NO_WAY))
    if way == NO_WAY:
        return -1
    slot, cells = way >> base.shift, cells_at(base)
    first = base.ways[slot]
    for place in range(first, first + way - (slot << base.shift) + 1):
        if state[cells + base.along[place]] != FREE:  # another region has this key
            return -1
    return base.fish.size + way


# A search of a region is rare, and its workspace is too large to be passed by every caller.
@implements(proven_scores, PenguinsSearchSetup, allocates=True)
def penguins_proven_scores(setup: PenguinsSearchSetup, state: State, out: Scores) -> bool:
    """Write the final fish of all seats if all regions are isolated; O(slots) plus the proofs."""
    base = setup.base
    if state[UNPLACED] > 0:
        return False
    if setup.sets.near.size > 0 and is_contested(base, setup.sets, state):
        return False
    regions = make_regions(base)
    count = 0
    for seat in range(base.seats):
        own = SEATS + SEAT_SLOTS * seat
        if state[own + REACH] > 0 and not state[own + GONE]:
            count = find_regions(base, state, seat, regions, count, True)
            if count < 0:
                return False
    for region in range(count):
        if regions.free_ends[region + 1] - regions.free_ends[region] > LARGEST:
            return False
    contract.scores(base, state, out)
    for region in range(count):
        most = most_fish(setup, state, regions, region)
        if most < 0:
            return False
        out[base.owners[regions.penguins[regions.penguin_ends[region]]]] += most
    return True


@implements(score_bounds_at, PenguinsSearchSetup, allocates=True)  # for the same reason
def penguins_score_bounds_at(
    setup: PenguinsSearchSetup, state: State, low: Scores, high: Scores
) -> bool:
    """Write the bounds if all penguins are placed; O(seats * slots) plus the proofs."""
    base = setup.base
    if state[UNPLACED] > 0:
        return False
    contract.scores(base, state, low)
    copy(low, high)
    for seat in range(base.seats):
        own = SEATS + SEAT_SLOTS * seat
        if state[own + REACH] == 0 or state[own + GONE]:
            continue
        regions = make_regions(base)
        for region in range(find_regions(base, state, seat, regions, 0, False)):
            first, end = regions.free_ends[region], regions.free_ends[region + 1]
            most = -1
            if regions.isolated[region] and end - first <= LARGEST:
                most = most_fish(setup, state, regions, region)
            if most >= 0:
                low[seat] += most
                high[seat] += most
            else:
                for place in range(first, end):
                    high[seat] += base.fish[regions.free[place]]
    return True


@implements(candidates, PenguinsSearchSetup, allocates=True)  # arrays for regions, if any
def penguins_candidates(setup: PenguinsSearchSetup, state: State, out: Moves) -> int:
    """Write all moves, but only one of those in isolated regions that can be eaten as a whole.

    O(moves), or O(slots) if the seat has an isolated region.
    """
    base = setup.base
    count = contract.legal_moves(base, state, out)
    if state[UNPLACED] > 0 or count == 1:
        return count
    if setup.sets.near.size > 0 and not has_island(base, setup.sets, state, state[TURN]):
        return count
    regions = make_regions(base)
    found = find_regions(base, state, state[TURN], regions, 0, False)
    alone = True
    for region in range(found):
        alone = alone and regions.isolated[region] == 1
    chosen = -1
    for region in range(found):
        if regions.isolated[region] and (alone or is_eaten_whole(setup, state, regions, region)):
            move = first_move(setup, state, regions, region)
            if move >= 0:
                chosen = move
                if alone:
                    out[0] = move
                    return 1
                unmark(regions, region)
    if chosen < 0:
        return count
    kept = 0
    for index in range(count):
        if regions.marks[target_of(base, out[index] - base.fish.size)]:
            out[kept] = out[index]
            kept += 1
    out[kept] = chosen
    return kept + 1


@compiled
def is_eaten_whole(setup: PenguinsSearchSetup, state: State, regions: Regions, region: int) -> bool:
    """Tell whether there is a proof that all fish of a region can be eaten."""
    fish = 0
    for place in range(regions.free_ends[region], regions.free_ends[region + 1]):
        fish += setup.base.fish[regions.free[place]]
    return most_fish(setup, state, regions, region) == fish


@compiled
def unmark(regions: Regions, region: int) -> None:
    """Clear the marks of the free tiles of a region."""
    for place in range(regions.free_ends[region], regions.free_ends[region + 1]):
        regions.marks[regions.free[place]] = 0
