"""Proven scores of Penguins, and bounds of scores, from the fish of isolated penguins.

If no free tile can be reached by two players, no move of a player changes anything for another
player: each has to eat as many of its own fish as possible, in any order of turns. Then the final
scores are proven. Before that, the fish of each isolated region are proven. Of the free tiles that
others can reach, too, a player may get all or nothing.

The results for regions are stored in the memo of the search's Setup, as many positions share them.
"""

from __future__ import annotations

from ludograph.games.penguins.islands import LARGEST, most_fish
from ludograph.games.penguins.isolated import find_regions, make_regions
from ludograph.games.penguins.rules import GONE, REACH, SEAT_SLOTS, SEATS, UNPLACED
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.tile_sets import is_contested
from ludograph.rules import Scores, State, contract, copy, implements
from ludograph.search.hints import proven_scores, score_bounds_at


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
            first, last = regions.free_ends[region], regions.free_ends[region + 1]
            most = -1
            if regions.isolated[region] and last - first <= LARGEST:
                most = most_fish(setup, state, regions, region)
            if most >= 0:
                low[seat] += most
                high[seat] += most
            else:
                for place in range(first, last):
                    high[seat] += base.fish[regions.free[place]]
    return True
