"""Proven scores of Penguins, bounds of scores and candidate moves, by isolated regions.

If no free tile can be reached by two players, no move of a player changes anything for another
player: each has to eat as many of its own fish as possible, in any order of turns. Then the final
scores are proven. Before that, the fish of each isolated region are proven. Of the free tiles that
others can reach, too, a player may get all or nothing.

The results for regions are stored in the memo of the search's Setup, as many positions share them.

Moves in an isolated region change nothing elsewhere, but each of them is a turn in which the seat
need not move elsewhere. So a seat that can move elsewhere may want fewer fish there for more turns.
If all tiles of a region can be eaten, no other order gives more fish or more turns: then the first
of these moves is as good as any move in such regions. If all regions of a seat are isolated, an
optimal move in one of them is as good as any.
"""

from __future__ import annotations

from ludograph.games.penguins.isolated import (
    LARGEST,
    Regions,
    find_regions,
    first_move,
    make_regions,
    most_fish,
)
from ludograph.games.penguins.rules import GONE, REACH, SEAT_SLOTS, SEATS, UNPLACED, target_of
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.tile_sets import has_island, is_contested
from ludograph.rules import TURN, Moves, Scores, State, compiled, contract, copy, implements
from ludograph.search.hints import candidates, proven_scores, score_bounds_at


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
