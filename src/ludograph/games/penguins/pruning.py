"""The candidate moves in searches of Penguins: isolated regions often need only one.

Moves in an isolated region change nothing elsewhere, but each of them is a turn in which the seat
need not move elsewhere. So a seat that can move elsewhere may want fewer fish there for more turns.
If all tiles of a region can be eaten, no other order gives more fish or more turns: then the first
of these moves is as good as any move in such regions. If all regions of a seat are isolated, an
optimal move in one of them is as good as any.
"""

from __future__ import annotations

from ludograph.games.penguins.islands import first_move, most_fish
from ludograph.games.penguins.isolated import Regions, find_regions, make_regions
from ludograph.games.penguins.rules import UNPLACED, target_of
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.tile_sets import has_island
from ludograph.rules import TURN, Moves, State, compiled, contract, implements
from ludograph.search.hints import candidates


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
