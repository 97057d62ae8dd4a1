"""The zones of Flood: their place in a state, and the growth of a zone by a color.

A seat's *zone* is a set of regions. Its *frontier* is the set of free regions next to the zone,
stored as one linked list per color, so that playing a color visits only the regions that it takes.
Every region enters each seat's frontier once and is taken once: a whole game costs
O(seats * links).

If another seat takes a region of a frontier, the region stays in the list, and later walks through
the list skip it. The gain of a color, the number of vertices that it would add to a zone, is always
exact.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import HEADER, TURN, State, compiled
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.zobrist import toggle, word_of

PASSED = HEADER  # a bit per seat: the seat has passed since the last color was played
DROPPED = HEADER + 1  # a bit per seat: the seat is out of the game
FREE = HEADER + 2  # the number of regions in no zone
HASH = HEADER + 3  # this slot and the next: a Zobrist hash of the owners of the regions
CAPTOR = HEADER + 5  # 1 + the seat that won by capture, or 0
CAPTURED = HEADER + 6  # a bit per seat: the seat was captured
ZONES = HEADER + 7  # per seat: COLOR, SIZE, TOUCHING; then per seat and color: gains, heads

COLOR, SIZE, TOUCHING = 0, 1, 2  # TOUCHING: a bit per seat whose zone is next to this one
ZONE_SLOTS = 3

ONE = np.int64(1)  # 64 bits: a bit per color, even if the shift is an int32 from a slot
OWNER = 31  # the low bits of a cell: 1 + the seat whose zone contains the region, or 0
MARK = 5  # bits of a cell from this one on, one per seat: the region is in its frontier

# After the zones: a cell per region; then, per seat, the next region in its frontier's list.


@compiled
def zone_at(seat: int) -> int:
    """Return the first slot of a seat's zone."""
    return ZONES + seat * ZONE_SLOTS


@compiled
def gains_at(setup: FloodSetup, seat: int) -> int:
    """Return the first of the seat's slots for the gains of the colors, in vertices."""
    seats = setup.starts.size
    return ZONES + seats * ZONE_SLOTS + seat * setup.color_count


@compiled
def heads_at(setup: FloodSetup, seat: int) -> int:
    """Return the first of the seat's slots for the heads of its frontier's lists, one per color."""
    seats = setup.starts.size
    return ZONES + seats * (ZONE_SLOTS + setup.color_count) + seat * setup.color_count


@compiled
def cells_at(setup: FloodSetup) -> int:
    """Return the slot of region 0's cell."""
    return ZONES + setup.starts.size * (ZONE_SLOTS + 2 * setup.color_count)


@compiled
def links_at(setup: FloodSetup, seat: int) -> int:
    """Return the slot of the region that follows region 0 in its list of the seat's frontier."""
    return cells_at(setup) + setup.sizes.size * (1 + seat)


@compiled
def colors_of(setup: FloodSetup, state: State, seats: int) -> int:
    """Return the colors (a bit each) of the zones of some seats (a bit each)."""
    colors = 0
    for other in range(setup.starts.size):
        if (seats >> other) & 1:
            colors |= ONE << state[zone_at(other) + COLOR]
    return colors


@compiled
def legal_colors(setup: FloodSetup, state: State) -> int:
    """Return the colors (a bit each) that the seat to move may play; O(colors + seats)."""
    seat = state[TURN]
    gains = gains_at(setup, seat)
    colors = 0
    for color in range(setup.color_count):
        if state[gains + color] > 0:
            colors |= 1 << color
    touching = state[zone_at(seat) + TOUCHING]
    protected = touching
    if setup.capture:
        protected = touching & state[DROPPED]  # a seat out of the game cannot be captured
        colors |= colors_of(setup, state, touching & ~protected)
    return colors & ~colors_of(setup, state, protected) & ~int(setup.forbidden[seat])


@compiled
def absorb(setup: FloodSetup, state: State, seat: int, region: int) -> None:
    """Put a list of regions of one color into a zone, and their free neighbors into its frontier.

    The cost is O(links of the taken regions).

    Parameters
    ----------
    region
        The first region of the list; ``state`` contains the next ones. Regions in a zone are
        skipped.
    """
    seats = setup.starts.size
    cells, links = cells_at(setup), links_at(setup, seat)
    gains, heads = gains_at(setup, seat), heads_at(setup, seat)
    mark = 1 << (MARK + seat)
    color = setup.colors[region]
    taken = 0
    vertices = 0
    word = NONE
    touching = 0
    while region >= 0:
        cell = state[cells + region]
        if not cell & OWNER:
            state[cells + region] = cell | (seat + 1)
            taken += 1
            vertices += setup.sizes[region]
            word ^= word_of(region * seats + seat + 1)
            others = (cell & ~mark) >> MARK
            if others:
                lose_gain(setup, state, others, color, setup.sizes[region])
            for slot in range(setup.offsets[region], setup.offsets[region + 1]):
                near = setup.neighbors[slot]
                cell = state[cells + near]
                if cell & OWNER:
                    touching |= 1 << ((cell & OWNER) - 1)
                elif not cell & mark:
                    hue = setup.colors[near]
                    state[cells + near] = cell | mark
                    state[links + near] = state[heads + hue]
                    state[heads + hue] = near
                    state[gains + hue] += setup.sizes[near]
        region = state[links + region]
    state[FREE] -= taken
    state[zone_at(seat) + SIZE] += vertices
    toggle(state, HASH, word)
    meet_zones(setup, state, seat, touching & ~(1 << seat))


@compiled
def lose_gain(setup: FloodSetup, state: State, seats: int, color: int, size: int) -> None:
    """Subtract a region that another seat has taken from the gains of some seats (a bit each)."""
    for other in range(setup.starts.size):
        if (seats >> other) & 1:
            state[gains_at(setup, other) + color] -= size


@compiled
def meet_zones(setup: FloodSetup, state: State, seat: int, seats: int) -> None:
    """Note that a seat's zone touches the zones of some seats (a bit each)."""
    if seats & ~state[zone_at(seat) + TOUCHING]:
        state[zone_at(seat) + TOUCHING] |= seats
        for other in range(setup.starts.size):
            if (seats >> other) & 1:
                state[zone_at(other) + TOUCHING] |= 1 << seat


@compiled
def take_color(setup: FloodSetup, state: State, seat: int, color: int) -> None:
    """Recolor a zone, and add to it the frontier's list of that color."""
    head = heads_at(setup, seat) + color
    first = state[head]
    # No region enters this list now: neighbors of a region of this color have other colors.
    state[head] = -1
    state[gains_at(setup, seat) + color] = 0
    state[zone_at(seat) + COLOR] = color
    if first >= 0:
        absorb(setup, state, seat, first)


@compiled
def same_color(setup: FloodSetup, state: State, seats: int, color: int) -> int:
    """Return the seats, among some (a bit each), whose zones have a color."""
    found = 0
    for seat in range(setup.starts.size):
        if (seats >> seat) & 1 and state[zone_at(seat) + COLOR] == color:
            found |= 1 << seat
    return found
