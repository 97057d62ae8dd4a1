"""Leaves of Monte Carlo searches of Flood: random games between two, on sets of regions.

A seat plays the color of a random region at its frontier, so a color's chance is the number of
regions that it takes; it passes only when it must, as a random pass ends games that are not
decided. The free regions, each zone and what touches it are sets of bits. So a move costs a few
operations for each region taken, and no look at its neighbors one by one.
"""

from __future__ import annotations

from ludograph.games.flood.search_setup import FloodSearchSetup, read_sets
from ludograph.games.flood.zones import COLOR, PASSED, SIZE, TOUCHING, zone_at
from ludograph.rules import (
    OVER,
    TURN,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    implements,
    random_below,
)
from ludograph.rules.kernels import sets
from ludograph.rules.kernels.bits import NONE, ONE, lowest, population
from ludograph.rules.kernels.sets import WORD, Set
from ludograph.search.mcts.hints import leaf_value


@implements(leaf_value, FloodSearchSetup)
def flood_leaf_value(setup: FloodSearchSetup, state: State, rng: Rng, out: Scores) -> None:
    words = setup.near.shape[1]
    if words == 0 or state[TURN] == OVER:
        contract.playout(setup.base, state, rng, out)
    elif words == 2:
        play_on_sets(setup, state, rng, out, (NONE, NONE))
    else:
        play_on_sets(setup, state, rng, out, (NONE, NONE, NONE, NONE))


@compiled
def play_on_sets(setup: FloodSearchSetup, state: State, rng: Rng, out: Scores, like: Set) -> None:
    """Write the scores of a random game; the state stays as it is."""
    base = setup.base
    seat = state[TURN]
    at, at_other = zone_at(seat), zone_at(1 - seat)
    free, own, other, reach, other_reach = read_sets(base, state, seat, like)
    allowed, other_allowed = (
        sets.get(setup.allowed[seat], like),
        sets.get(setup.allowed[1 - seat], like),
    )
    color, other_color = state[at + COLOR], state[at_other + COLOR]
    size, other_size = state[at + SIZE], state[at_other + SIZE]
    touching = state[at + TOUCHING] != 0
    passed = state[PASSED] != 0
    while True:
        edge = sets.common(sets.common(reach, allowed), free)
        if touching:
            edge = sets.without(edge, sets.get(setup.hues[other_color], like))
        count = sets.size(edge)
        if count > 0:
            passed = False
            color = base.colors[member_at(edge, random_below(rng, count))]
            taken = sets.common(edge, sets.get(setup.hues[color], like))
            free = sets.without(free, taken)
            own = sets.union(own, taken)
            while not sets.is_empty(taken):
                region = sets.first(taken)
                taken = sets.rest(taken)
                reach = sets.union(reach, sets.get(setup.near[region], like))
                size += base.sizes[region]
            touching = touching or sets.meets(reach, other)
        elif passed or sets.is_empty(free):
            break
        else:
            passed = True
        seat = 1 - seat
        own, other = other, own
        reach, other_reach = other_reach, reach
        allowed, other_allowed = other_allowed, allowed
        color, other_color = other_color, color
        size, other_size = other_size, size
    out[seat] = size
    out[1 - seat] = other_size


@compiled(inlined=True)
def member_at(members: Set, place: int) -> int:
    """Return the member at a place of the order, from 0; there are more than that."""
    word, base = members[0], 0
    before = population(word)
    if place >= before:
        place -= before
        word, base = members[1], WORD
        if len(members) > 2:
            before = population(word)
            if place >= before:
                place -= before
                word, base = members[2], 2 * WORD
                before = population(word)
                if place >= before:
                    place -= before
                    word, base = members[3], 3 * WORD
    for _ in range(place):
        word &= word - ONE
    return base + lowest(word)
