"""Where meeples may be put, the winners of closed components, and random placements."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.setup import (
    CHOICES,
    CLAIMABLE,
    COMPONENT,
    COMPONENT_COUNT,
    FINITE_MEEPLE,
    FOR_CITIES,
    FOR_FARMS,
    FOR_ROADS,
    INFINITE_MEEPLE,
    MONASTERY,
    NO_MEEPLE,
    NO_VERTEX,
    NODE,
    PLACE_SLOTS,
    ROTATIONS,
    SAME_TERRAIN,
    SEAT_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
)
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    DEALT,
    FIRST_NODE,
    HAND,
    OPEN,
    ORIENTATION,
    PARENT,
    PLACE_CELL,
    ROOT,
    SEATS,
    SIZE,
    beyond,
    fits,
    give,
    look_up,
    root_of,
)
from ludograph.games.carcassonne.tiles import CENTER, POINTS, Terrain
from ludograph.rules import TURN, Moves, Rng, State, compiled, random_below
from ludograph.rules.kernels.bits import bit_count
from ludograph.rules.random import GAMMA, HALF, scramble

LOW = np.uint64(2**32 - 1)
"""A mask of the lower half of 64 bits."""

TRIES = 2
"""Random tries for each place and meeple option; after them all legal placements are counted."""
TRIES_AT_ONCE = 6
"""Placements tried together, without a branch between them."""


@compiled(inlined=True)
def draw_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random legal placement, all with the same probability.

    Random places, rotations and meeples are tried until all three together are legal.
    """
    orientations, kind, places = setup.orientations, state[DEALT], state[OPEN]
    turns = orientations[4 * kind, ROTATIONS]
    components, options = orientations[4 * kind, COMPONENT_COUNT], 1
    if may_claim(setup, state, state[TURN]):
        options += components + setup.features[4 * kind, MONASTERY]
    seed = rng[0]  # written back once
    for _ in range(1 + TRIES * places * options // TRIES_AT_ONCE):
        one, two = scramble(seed + GAMMA), scramble(seed + GAMMA + GAMMA)
        seed += GAMMA + GAMMA + GAMMA
        three = scramble(seed)
        # A wrong guess of the processor at a branch takes longer than all six tries.
        number = fitting_half(setup, state, kind, turns, three, three & LOW)
        number = fitting_half(setup, state, kind, turns, two, number)
        number = fitting_half(setup, state, kind, turns, one, number)
        if not fits_at(setup, state, kind, turns, number):
            continue
        record, quarters = placement_at(setup, state, turns, number)
        orientation = 4 * kind + quarters
        rng[0] = seed
        cell = state[record + PLACE_CELL]
        vertex = NO_VERTEX
        if options > 1:
            component = random_below(rng, options) - 1
            seed = rng[0]
            if component == components:
                vertex = CENTER
            elif component >= 0:
                if not is_free(setup, state, cell, orientation, component):
                    continue
                vertex = orientations[orientation, NODE + component] >> 12
        return setup.kinds + CHOICES * (4 * cell + quarters) + vertex
    rng[0] = seed
    return pick_placement(setup, state, rng)


@compiled(inlined=True)
def fitting_half(
    setup: CarcassonneSetup,
    state: State,
    kind: int,
    turns: int,
    bits: np.uint64,
    otherwise: np.uint64,
) -> np.uint64:
    """Return a half of 64 random bits whose placement fits, or ``otherwise`` if neither fits."""
    low, high = bits & LOW, bits >> HALF
    number = low if fits_at(setup, state, kind, turns, low) else otherwise
    return high if fits_at(setup, state, kind, turns, high) else number


@compiled(inlined=True)
def fits_at(
    setup: CarcassonneSetup, state: State, kind: int, turns: int, number: np.uint64
) -> bool:
    """Tell whether a kind fits at the place and in the rotation that a random number chooses."""
    record, quarters = placement_at(setup, state, turns, number)
    return fits(setup, state, record, 4 * kind + quarters)


@compiled(inlined=True)
def placement_at(
    setup: CarcassonneSetup, state: State, turns: int, number: np.uint64
) -> tuple[int, int]:
    """Return the record of a place, and the quarters of a tile, for a random number of 32 bits.

    The upper bits of the number choose the place, the lowest bits the quarters. The bias is below
    ``4 * places / 2**32``, and is not corrected.
    """
    place = int(np.int64((number * np.uint64(state[OPEN])) >> HALF))
    quarters = int(np.int64(number & np.uint64(turns - 1)))
    return setup.layout.places + PLACE_SLOTS * place, quarters


@compiled
def pick_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random legal placement by counting all of them; O(places)."""
    count = list_placements(setup, state, state, COUNT)
    return list_placements(setup, state, state, random_below(rng, count))


WRITE, COUNT = -1, 2**31 - 1
"""Choices of :func:`list_placements`: to write all placements, and to count them."""


@compiled
def list_placements(setup: CarcassonneSetup, state: State, out: Moves, choice: int) -> int:
    """Write the legal placements if ``choice`` is ``WRITE``; return their number. O(places).

    Otherwise nothing is written. The placement with the number ``choice`` is returned, or the
    number of placements if none has it.
    """
    orientations, kind, count = setup.orientations, state[DEALT], 0
    claims = may_claim(setup, state, state[TURN])
    for place in range(state[OPEN]):
        record = setup.layout.places + PLACE_SLOTS * place
        cell = state[record + PLACE_CELL]
        for quarters in range(orientations[4 * kind, ROTATIONS]):
            orientation = 4 * kind + quarters
            if not fits(setup, state, record, orientation):
                continue
            components, parts = orientations[orientation, COMPONENT_COUNT], 0
            if claims:
                parts = components + setup.features[orientation, MONASTERY]
            for part in range(-1, parts):  # first without a meeple
                vertex = NO_VERTEX
                if part == components:
                    vertex = CENTER
                elif part >= 0:
                    if not is_free(setup, state, cell, orientation, part):
                        continue
                    vertex = orientations[orientation, NODE + part] >> 12
                code = setup.kinds + CHOICES * (4 * cell + quarters) + vertex
                if choice == WRITE:
                    out[count] = code
                elif count == choice:
                    return code
                count += 1
    return count


CASTLE_VERTEX, ROAD_VERTEX = POINTS[Terrain.CASTLE], POINTS[Terrain.ROAD]
"""The points for a vertex of a castle and of a road, by which their terrains are recognized."""


@compiled(inlined=True)
def may_claim(setup: CarcassonneSetup, state: State, seat: int) -> bool:
    """Tell whether a seat has a meeple in its hand."""
    if setup.mode == FINITE_MEEPLE:
        return state[SEATS + SEAT_SLOTS * seat + HAND] > 0
    return setup.mode == INFINITE_MEEPLE


@compiled(inlined=True)
def is_free(
    setup: CarcassonneSetup, state: State, cell: int, orientation: int, component: int
) -> bool:
    """Tell whether a meeple may be put into a component of a tile on a cell."""
    if not (setup.features[orientation, CLAIMABLE] >> component) & 1:
        return False
    return not is_claimed(setup, state, cell, orientation, component)


@compiled(inlined=True)
def is_claimed(
    setup: CarcassonneSetup, state: State, cell: int, orientation: int, component: int
) -> bool:
    """Tell whether a component of a tile would contain a meeple if the tile were laid on a cell.

    Components of the tile that are joined by a component of the table are examined together.
    """
    same_terrain = setup.orientations[orientation, SAME_TERRAIN + component]
    group = 1 << component
    seen = 0
    while group != seen:
        fresh = group & ~seen
        seen = group
        for side in range(4):
            what = beyond(setup, state, cell, side)
            if what <= 0:
                continue
            last = -1
            for place in range(3):
                own = setup.orientations[orientation, COMPONENT + 3 * side + place]
                if (fresh >> own) & 1:
                    root = facing_root(setup, state, what - 1, side, place)
                    if state[root + CLAIMS] > 0:
                        return True
                    if same_terrain and root != last:
                        last = root
                        group |= touching(setup, state, cell, orientation, same_terrain, root)
    return False


@compiled(inlined=True)
def facing_root(setup: CarcassonneSetup, state: State, tile: int, side: int, place: int) -> int:
    """Return the root of a neighbor's component, at its vertex that faces a vertex of a side."""
    record = setup.layout.tiles + TILE_SLOTS * tile
    vertex = 3 * ((side + 2) & 3) + 2 - place
    component = setup.orientations[state[record + ORIENTATION], COMPONENT + vertex]
    return look_up(state, state[record + FIRST_NODE] + setup.layout.width * component)


@compiled(inlined=True)
def touching(
    setup: CarcassonneSetup, state: State, cell: int, orientation: int, same_terrain: int, root: int
) -> int:
    """Return those of some components of a tile on a cell that would face a root, as bits."""
    group = 0
    for side in range(4):
        what = beyond(setup, state, cell, side)
        if what <= 0:
            continue
        for place in range(3):
            own = setup.orientations[orientation, COMPONENT + 3 * side + place]
            asked = (same_terrain >> own) & 1
            if asked and facing_root(setup, state, what - 1, side, place) == root:
                group |= 1 << own
    return group


@compiled(inlined=True)
def claim(setup: CarcassonneSetup, state: State, seat: int, node: int) -> None:
    """Put a meeple of a seat into the component of a node."""
    root = root_of(state, node)
    state[root + CLAIMS] += 1
    state[root + CLAIMS_OF + seat] += 1
    if setup.mode == FINITE_MEEPLE:
        state[SEATS + SEAT_SLOTS * seat + HAND] -= 1


@compiled(inlined=True)
def close(
    setup: CarcassonneSetup, state: State, seat: int, orientation: int, first: int, unjoined: int
) -> None:
    """Score the components of the tile just laid that have no open edges left.

    Parameters
    ----------
    seat
        The seat that has laid the tile; below 0: no seat, and the points are not given.
    orientation, first
        The orientation of the tile, and its first node.
    unjoined
        Its components that have a side without a neighbor, a bit each: they stay open.
    """
    count = setup.orientations[orientation, COMPONENT_COUNT]
    candidates = ((1 << count) - 1) & ~unjoined
    while candidates:
        component = bit_count((candidates & -candidates) - 1)
        candidates &= candidates - 1
        root = root_of(state, first + component * setup.layout.width)
        if state[root + PARENT] != ROOT:
            continue
        state[root + PARENT] = CLOSED
        each = (setup.orientations[orientation, NODE + component] >> 8) & 15
        points = each * state[root + SIZE] if state[root + SIZE] > 1 else 0
        winner = seat
        if setup.mode != NO_MEEPLE:
            winner = -1
            if state[root + CLAIMS] > 0:
                winner = majority_holder(state, root, setup.seats)
                take_back(setup, state, root)
        if winner >= 0:
            what = FOR_FARMS
            if each == CASTLE_VERTEX:
                what = FOR_CITIES
            elif each == ROAD_VERTEX:
                what = FOR_ROADS
            give(setup, state, winner, points, what)


@compiled
def majority_holder(state: State, node: int, seats: int) -> int:
    """Return the seat with more meeples in a component than any other seat, or -1."""
    winner, most = -1, 0
    for seat in range(seats):
        count = state[node + CLAIMS_OF + seat]
        if count > most:
            winner, most = seat, count
        elif count == most:
            winner = -1
    return winner


@compiled
def take_back(setup: CarcassonneSetup, state: State, root: int) -> None:
    """Return the meeples of a component to their seats."""
    for seat in range(setup.seats):
        if setup.mode == FINITE_MEEPLE:
            state[SEATS + SEAT_SLOTS * seat + HAND] += state[root + CLAIMS_OF + seat]
        state[root + CLAIMS_OF + seat] = 0
    state[root + CLAIMS] = 0
