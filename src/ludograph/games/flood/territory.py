"""The evaluation of Flood on sets of regions: what each seat reaches in fewer moves.

Both zones grow in step, by all that touches them, whatever its color. A region that one zone comes
to first is its own and stops the other; what both come to at once counts half for each, and lets
both pass. Monte Carlo search judges its leaves by the same: in as much time as random games take
it looks at several times as many leaves, and plays better.
"""

from __future__ import annotations

from ludograph.games.flood.search_setup import FloodSearchSetup, RegionSets, read_sets
from ludograph.games.flood.zones import SIZE, zone_at
from ludograph.rules import OVER, TURN, Rng, Scores, State, compiled, contract, implements
from ludograph.rules.kernels import sets
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.sets import Set
from ludograph.search.mcts.hints import leaf_value


@implements(contract.evaluate, FloodSearchSetup)
def flood_territory(setup: FloodSearchSetup, state: State, out: Scores) -> None:
    """Write the vertices that each seat has or is nearer to; without sets as the game itself."""
    words = setup.near.shape[1]
    if words == 0 or state[TURN] == OVER:
        contract.evaluate(setup.base, state, out)
    elif words == 2:
        read_territory(setup, state, out, (NONE, NONE))
    else:
        read_territory(setup, state, out, (NONE, NONE, NONE, NONE))


@implements(leaf_value, FloodSearchSetup)
def flood_leaf_value(setup: FloodSearchSetup, state: State, rng: Rng, out: Scores) -> None:
    """Write the same; without sets the scores of a random game."""
    if setup.near.shape[1] == 0:
        contract.playout(setup.base, state, rng, out)
    else:
        flood_territory(setup, state, out)


@compiled
def read_territory(setup: FloodSearchSetup, state: State, out: Scores, like: Set) -> None:
    """Write the vertices of both zones and of what they grow to; O(regions)."""
    free, reach, other_reach = read_sets(setup.base, state, like)
    out[0] = state[zone_at(0) + SIZE]
    out[1] = state[zone_at(1) + SIZE]
    count_territory(setup, free, reach, other_reach, out)


@compiled
def count_territory(
    setup: RegionSets, free: Set, reach: Set, other_reach: Set, out: Scores
) -> None:
    """Add to both scores what the zones grow to; O(regions).

    Parameters
    ----------
    free, reach, other_reach
        The regions in no zone, and what touches the zones of seats 0 and 1.
    """
    allowed, other_allowed = sets.get(setup.allowed[0], free), sets.get(setup.allowed[1], free)
    while True:
        edge = sets.common(sets.common(reach, allowed), free)
        other_edge = sets.common(sets.common(other_reach, other_allowed), free)
        reached = sets.union(edge, other_edge)
        if sets.is_empty(reached):
            break
        free = sets.without(free, reached)
        shared = sets.common(edge, other_edge)
        beyond, size = grow(setup, shared)
        reach, own_size = grow(setup, sets.without(edge, shared))
        other_reach, other_size = grow(setup, sets.without(other_edge, shared))
        reach, other_reach = sets.union(reach, beyond), sets.union(other_reach, beyond)
        out[0] += own_size + 0.5 * size
        out[1] += other_size + 0.5 * size


@compiled
def grow(setup: RegionSets, members: Set) -> tuple[Set, int]:
    """Return what some regions touch, and how many vertices they have."""
    touched = sets.empty(members)
    size = 0
    while not sets.is_empty(members):
        region = sets.first(members)
        members = sets.rest(members)
        touched = sets.union(touched, sets.get(setup.near[region], members))
        size += setup.base.sizes[region]
    return touched, size
