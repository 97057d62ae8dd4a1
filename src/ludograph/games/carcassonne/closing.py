"""The points that the next tile can bring, from the tiles left in the deck.

Without meeples who closes a component gets its points, so what matters of an open one is which of
the tiles that are left close it, where they fit, and how likely one of them comes.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.orientations import (
    COMPONENT,
    NODE,
    ROTATIONS,
    IntArray,
)
from ludograph.games.carcassonne.setup import PLACE_SLOTS, TILE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import (
    DEALT,
    FIRST_NODE,
    NO_TILE,
    OPEN,
    ORIENTATION,
    PARENT,
    PLACE_CELL,
    REMAINING,
    ROOT,
    SIZE,
    beyond,
    fits,
    look_up,
)
from ludograph.games.carcassonne.tiles import SIDES
from ludograph.rules import State, compiled

RIM = 12
"""Vertices on the sides of a tile."""

NOTHING = -1
"""Beyond a vertex that faces no tile."""

MOST_POINTS, MOST_ADDED = 8, 13
"""For a vertex of a component, and vertices of a tile."""

ELSEWHERE = -2
"""Beyond one that faces a component which is open in other places too."""


# A few places are looked at, by all kinds: making room does not show.
@compiled(allocates=True)
def expected_gain(setup: CarcassonneSetup, state: State) -> float:
    """Return the points that the best placement of the next tile closes, the mean over the deck.

    Of a tile that is dealt already, those are known. O(places + kinds * places where something can
    be closed).
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
    """Write which component each vertex of a free cell faces, if it is open nowhere else.

    Only such ones can be closed by a tile there. Return a bound of the points for that.

    Parameters
    ----------
    roots
        ``int32[12]``: a slot; ``NOTHING``, or ``ELSEWHERE`` where it is open in other places too.
    """
    layout, orientations = setup.layout, setup.orientations
    for side in range(SIDES):
        what = beyond(setup, state, cell, side)
        if what <= 0:
            for place in range(3):
                roots[3 * side + place] = NOTHING
            continue
        record = layout.tiles + TILE_SLOTS * (what - 1)
        there = COMPONENT + 3 * ((side + 2) & 3) + 2
        last = root = NOTHING
        for place in range(3):
            component = orientations[state[record + ORIENTATION], there - place]
            if component != last:
                last = component
                root = look_up(state, state[record + FIRST_NODE] + component * layout.width)
                if ROOT - state[root + PARENT] > RIM:
                    root = ELSEWHERE
            roots[3 * side + place] = root
    return ending_here(state, roots)


@compiled
def ending_here(state: State, roots: IntArray) -> float:
    """Rub out what is open elsewhere too; return a bound of the points for closing the others."""
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
    """Return the points of the components that a tile closes on a cell that faces these.

    Two components of the tile that meet in one of the table are taken each for itself, which closes
    nothing: a loop that is closed by both ends of a tile at once is not seen.
    """
    orientations = setup.orientations
    faces = open_still = 0  # a bit for each component of the tile
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
    """Return the points of a component of a tile all of whose vertices face something; 0 if open.

    Each vertex of the tile is one with the vertex that it faces.
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
