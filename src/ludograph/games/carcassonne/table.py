"""The table: which cells have a tile, and where one can be laid.

A hash table with open addressing gives for a cell ``1 + tile``, ``-1 - place`` or nothing; the
records of tiles and places hold the cells, so the table needs no keys. Cells are entered and never
taken out: a place can only become a tile. Neighbors fall on different entries, see
:func:`ludograph.games.carcassonne.setup.find_stride`.

A *place* is a free cell beside a tile. It keeps what it demands of a tile: the bits that the tile's
word must have, and a mask of the bits that matter.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.forms import COMPONENT, COUNT, DEMAND, FORM, NODE, IntArray
from ludograph.games.carcassonne.setup import (
    HEADER_SLOTS,
    PLACE_SLOTS,
    SEAT_SLOTS,
    TILE_SLOTS,
    Ground,
)
from ludograph.rules import HEADER, State, compiled

NEXT = HEADER  # the seat to which the next tile is dealt
DEALT = HEADER + 1  # the kind of the tile to be placed, or NO_TILE
LAST = HEADER + 2  # the placement played last, or -1; no rule reads it
IN_GAME = HEADER + 3  # seats that are not eliminated
REST = HEADER + 4  # tiles not dealt yet
LAID = HEADER + 5  # tiles on the table
OPEN = HEADER + 6  # places
NODES = HEADER + 7  # the slot behind the last node
HASH_LOW = HEADER + 8  # two halves of a Zobrist hash of what has been laid and put away
HASH_HIGH = HEADER + 9
SEATS = HEADER_SLOTS  # per seat: POINTS, HAND, GONE

POINTS, HAND, GONE = range(SEAT_SLOTS)
NO_TILE = -1

CELL, FORM_OF, FIRST_NODE, MEEPLE = range(TILE_SLOTS)  # a tile's record
# MEEPLE: 0, or 1 + 13 * seat + vertex, as it was put; it is back when its component has closed.

PLACE_CELL, DEMANDS, MATTERS = range(PLACE_SLOTS)  # a place's record

# A node is a component of a tile. Its record: the slot of its parent if it was merged into another,
# else ROOT - (ends that face no tile), or CLOSED; the vertices of the component; then, where there
# are meeples, how many are in it and how many of each seat. What is not a root is out of date.
PARENT, SIZE, CLAIMS, CLAIMS_OF = range(4)
ROOT = -1
CLOSED = -(2**30)

PROBE = 0x9E37
"""To the next entry to try; odd, so that all are tried."""

Index = np.uint64
"""Of a signed index machine code asks first whether it counts from the end: too dear here."""


@compiled
def find_entry(state: State, ground: Ground, cell: int) -> int:
    """Return the slot of a cell's entry in the hash table: it is 0 if nothing was entered yet."""
    entry = cell & ground.mask
    while True:
        slot = ground.table + entry
        what = np.int64(state[Index(slot)])
        if what > 0:
            found = state[Index(ground.tiles + TILE_SLOTS * (what - 1) + CELL)]
        elif what < 0:
            found = state[Index(ground.places - PLACE_SLOTS * (what + 1) + PLACE_CELL)]
        else:
            return slot
        if found == cell:
            return slot
        entry = (entry + PROBE) & ground.mask


@compiled
def beyond(state: State, forms: IntArray, ground: Ground, cell: int, side: int) -> int:
    """Return what is beyond a side of a cell: ``1 + tile``, ``-1 - place``, or 0."""
    near = cell + int(np.int64(forms[Index(ground.sides + side)]))
    return int(np.int64(state[Index(find_entry(state, ground, near))]))


@compiled
def beyond_edge(ground: Ground, cell: int) -> bool:
    """Tell whether no tile can lie on a cell, because it is off the table."""
    last = 2 * ground.reach
    column = cell % ground.stride
    row = cell // ground.stride
    return column <= 0 or row <= 0 or column >= last or row >= last


@compiled
def lay(state: State, forms: IntArray, ground: Ground, cell: int, form: int) -> int:
    """Put a tile on a cell, merge its components with what is around; return its first node.

    O(1), components being trees that stay flat.
    """
    shape = FORM * form
    number = int(np.int64(state[LAID]))
    first = int(np.int64(state[NODES]))
    count = int(np.int64(forms[Index(shape + COUNT)])) & 15
    record = ground.tiles + TILE_SLOTS * number
    state[LAID] = number + 1
    state[NODES] = first + count * ground.width
    for component in range(count):
        packed = np.int64(forms[Index(shape + NODE + component)])
        node = first + component * ground.width
        state[Index(node + PARENT)] = ROOT - ((packed >> 4) & 15)
        state[Index(node + SIZE)] = packed & 15
    slot = find_entry(state, ground, cell)
    take_place(state, ground, -1 - int(np.int64(state[Index(slot)])))
    state[Index(slot)] = 1 + number
    state[Index(record + CELL)] = cell
    state[Index(record + FORM_OF)] = form
    state[Index(record + FIRST_NODE)] = first
    for side in range(4):
        near = cell + int(np.int64(forms[Index(ground.sides + side)]))
        slot = find_entry(state, ground, near)
        what = int(np.int64(state[Index(slot)]))
        if what > 0:
            join(state, forms, ground, shape, first, side, what - 1)
            continue
        if what == 0:
            if ground.edged and beyond_edge(ground, near):
                continue
            what = -1 - int(np.int64(state[OPEN]))
            state[OPEN] += 1
            state[Index(slot)] = what
            place = ground.places - PLACE_SLOTS * (what + 1)
            state[Index(place + PLACE_CELL)] = near
            state[Index(place + DEMANDS)] = 0
            state[Index(place + MATTERS)] = 0
        place = ground.places - PLACE_SLOTS * (what + 1)
        state[Index(place + DEMANDS)] |= forms[Index(shape + DEMAND + side)]
        state[Index(place + MATTERS)] |= forms[Index(ground.sides + 4 + ((side + 2) & 3))]
    return first


@compiled
def take_place(state: State, ground: Ground, place: int) -> None:
    """Take a place off the list; the last one fills the gap. Below 0: there is none."""
    if place < 0:
        return
    last = int(np.int64(state[OPEN])) - 1
    state[OPEN] = last
    source = ground.places + PLACE_SLOTS * last
    target = ground.places + PLACE_SLOTS * place
    if place != last:
        moved = find_entry(state, ground, int(np.int64(state[Index(source + PLACE_CELL)])))
        state[Index(moved)] = -1 - place
    for slot in range(PLACE_SLOTS):
        state[Index(target + slot)] = state[Index(source + slot)]
        state[Index(source + slot)] = 0


@compiled
def join(
    state: State, forms: IntArray, ground: Ground, shape: int, first: int, side: int, other: int
) -> None:
    """Merge the three vertices on a side with those of the tile beyond it."""
    record = ground.tiles + TILE_SLOTS * other
    facing = FORM * int(np.int64(state[Index(record + FORM_OF)])) + 3 * ((side + 2) & 3) + 2
    theirs = int(np.int64(state[Index(record + FIRST_NODE)]))
    a, b, root = -1, -1, 0
    for place in range(3):
        own = int(np.int64(forms[Index(shape + COMPONENT + 3 * side + place)]))
        their = int(np.int64(forms[Index(facing + COMPONENT - place)]))
        if own != a or their != b:
            a, b = own, their
            root = unite(state, ground.width, first + a * ground.width, theirs + b * ground.width)
        state[Index(root + PARENT)] += 2  # both vertices were ends; they are one vertex now
        state[Index(root + SIZE)] -= 1


@compiled
def root_of(state: State, node: int) -> int:
    """Return the root of a node; every other node on the way gets a shorter one."""
    parent = int(np.int64(state[Index(node + PARENT)]))
    while parent >= 0:
        above = int(np.int64(state[Index(parent + PARENT)]))
        if above < 0:
            return parent
        state[Index(node + PARENT)] = above
        node = above
        parent = int(np.int64(state[Index(node + PARENT)]))
    return node


@compiled
def look_up(state: State, node: int) -> int:
    """Return the root of a node and change nothing; O(log nodes)."""
    parent = int(np.int64(state[Index(node + PARENT)]))
    while parent >= 0:
        node = parent
        parent = int(np.int64(state[Index(node + PARENT)]))
    return node


@compiled
def unite(state: State, width: int, one: int, other: int) -> int:
    """Make one component of two nodes' components; return its root."""
    root = root_of(state, one)
    other = root_of(state, other)
    if root == other:
        return root
    if state[Index(root + SIZE)] < state[Index(other + SIZE)]:
        root, other = other, root
    state[Index(root + PARENT)] += state[Index(other + PARENT)] - ROOT
    for slot in range(SIZE, width):
        state[Index(root + slot)] += state[Index(other + slot)]
    state[Index(other + PARENT)] = root
    return root
