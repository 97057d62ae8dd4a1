"""The evaluation of Flood by territory: the regions that each zone reaches first.

Both zones grow at the same time, step by step, by all adjacent regions of any color that the seat
may play. A region that one zone reaches first counts for its seat and blocks the other zone. A
region that both zones reach in the same step counts half for each seat, and both zones grow on from
it. Monte Carlo search evaluates its leaves in the same way: compared with random games it evaluates
several times as many leaves in the same time, and plays better.
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
    """Write the vertices of each seat's zone and territory.

    Without sets, and after the end, it writes the evaluation of the game itself.
    """
    words = setup.near.shape[1]
    if words == 0 or state[TURN] == OVER:
        contract.evaluate(setup.base, state, out)
    elif words == 2:
        read_territory(setup, state, out, (NONE, NONE))
    else:
        read_territory(setup, state, out, (NONE, NONE, NONE, NONE))


@implements(leaf_value, FloodSearchSetup)
def flood_leaf_value(setup: FloodSearchSetup, state: State, rng: Rng, out: Scores) -> None:
    """Write the vertices of each seat's zone and territory; without sets, a playout's scores."""
    if setup.near.shape[1] == 0:
        contract.playout(setup.base, state, rng, out)
    else:
        flood_territory(setup, state, out)


@compiled
def read_territory(setup: FloodSearchSetup, state: State, out: Scores, like: Set) -> None:
    """Write the vertices of both zones and territories; O(regions)."""
    free, reach, other_reach = read_sets(setup.base, state, like)
    out[0] = state[zone_at(0) + SIZE]
    out[1] = state[zone_at(1) + SIZE]
    count_territory(setup, free, reach, other_reach, out)


@compiled
def count_territory(
    setup: RegionSets, free: Set, reach: Set, other_reach: Set, out: Scores
) -> None:
    """Add the vertices of both territories to the scores; O(regions).

    Parameters
    ----------
    free
        The regions in no zone.
    reach, other_reach
        The regions that touch the zones of seats 0 and 1.
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
    """Return the neighbors of some regions, and the number of vertices of these regions."""
    touched = sets.empty(members)
    size = 0
    while not sets.is_empty(members):
        region = sets.first(members)
        members = sets.rest(members)
        touched = sets.union(touched, sets.get(setup.near[region], members))
        size += setup.base.sizes[region]
    return touched, size
