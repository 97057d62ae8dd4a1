"""Penguins that nobody else can get to: when all are so, the rest of the game can be proven.

Once no free tile is within reach of two players, no move of one changes anything for another: each
only has to eat most of what is its own, in any order. Then the end is proven: searches are told by
:func:`~ludograph.search.hints.proven_scores`. What a group can eat is kept in the memo
of the search's Setup, as many positions share it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.penguins.feast import BEST, DONE, advance, begin, make_feast, word
from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    NOWHERE,
    REACH,
    SEAT_SLOTS,
    SEATS,
    UNPLACED,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.rules import Scores, State, compiled, contract, implements
from ludograph.rules.kernels.bits import signed
from ludograph.search.hints import proven_scores

QUICK = 48
"""A search tries to prove what a group eats on so many free tiles at most."""

SEEN = 2**11
"""Positions that such a proof remembers."""

FISH_BITS = np.uint64(10)
TOO_HARD = np.uint64(1023)
"""A known number of fish is below this; it fills the low bits of an entry of the memo."""


class Groups(NamedTuple):
    """Groups of one seat's penguins that share free tiles, found so far."""

    marks: IntArray
    """``int32[n + 1]``: 1 on their tiles and those of their penguins."""
    free: IntArray
    """``int32[n]``: their free tiles, group by group."""
    penguins: IntArray
    """``int32[p]``: their penguins, group by group."""
    free_ends: IntArray
    """``int32[p + 1]``: group ``g`` has ``free[free_ends[g] : free_ends[g + 1]]``."""
    penguin_ends: IntArray
    """``int32[p + 1]``"""
    alone: IntArray
    """``int32[p]``: 1 where nobody else gets to them."""


@compiled(allocates=True)  # the room is the caller's own: threads share a Setup
def make_groups(setup: PenguinsSetup) -> Groups:
    """Return room for the groups of a position, without any."""
    n, p = setup.fish.size, setup.owners.size
    room = np.zeros(2 * n + 4 * p + 3, np.int32)
    ends = 2 * n + 1
    return Groups(
        room[: n + 1],
        room[n + 1 : ends],
        room[ends : ends + p],
        room[ends + p : ends + 2 * p + 1],
        room[ends + 2 * p + 1 : ends + 3 * p + 2],
        room[ends + 3 * p + 2 :],
    )


@compiled
def find_groups(
    setup: PenguinsSetup, state: State, seat: int, groups: Groups, count: int, strict: bool
) -> int:
    """Add the groups of a seat to the ``count`` there are, and return the new count; O(slots).

    Penguins that cannot move are left out. Those of seats that were eliminated are nobody's: they
    never move. If ``strict``, -1 is returned as soon as a group is found not to be alone.
    """
    tiles, cells = tiles_at(setup), cells_at(setup)
    marks = groups.marks
    for first in range(seat * setup.penguins, (seat + 1) * setup.penguins):
        tile = state[tiles + first]
        if tile == NOWHERE or marks[tile]:
            continue
        last, known = groups.free_ends[count], groups.penguin_ends[count]
        next_free, next_penguin = last, known
        marks[tile] = 1
        groups.penguins[known] = first
        known += 1
        alone = 1
        while next_free < last or next_penguin < known:
            stands = next_penguin < known
            if stands:
                tile = state[tiles + groups.penguins[next_penguin]]
                next_penguin += 1
            else:
                tile = groups.free[next_free]
                next_free += 1
            for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
                near = setup.beyond[slot]
                cell = state[cells + near]
                if cell == FREE:
                    if not marks[near]:
                        marks[near] = 1
                        groups.free[last] = near
                        last += 1
                elif cell > 0 and not stands:
                    other = setup.owners[cell - 1]
                    if other != seat:
                        if not state[SEATS + SEAT_SLOTS * other + GONE]:
                            alone = 0
                            if strict:
                                return -1
                    elif not marks[near]:
                        marks[near] = 1
                        groups.penguins[known] = cell - 1
                        known += 1
        if last > groups.free_ends[count]:
            groups.alone[count] = alone
            count += 1
            groups.free_ends[count], groups.penguin_ends[count] = last, known
    return count


# Rarely gets as far as to search; the room of a search is too much to hand to every caller.
@implements(proven_scores, PenguinsSearchSetup, allocates=True)
def penguins_proven_scores(setup: PenguinsSearchSetup, state: State, out: Scores) -> bool:
    """Write the fish of all when nobody can get to what is another's; O(slots) until proven."""
    base = setup.base
    if state[UNPLACED] > 0:
        return False
    groups = make_groups(base)
    count = 0
    for seat in range(base.seats):
        own = SEATS + SEAT_SLOTS * seat
        if state[own + REACH] > 0 and not state[own + GONE]:
            count = find_groups(base, state, seat, groups, count, True)
            if count < 0:
                return False
    for group in range(count):
        if groups.free_ends[group + 1] - groups.free_ends[group] > QUICK:
            return False
    contract.scores(base, state, out)
    for group in range(count):
        most = most_fish(setup, state, groups, group)
        if most < 0:
            return False
        out[base.owners[groups.penguins[groups.penguin_ends[group]]]] += most
    return True


@compiled(allocates=True)  # only for a group that the memo does not know
def most_fish(setup: PenguinsSearchSetup, state: State, groups: Groups, group: int) -> int:
    """Return the most fish that a lone group can step on, -1 if that takes too long to prove.

    An entry of the memo is the upper part of the group's key with the fish in its low bits: threads
    that share the Setup read and write it as a whole.
    """
    free = groups.free[groups.free_ends[group] : groups.free_ends[group + 1]]
    members = groups.penguins[groups.penguin_ends[group] : groups.penguin_ends[group + 1]]
    tiles = tiles_at(setup.base)
    key = np.uint64(0)
    for tile in free:
        key ^= word(tile, 0)
    for penguin in members:
        key ^= word(state[tiles + penguin], 1)
    memo = setup.memo
    place = np.int64((key >> FISH_BITS) % np.uint64(memo.size))
    entry = memo[place]
    if entry >> FISH_BITS != key >> FISH_BITS:
        standing = np.empty(members.size, np.int32)
        for index in range(members.size):
            standing[index] = state[tiles + members[index]]
        feast = make_feast(setup.base, standing, free, SEEN)
        no_dice = np.empty(0, np.uint64)
        begin(setup.base, feast, no_dice)
        advance(setup.base, feast, setup.effort, no_dice)
        fish = TOO_HARD
        if feast.numbers[DONE] and feast.numbers[BEST] < np.int64(TOO_HARD):
            fish = np.uint64(feast.numbers[BEST])
        entry = ((key >> FISH_BITS) << FISH_BITS) | fish
        memo[place] = entry
    found = entry & TOO_HARD
    return -1 if found == TOO_HARD else signed(found)
