"""What every player of Penguins is sure of, and what it can have at most.

A group of penguins that nobody else gets to eats what it eats alone. Of free tiles that others get
to as well, a player may get all or nothing.
"""

from __future__ import annotations

from ludograph.games.penguins.apart import QUICK, find_groups, make_groups, most_fish
from ludograph.games.penguins.rules import GONE, REACH, SEAT_SLOTS, SEATS, UNPLACED
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.rules import Scores, State, contract, copy, implements
from ludograph.search.hints import score_bounds_at


@implements(score_bounds_at, PenguinsSearchSetup, allocates=True)  # as for the other
def penguins_score_bounds_at(
    setup: PenguinsSearchSetup, state: State, low: Scores, high: Scores
) -> bool:
    """Write the bounds once all penguins are placed; O(seats * slots) and what eating takes."""
    base = setup.base
    if state[UNPLACED] > 0:
        return False
    contract.scores(base, state, low)
    copy(low, high)
    for seat in range(base.seats):
        own = SEATS + SEAT_SLOTS * seat
        if state[own + REACH] == 0 or state[own + GONE]:
            continue
        groups = make_groups(base)
        for group in range(find_groups(base, state, seat, groups, 0, False)):
            first, last = groups.free_ends[group], groups.free_ends[group + 1]
            most = -1
            if groups.alone[group] and last - first <= QUICK:
                most = most_fish(setup, state, groups, group)
            if most >= 0:
                low[seat] += most
                high[seat] += most
            else:
                for place in range(first, last):
                    high[seat] += base.fish[groups.free[place]]
    return True
