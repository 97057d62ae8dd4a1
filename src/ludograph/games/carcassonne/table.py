"""The table: the cells with a tile, and the cells where one can be placed.

A hash table with open addressing returns for a cell ``1 + tile``, ``-1 - place`` or 0. The records
of tiles and places contain their cells, so the table needs no keys. Cells are never removed: a
place can only become a tile. Neighboring cells have different entries, see
:func:`ludograph.games.carcassonne.setup.find_stride`.

A *place* is a free cell beside a tile. Its record has the bits that it requires of a tile's word,
and a mask of the bits that matter.
"""

from __future__ import annotations

from ludograph.games.carcassonne.setup import (
    AT_ONCE,
    COMPONENT,
    COMPONENT_COUNT,
    HEADER_SLOTS,
    NODE,
    PLACE_SLOTS,
    PLAIN,
    REQUIRES,
    SEAT_SLOTS,
    TALLY_SLOTS,
    TILE_SLOTS,
    TOUCHING,
    CarcassonneSetup,
    Layout,
)
from ludograph.rules import HEADER, State, compiled

NEXT = HEADER  # the seat to which the next tile is dealt
DEALT = HEADER + 1  # the kind of the tile to be placed, or NO_TILE
LAST = HEADER + 2  # the placement played last, or -1; no rule reads it
IN_GAME = HEADER + 3  # seats that are not eliminated
REMAINING = HEADER + 4  # tiles not dealt yet
LAID = HEADER + 5  # tiles on the table
OPEN = HEADER + 6  # the number of places
NODES = HEADER + 7  # the slot behind the last node
HASH = HEADER + 8  # two slots: a Zobrist hash of the tiles laid and discarded
SEATS = HEADER_SLOTS  # per seat: POINTS, HAND, GONE

POINTS, HAND, GONE = range(SEAT_SLOTS)
NO_TILE = -1

CELL, ORIENTATION, FIRST_NODE, MEEPLE = range(TILE_SLOTS)  # a tile's record
# MEEPLE: 0, or 1 + 13 * seat + vertex of the meeple put on the tile, also after its return.

PLACE_CELL, REQUIRED, MASK = range(PLACE_SLOTS)  # a place's record

# A node is a component of a tile. PARENT: the slot of its parent if it was merged into another one,
# else ROOT - (its open edges), or CLOSED. SIZE: the vertices of its component. In games with
# meeples: the meeples in the component, and those of each seat. Only roots are up to date.
PARENT, SIZE, CLAIMS, CLAIMS_OF = range(4)
ROOT = -1
CLOSED = -(2**30)

PROBE = 0x9E37
"""The step to the next entry to try; odd, so that all entries are tried."""


@compiled(inlined=True)
def find_entry(setup: CarcassonneSetup, state: State, cell: int) -> int:
    """Return the slot of a cell's entry in the hash table; 0 there means an unknown cell."""
    layout = setup.layout
    entry = cell & layout.mask
    while True:
        slot = layout.table + entry
        what = state[slot]
        if what > 0:
            found = state[layout.tiles + TILE_SLOTS * (what - 1) + CELL]
        elif what < 0:
            found = state[layout.places - PLACE_SLOTS * (what + 1) + PLACE_CELL]
        else:
            return slot
        if found == cell:
            return slot
        entry = (entry + PROBE) & layout.mask


@compiled(inlined=True)
def beyond(setup: CarcassonneSetup, state: State, cell: int, side: int) -> int:
    """Return the entry of the cell beyond a side of a cell: ``1 + tile``, ``-1 - place``, or 0."""
    return state[find_entry(setup, state, cell + setup.steps[side])]


@compiled(inlined=True)
def fits(setup: CarcassonneSetup, state: State, place: int, orientation: int) -> bool:
    """Tell whether a tile in an orientation fits on the place with a record."""
    return (setup.words[orientation] & state[place + MASK]) == state[place + REQUIRED]


@compiled
def beyond_edge(layout: Layout, cell: int) -> bool:
    """Tell whether a cell is off the table, where no tile can lie."""
    last = 2 * layout.reach
    column = cell % layout.stride
    row = cell // layout.stride
    return column <= 0 or row <= 0 or column >= last or row >= last


@compiled(inlined=True)
def lay(setup: CarcassonneSetup, state: State, cell: int, orientation: int) -> tuple[int, int]:
    """Put a tile on a cell, and merge its components with those of its neighbors.

    Return the first node of the tile, and its components that have a side without a neighbor, a bit
    each. O(1), as the trees of components stay flat.
    """
    layout, orientations = setup.layout, setup.orientations
    number = state[LAID]
    first = state[NODES]
    count = orientations[orientation, COMPONENT_COUNT]
    state[LAID] = number + 1
    state[NODES] = first + count * layout.width
    # Whole groups avoid a branch on the number of components; later tiles overwrite the rest.
    for group in range(0, count, AT_ONCE):
        for component in range(group, group + AT_ONCE):
            packed = orientations[orientation, NODE + component]
            node = first + component * layout.width
            state[node + PARENT] = ROOT - ((packed >> 4) & 15)
            state[node + SIZE] = packed & 15
    slot = find_entry(setup, state, cell)
    remove_place(setup, state, -1 - state[slot])
    state[slot] = 1 + number
    record = layout.tiles + TILE_SLOTS * number
    state[record + CELL] = cell
    state[record + ORIENTATION] = orientation
    state[record + FIRST_NODE] = first
    unjoined = 0
    for side in range(4):
        near = cell + setup.steps[side]
        slot = find_entry(setup, state, near)
        what = state[slot]
        if what > 0:
            join(setup, state, orientation, first, side, what - 1)
            continue
        unjoined |= orientations[orientation, TOUCHING + side]
        if what == 0:
            if layout.edged and beyond_edge(layout, near):
                continue
            what = -1 - state[OPEN]
            state[OPEN] += 1
            state[slot] = what
            state[layout.places - PLACE_SLOTS * (what + 1) + PLACE_CELL] = near
        place = layout.places - PLACE_SLOTS * (what + 1)
        state[place + REQUIRED] |= orientations[orientation, REQUIRES + side]
        state[place + MASK] |= setup.masks[(side + 2) & 3]
    return first, unjoined


@compiled(inlined=True)
def remove_place(setup: CarcassonneSetup, state: State, place: int) -> None:
    """Remove a place from the list; the last place fills the gap. Below 0: nothing to remove."""
    if place < 0:
        return
    layout, last = setup.layout, state[OPEN] - 1
    state[OPEN] = last
    source = layout.places + PLACE_SLOTS * last
    target = layout.places + PLACE_SLOTS * place
    entry = state[source + PLACE_CELL] & layout.mask
    while state[layout.table + entry] != -1 - last:  # no other entry has this value
        entry = (entry + PROBE) & layout.mask
    state[layout.table + entry] = -1 - place
    for slot in range(PLACE_SLOTS):
        state[target + slot] = state[source + slot]
        state[source + slot] = 0


@compiled(inlined=True)
def join(
    setup: CarcassonneSetup, state: State, orientation: int, first: int, side: int, other: int
) -> None:
    """Merge the three vertices on a side with those of the neighboring tile."""
    width, orientations = setup.layout.width, setup.orientations
    record = setup.layout.tiles + TILE_SLOTS * other
    there, first_there = state[record + ORIENTATION], state[record + FIRST_NODE]
    across = side ^ 2
    near, far = COMPONENT + 3 * side, COMPONENT + 3 * across + 2
    own, their = orientations[orientation, near], orientations[there, far]
    root = union(state, width, first + own * width, first_there + their * width)
    # Each pair of facing vertices had two open edges, and is one vertex now. Two sides of one
    # component each are merged at once.
    plain = (orientations[orientation, PLAIN] >> side) & (orientations[there, PLAIN] >> across) & 1
    if plain:
        state[root + PARENT] += 6
        state[root + SIZE] -= 3
        return
    state[root + PARENT] += 2
    state[root + SIZE] -= 1
    for place in range(1, 3):
        own, their = orientations[orientation, near + place], orientations[there, far - place]
        root = union(state, width, first + own * width, first_there + their * width)
        state[root + PARENT] += 2
        state[root + SIZE] -= 1


@compiled(inlined=True)
def root_of(state: State, node: int) -> int:
    """Return the root of a node; halve the path to it."""
    while True:
        above = state[node + PARENT]
        root = above if above >= 0 else node
        further = state[root + PARENT]
        if further < 0:
            return root
        state[node + PARENT] = further
        node = further


@compiled
def look_up(state: State, node: int) -> int:
    """Return the root of a node without a change of the state; O(log nodes)."""
    parent = state[node + PARENT]
    while parent >= 0:
        node = parent
        parent = state[node + PARENT]
    return node


@compiled(inlined=True)
def union(state: State, width: int, one: int, other: int) -> int:
    """Merge the components of two nodes; return the root."""
    one = root_of(state, one)
    other = root_of(state, other)
    if one == other:
        return one
    smaller = state[one + SIZE] < state[other + SIZE]
    root = other if smaller else one
    under = one if smaller else other
    state[root + PARENT] += state[under + PARENT] - ROOT
    state[root + SIZE] += state[under + SIZE]
    for slot in range(CLAIMS, width):
        state[root + slot] += state[under + slot]
    state[under + PARENT] = root
    return root


@compiled(inlined=True)
def give(setup: CarcassonneSetup, state: State, seat: int, points: int, what: int) -> None:
    """Add points to a seat's score, and to one entry of its tally."""
    state[SEATS + SEAT_SLOTS * seat + POINTS] += points
    state[setup.layout.tally + TALLY_SLOTS * seat + what] += points
