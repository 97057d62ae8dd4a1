"""The points that the next tile can give, calculated from the tiles left in the deck.

Without meeples the seat that closes a component gets its points. So the value of an open component
depends on the remaining tiles that close it, on the places where they fit, and on their chance to
be dealt next.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.placing import facing_root
from ludograph.games.carcassonne.setup import (
    COMPONENT,
    NODE,
    PLACE_SLOTS,
    ROTATIONS,
    CarcassonneSetup,
    IntArray,
)
from ludograph.games.carcassonne.table import (
    DEALT,
    NO_TILE,
    OPEN,
    PARENT,
    PLACE_CELL,
    REMAINING,
    ROOT,
    SIZE,
    beyond,
    fits,
)
from ludograph.games.carcassonne.tiles import SIDES
from ludograph.rules import State, compiled

RIM = 12
"""The number of vertices on the sides of a tile."""

NOTHING = -1
"""The entry of a vertex that faces no tile."""

MOST_POINTS, MOST_ADDED = 8, 13
"""The most points for a vertex, and the most vertices that a tile adds to a component."""

ELSEWHERE = -2
"""The entry of a vertex that faces a component which has open edges at other cells, too."""


# Only a few places are examined, for all kinds: beside that, the allocations take no time.
@compiled(allocates=True)
def expected_gain(setup: CarcassonneSetup, state: State) -> float:
    """Return the expected points that the best placement of the next tile closes.

    The mean is over the remaining tiles; for a tile already dealt its own points are returned.
    O(places + kinds * places where a component can be closed).
    """
    gains = np.zeros(setup.kinds)
    roots = np.empty(RIM, np.int32)
    dealt = state[DEALT]
    for place in range(state[OPEN]):
        record = setup.layout.places + PLACE_SLOTS * place
        most = find_roots(setup, state, state[record + PLACE_CELL], roots)
        if most == 0.0:
            continue
        for kind in range(setup.kinds):
            possible = dealt == kind if dealt != NO_TILE else state[setup.layout.left + kind] > 0
            if possible and gains[kind] < most:
                for quarters in range(setup.orientations[SIDES * kind, ROTATIONS]):
                    orientation = SIDES * kind + quarters
                    if fits(setup, state, record, orientation):
                        points = closed_points(setup, state, orientation, roots)
                        gains[kind] = max(gains[kind], points)
    if dealt != NO_TILE:
        return gains[dealt]
    total = 0.0
    for kind in range(setup.kinds):
        total += state[setup.layout.left + kind] * gains[kind]
    return total / max(1, state[REMAINING])


@compiled
def find_roots(setup: CarcassonneSetup, state: State, cell: int, roots: IntArray) -> float:
    """Write the component that each vertex of a free cell faces, if it is open nowhere else.

    A tile on the cell can close only such components. Return an upper bound of their points.

    Parameters
    ----------
    roots
        ``int32[12]``, written: the slot of a root; ``NOTHING`` if the vertex faces no tile, or
        ``ELSEWHERE`` if the component is open at other cells, too.
    """
    for side in range(SIDES):
        what = beyond(setup, state, cell, side)
        for place in range(3):
            root = NOTHING
            if what > 0:
                root = facing_root(setup, state, what - 1, side, place)
                if ROOT - state[root + PARENT] > RIM:
                    root = ELSEWHERE
            roots[3 * side + place] = root
    return ending_here(state, roots)


@compiled
def ending_here(state: State, roots: IntArray) -> float:
    """Mark roots that are open elsewhere; return a bound of the points for closing the others."""
    most = 0.0
    for vertex in range(RIM):
        root = roots[vertex]
        if root >= 0:
            faced = 0
            for other in range(RIM):
                faced += roots[other] == root
            if faced == ROOT - state[root + PARENT]:
                most += MOST_POINTS * (state[root + SIZE] + MOST_ADDED) / faced
            else:
                for other in range(vertex, RIM):
                    if roots[other] == root:
                        roots[other] = ELSEWHERE
    return most


@compiled
def closed_points(
    setup: CarcassonneSetup, state: State, orientation: int, roots: IntArray
) -> float:
    """Return the points of the components that a tile closes on a cell with these facing roots.

    Each component of the tile is examined alone. If two of them meet the same component of the
    table, neither closes it: a loop that a tile closes with both of its ends is not found.
    """
    orientations = setup.orientations
    faces = open_still = 0  # bits of components of the tile
    for vertex in range(RIM):
        bit = 1 << orientations[orientation, COMPONENT + vertex]
        faces |= bit
        if roots[vertex] < 0:
            open_still |= bit
    points = 0.0
    closed = faces & ~open_still
    component = 0
    while closed > 0:
        if closed & 1:
            points += points_of(setup, state, orientation, component, roots)
        closed >>= 1
        component += 1
    return points


@compiled
def points_of(
    setup: CarcassonneSetup, state: State, orientation: int, component: int, roots: IntArray
) -> float:
    """Return the points of a tile's component that faces tiles at all vertices; 0 if it is open.

    Each vertex of the tile merges with the vertex that it faces.
    """
    packed = setup.orientations[orientation, NODE + component]
    size, opened = packed & 15, 0
    for vertex in range(RIM):
        if setup.orientations[orientation, COMPONENT + vertex] != component:
            continue
        root = roots[vertex]
        opened -= 1
        size -= 1
        known = False
        for before in range(vertex):
            if roots[before] == root:
                known |= setup.orientations[orientation, COMPONENT + before] == component
        if not known:
            opened += ROOT - state[root + PARENT]
            size += state[root + SIZE]
    return float(((packed >> 8) & 15) * size) if opened == 0 and size > 1 else 0.0
