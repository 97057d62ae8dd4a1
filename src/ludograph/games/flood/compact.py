"""Flood for two seats with compact states of a few words, for deep searches.

The moves and the results are those of the game. Only the states are different: a state contains
each zone as a set of regions, and its *reach*, the set of regions that touch the zone. To copy and
hash such a state takes a few instructions.

Leaves are evaluated by territory: both zones grow at the same time, step by step, by all adjacent
regions of any color that the seat may play. A region that one zone reaches first counts for its
seat and blocks the other zone. A region that both zones reach in the same step counts half for each
seat, and both zones grow on from it. Compared with random games this evaluates several times as
many leaves in the same time, and plays better.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.flood import rules
from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    GameInfo,
    Moves,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    fill,
    implements,
)
from ludograph.rules.kernels import sets
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.growth import around, bit_planes, race, reachable, weight
from ludograph.rules.kernels.sets import CAPACITY, Set, Words, words_for
from ludograph.rules.kernels.zobrist import HALF, hash_at
from ludograph.rules.random import GAMMA, scramble
from ludograph.search.hints import proven_scores, score_bounds_at
from ludograph.search.mcts.hints import leaf_value

PASSED = HEADER  # 1 if the last move was a pass
COLORS = HEADER + 1  # per seat: the color of its zone
SIZES = HEADER + 3  # per seat: the vertices of its zone
SETS = HEADER + 6  # the zones of both seats, then their reaches; two slots for each word


class CompactSetup(NamedTuple):
    """The Setup of Flood with compact states. Sets of regions have ``words`` words."""

    base: FloodSetup
    near: Words
    """``uint64[regions, words]``: the neighbors of each region."""
    allowed: Words
    """``uint64[seats, words]``: the regions whose color a seat may play."""
    of_color: Words
    """``uint64[colors, words]``: the regions of each color."""
    sizes: Words
    """``uint64[bits, words]``: the regions whose number of vertices has each bit."""
    empty: Set
    """The empty set of regions. Its length, 2 or 4 words, is that of all sets. Kernels are compiled
    for one length, since it is part of the type."""


def make_compact(setup: FloodSetup) -> CompactSetup | None:
    """Return the Setup of the same game with compact states, or None.

    There are compact states if two seats play the standard variant on at most 256 regions.
    """
    regions, seats = setup.sizes.size, setup.starts.size
    if seats != 2 or setup.capture or regions > CAPACITY:
        return None
    words = max(2, words_for(regions))
    each = np.arange(regions)
    owners = np.repeat(each, np.diff(setup.offsets))
    near = sets.make_rows(owners, setup.neighbors, regions, words)
    seat, played = np.nonzero(setup.forbidden[:, None] >> setup.colors & 1 == 0)
    allowed = sets.make_rows(seat, played, seats, words)
    of_color = sets.make_rows(setup.colors, each, setup.color_count, words)
    sizes = bit_planes(setup.sizes, words)
    return CompactSetup(setup, near, allowed, of_color, sizes, (NONE,) * words)


@implements(contract.info, CompactSetup)
def compact_info(setup: CompactSetup) -> GameInfo:
    base = rules.flood_info(setup.base)
    return GameInfo(
        state_size=SETS + 8 * setup.near.shape[1],
        seats=2,
        move_capacity=base.move_capacity,
        ply_bound=base.ply_bound,
        lowest_score=base.lowest_score,
        highest_score=base.highest_score,
    )


@compiled(inlined=True)
def zone_of(state: State, seat: int, template: Set) -> Set:
    """Return the zone of a seat."""
    return sets.get_of_state(state, SETS + 2 * len(template) * seat, template)


@compiled(inlined=True)
def reach_of(state: State, seat: int, template: Set) -> Set:
    """Return the reach of a seat: the regions that touch its zone, including parts of zones."""
    return sets.get_of_state(state, SETS + 2 * len(template) * (2 + seat), template)


@compiled(inlined=True)
def frontier_of(state: State, seat: int, template: Set) -> Set:
    """Return the free regions that touch the zone of a seat."""
    reach = sets.without(reach_of(state, seat, template), zone_of(state, 0, template))
    return sets.without(reach, zone_of(state, 1, template))


@compiled(inlined=True)
def touches(state: State, template: Set) -> bool:
    """Tell whether the zones touch each other."""
    return sets.meets(reach_of(state, 0, template), zone_of(state, 1, template))


@implements(contract.start, CompactSetup)
def compact_start(setup: CompactSetup, state: State) -> None:
    fill(state, 0)
    for seat in range(2):
        region = setup.base.starts[seat]
        state[COLORS + seat] = setup.base.colors[region]
        extend(setup, state, seat, sets.single(region, setup.empty))


@compiled
def extend(setup: CompactSetup, state: State, seat: int, taken: Set) -> None:
    """Put free regions into a seat's zone, and their neighbors into its reach."""
    words = len(taken)
    own, reach = SETS + 2 * words * seat, SETS + 2 * words * (2 + seat)
    sets.put_into_state(state, own, sets.union(sets.get_of_state(state, own, taken), taken))
    touched = sets.union(sets.get_of_state(state, reach, taken), around(setup.near, taken))
    sets.put_into_state(state, reach, touched)
    state[SIZES + seat] += weight(setup.sizes, taken)


@implements(contract.legal_moves, CompactSetup)
def compact_legal_moves(setup: CompactSetup, state: State, out: Moves) -> int:
    if state[TURN] == OVER:
        return 0
    template = setup.empty
    seat = state[TURN]
    frontier = sets.common(
        frontier_of(state, seat, template), sets.get(setup.allowed[seat], template)
    )
    blocked = state[COLORS + 1 - seat] if touches(state, template) else -1
    count = 0
    for color in range(setup.base.color_count):
        if color != blocked and sets.meets(frontier, sets.get(setup.of_color[color], template)):
            out[count] = color
            count += 1
    out[count] = setup.base.color_count  # the pass
    return count + 1


@implements(contract.play, CompactSetup)
def compact_play(setup: CompactSetup, state: State, move: int) -> None:
    seat = state[TURN]
    state[PLY] += 1
    state[TURN] = 1 - seat
    if move == setup.base.color_count:
        if state[PASSED]:
            state[TURN] = OVER
        state[PASSED] = 1
        return
    state[PASSED] = 0
    state[COLORS + seat] = move
    of_color = sets.get(setup.of_color[move], setup.empty)
    extend(setup, state, seat, sets.common(frontier_of(state, seat, setup.empty), of_color))


@implements(contract.scores, CompactSetup)
def compact_scores(setup: CompactSetup, state: State, out: Scores) -> None:  # noqa: ARG001
    out[0] = state[SIZES]
    out[1] = state[SIZES + 1]


@implements(contract.key, CompactSetup)
def compact_key(setup: CompactSetup, state: State) -> np.uint64:
    value = np.uint64(state[TURN] + 3) ^ (np.uint64(state[PASSED]) << HALF)
    value = scramble(value + GAMMA * np.uint64((state[COLORS] << 8) + state[COLORS + 1]))
    for word in range(2 * setup.near.shape[1]):  # only the zones: they determine the reaches
        value = scramble((value + GAMMA) ^ hash_at(state, SETS + 2 * word))
    return value


@implements(contract.evaluate, CompactSetup)
def compact_territory(setup: CompactSetup, state: State, out: Scores) -> None:
    """Write the vertices of each seat's zone and territory; after the end, the scores."""
    contract.scores(setup, state, out)
    if state[TURN] == OVER:
        return
    template = setup.empty
    free = free_of(state, template)
    own, other = race(
        setup.near,
        reach_of(state, 0, template),
        reach_of(state, 1, template),
        sets.common(free, sets.get(setup.allowed[0], template)),
        sets.common(free, sets.get(setup.allowed[1], template)),
    )
    halves = 0.5 * weight(setup.sizes, sets.common(own, other))
    out[0] += weight(setup.sizes, own) - halves
    out[1] += weight(setup.sizes, other) - halves


@implements(leaf_value, CompactSetup)
def compact_leaf_value(setup: CompactSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    """Write the vertices of each seat's zone and territory, without a random game."""
    compact_territory(setup, state, out)


@implements(score_bounds_at, CompactSetup)
def compact_score_bounds(setup: CompactSetup, state: State, low: Scores, high: Scores) -> bool:
    """Write lower and upper bounds of the final scores, and return True; O(regions * colors)."""
    template = setup.empty
    free = free_of(state, template)
    reach, other_reach = reach_of(state, 0, template), reach_of(state, 1, template)
    within = sets.common(free, sets.get(setup.allowed[0], template))
    other_within = sets.common(free, sets.get(setup.allowed[1], template))
    own = reachable(setup.near, reach, within)
    other = reachable(setup.near, other_reach, other_within)
    contract.scores(setup, state, low)
    contract.scores(setup, state, high)
    high[0] += weight(setup.sizes, own)
    high[1] += weight(setup.sizes, other)
    low[0] += sure_vertices(setup, state, 0, sets.without(own, other), other, template)
    low[1] += sure_vertices(setup, state, 1, sets.without(other, own), own, template)
    return True


@implements(proven_scores, CompactSetup)
def compact_proven_scores(setup: CompactSetup, state: State, out: Scores) -> bool:
    """Write the final scores if one seat can take no more regions; return whether this is so.

    The other seat can then take all regions that it can reach without the stuck zone's color. The
    answer is False if this color is not blocked, since the zones do not touch, or if the other seat
    has just passed, so that the game can end now.
    """
    template = setup.empty
    allowed, other_allowed = (
        sets.get(setup.allowed[0], template),
        sets.get(setup.allowed[1], template),
    )
    stuck = -1
    if not sets.meets(frontier_of(state, 0, template), allowed):
        stuck = 0
    elif not sets.meets(frontier_of(state, 1, template), other_allowed):
        stuck = 1
    ends = state[PASSED] and state[TURN] == stuck
    if stuck < 0 or ends or not touches(state, template):
        return False
    taker = 1 - stuck
    within = sets.common(free_of(state, template), sets.get(setup.allowed[taker], template))
    within = sets.without(within, sets.get(setup.of_color[state[COLORS + stuck]], template))
    contract.scores(setup, state, out)
    taken = reachable(setup.near, reach_of(state, taker, template), within)
    out[taker] += weight(setup.sizes, taken)
    return True


@compiled(inlined=True)
def free_of(state: State, template: Set) -> Set:
    """Return the regions in no zone; the set also has the bits after those of the regions."""
    free = sets.without(sets.full(template), zone_of(state, 0, template))
    return sets.without(free, zone_of(state, 1, template))


@compiled
def sure_vertices(
    setup: CompactSetup, state: State, seat: int, private: Set, others: Set, template: Set
) -> int:
    """Return a lower bound of the further vertices that a seat can take.

    Assume that the seat goes on to take regions while it can. At the end it lacks only regions of
    the color of the other zone, and regions behind them. This color is the present one of the other
    zone, or that of a region in ``others``. If the seat has just passed, the game can end at once,
    and the bound is 0.

    Parameters
    ----------
    private
        The regions that only this seat can reach.
    others
        The regions that the other seat can reach.
    """
    if sets.is_empty(private) or (state[PASSED] and state[TURN] != seat):
        return 0
    reach = reach_of(state, seat, template)
    least = -1
    for color in range(setup.base.color_count):
        of_color = sets.get(setup.of_color[color], template)
        if color == state[COLORS + 1 - seat] or sets.meets(others, of_color):
            taken = reachable(setup.near, reach, sets.without(private, of_color))
            vertices = weight(setup.sizes, taken)
            least = vertices if least < 0 else min(least, vertices)
    return least


def to_compact(setup: CompactSetup, state: State) -> State:
    """Return the compact state that corresponds to a state of the game."""
    words = setup.near.shape[1]
    compact = np.zeros(compact_info(setup).state_size, np.int32)
    compact[TURN], compact[PLY] = state[TURN], state[PLY]
    compact[PASSED] = int(state[rules.PASSED] != 0)
    cells = state[rules.cells_at(setup.base) :][: setup.base.sizes.size]
    for seat in range(2):
        zone = rules.zone_at(seat)
        compact[COLORS + seat] = state[zone + rules.COLOR]
        compact[SIZES + seat] = state[zone + rules.SIZE]
        own = np.flatnonzero((cells & rules.OWNER) == seat + 1)
        held = sets.make_rows(np.zeros_like(own), own, 1, words)[0]
        touched = np.bitwise_or.reduce(setup.near[own], axis=0)
        for place, row in ((seat, held), (2 + seat, touched)):
            compact[SETS + 2 * words * place :][: 2 * words] = row.view(np.int32)
    return compact


def free_regions(setup: CompactSetup, state: State) -> int:
    """Return the number of regions in no zone."""
    words = state[SETS:][: 4 * setup.near.shape[1]].view(np.uint32).tolist()
    return int(setup.base.sizes.size) - sum(word.bit_count() for word in words)
