"""Meeples: the components where a meeple may be put, and the winners of closed components."""

from __future__ import annotations

from ludograph.games.carcassonne.features import CLAIMABLE
from ludograph.games.carcassonne.orientations import COMPONENT, COMPONENT_COUNT, NODE, SAME_TERRAIN
from ludograph.games.carcassonne.setup import (
    FINITE_MEEPLE,
    FOR_CITIES,
    FOR_FARMS,
    FOR_ROADS,
    INFINITE_MEEPLE,
    NO_MEEPLE,
    SEAT_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
)
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    HAND,
    ORIENTATION,
    PARENT,
    ROOT,
    SEATS,
    SIZE,
    beyond,
    give,
    look_up,
    root_of,
)
from ludograph.games.carcassonne.tiles import POINTS, Terrain
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import bit_count

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
def put_monk(state: State, seat: int) -> None:
    """Take a meeple out of a seat's hand, for the monastery of the tile just laid."""
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
            winner = return_meeples(setup, state, root)
        if winner >= 0:
            what = FOR_FARMS
            if each == CASTLE_VERTEX:
                what = FOR_CITIES
            elif each == ROAD_VERTEX:
                what = FOR_ROADS
            give(setup, state, winner, points, what)


@compiled
def return_meeples(setup: CarcassonneSetup, state: State, root: int) -> int:
    """Return a component's meeples to their seats; return the seat with most of them, or -1."""
    if state[root + CLAIMS] == 0:
        return -1
    winner = -1
    most = 0
    for seat in range(setup.seats):
        count = state[root + CLAIMS_OF + seat]
        if count > most:
            winner = seat
            most = count
        elif count == most:
            winner = -1
        if setup.mode == FINITE_MEEPLE:
            state[SEATS + SEAT_SLOTS * seat + HAND] += count
        state[root + CLAIMS_OF + seat] = 0
    state[root + CLAIMS] = 0
    return winner
