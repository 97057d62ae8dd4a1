"""The rules of Flood: the growth of zones, turns, passes, the end and the scores.

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
    random_below,
)
from ludograph.rules.kernels.bits import NONE, ONE, bit_count, lowest
from ludograph.rules.kernels.zobrist import HALF, hash_at, toggle, word_of
from ludograph.rules.random import GAMMA, scramble

PASSED = HEADER  # a bit per seat: the seat has passed since the last color was played
DROPPED = HEADER + 1  # a bit per seat: the seat is out of the game
FREE = HEADER + 2  # the number of regions in no zone
HASH = HEADER + 3  # this slot and the next: a Zobrist hash of the owners of the regions
CAPTOR = HEADER + 5  # 1 + the seat that won by capture, or 0
CAPTURED = HEADER + 6  # a bit per seat: the seat was captured
ZONES = HEADER + 7  # per seat: COLOR, SIZE, TOUCHING; then per seat and color: gains, heads

COLOR, SIZE, TOUCHING = 0, 1, 2  # TOUCHING: a bit per seat whose zone is next to this one
ZONE_SLOTS = 3

BIT = np.int64(1)  # 64 bits: a bit per color, even if the shift is an int32 from a slot
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
            colors |= BIT << state[zone_at(other) + COLOR]
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


@implements(contract.info, FloodSetup)
def flood_info(setup: FloodSetup) -> GameInfo:
    lowest, highest = -1.0, float(setup.region_of.size)
    if setup.starts.size == 1:
        lowest, highest = -(setup.sizes.size + 1.0), 0.0
    return GameInfo(
        state_size=cells_at(setup) + setup.sizes.size * (1 + setup.starts.size),
        seats=setup.starts.size,
        move_capacity=setup.color_count + 1,
        # Each color takes a region or ends the game; before each, all seats but one may pass.
        ply_bound=(setup.sizes.size + 1) * setup.starts.size,
        lowest_score=lowest,
        highest_score=highest,
    )


@implements(contract.start, FloodSetup)
def flood_start(setup: FloodSetup, state: State) -> None:
    fill(state, 0)
    seats = setup.starts.size
    state[FREE] = setup.sizes.size
    for seat in range(seats):
        heads = heads_at(setup, seat)
        for color in range(setup.color_count):
            state[heads + color] = -1
        state[zone_at(seat) + COLOR] = setup.colors[setup.starts[seat]]
    for seat in range(seats):
        region = setup.starts[seat]
        state[links_at(setup, seat) + region] = -1  # a list of one region
        absorb(setup, state, seat, region)
    if seats == 1:
        end_solo(setup, state)


@implements(contract.legal_moves, FloodSetup)
def flood_legal_moves(setup: FloodSetup, state: State, out: Moves) -> int:
    if state[TURN] == OVER:
        return 0
    colors = legal_colors(setup, state)
    count = 0
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            out[count] = color
            count += 1
    if setup.starts.size > 1:
        out[count] = setup.color_count  # the pass
        count += 1
    return count


@implements(contract.play, FloodSetup)
def flood_play(setup: FloodSetup, state: State, move: int) -> None:
    seat = state[TURN]
    state[PLY] += 1
    if move == setup.color_count:
        state[PASSED] |= 1 << seat
    else:
        state[PASSED] = 0
        if setup.capture:
            prey = same_color(setup, state, state[zone_at(seat) + TOUCHING], move)
            if prey:
                take_color(setup, state, seat, move)
                state[CAPTURED] = prey
                state[CAPTOR] = seat + 1
                state[TURN] = OVER
                return
        take_color(setup, state, seat, move)
    if setup.starts.size == 1:
        end_solo(setup, state)
    else:
        next_turn(setup, state)


@compiled
def next_turn(setup: FloodSetup, state: State) -> None:
    """Give the turn to the next seat in the game.

    The game ends if all seats in it have passed, or if at most one of them is left.
    """
    seats = setup.starts.size
    playing = ((1 << seats) - 1) & ~state[DROPPED]
    if playing & ~state[PASSED] == 0 or playing & (playing - 1) == 0:
        state[TURN] = OVER
        return
    seat = (state[TURN] + 1) % seats
    while not (playing >> seat) & 1:
        seat = (seat + 1) % seats
    state[TURN] = seat


@compiled
def end_solo(setup: FloodSetup, state: State) -> None:
    """End a solo game if the board is one zone, or if only forbidden colors are left."""
    if state[FREE] == 0 or legal_colors(setup, state) == 0:
        state[TURN] = OVER


@implements(contract.drop, FloodSetup)
def flood_drop(setup: FloodSetup, state: State, seat: int) -> None:
    state[DROPPED] |= 1 << seat
    if state[TURN] == seat:
        next_turn(setup, state)
    elif state[TURN] != OVER:  # the game may end now; otherwise the turn does not change
        turn = state[TURN]
        next_turn(setup, state)
        if state[TURN] != OVER:
            state[TURN] = turn


@implements(contract.scores, FloodSetup)
def flood_scores(setup: FloodSetup, state: State, out: Scores) -> None:
    seats = setup.starts.size
    if seats == 1:
        stuck = state[TURN] == OVER and state[FREE] > 0
        out[0] = -(setup.sizes.size + 1.0) if stuck else -float(state[PLY])
        return
    for seat in range(seats):
        out[seat] = state[zone_at(seat) + SIZE]
        if (state[DROPPED] >> seat) & 1:
            out[seat] = -1.0
        elif (state[CAPTURED] >> seat) & 1:
            out[seat] = 0.0
    if state[CAPTOR]:
        out[state[CAPTOR] - 1] = setup.region_of.size


@implements(contract.sample_move, FloodSetup)
def flood_sample_move(setup: FloodSetup, state: State, rng: Rng) -> int:
    colors = legal_colors(setup, state)
    passes = 1 if setup.starts.size > 1 else 0
    choice = random_below(rng, bit_count(colors) + passes)
    return pick_color(setup, colors, choice)


@compiled
def pick_color(setup: FloodSetup, colors: int, choice: int) -> int:
    """Return the color of the set bit number ``choice``, from 0; after the last one, the pass."""
    left = np.uint64(colors)
    for _ in range(choice):
        left &= left - ONE
    return min(lowest(left), setup.color_count)


@implements(contract.key, FloodSetup)
def flood_key(setup: FloodSetup, state: State) -> np.uint64:
    value = hash_at(state, HASH)
    seats = setup.starts.size
    for seat in range(seats):
        value = scramble(value + GAMMA * np.uint64(state[zone_at(seat) + COLOR] + 1))
    turn = np.uint64(state[TURN] + 3)
    value = scramble(value ^ (turn << HALF) ^ np.uint64(state[PASSED]))
    if state[DROPPED] or state[CAPTOR]:
        value = scramble(value + GAMMA * np.uint64((state[DROPPED] << 8) + state[CAPTOR]))
    if seats == 1:  # the score is the number of moves
        value = scramble(value + GAMMA * np.uint64(state[PLY]))
    return value
