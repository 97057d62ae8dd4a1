"""The rules of Flood on the region graph.

A seat's *zone* is a set of regions. Its *frontier* is the free regions next to the zone, kept as
one linked list per color, so that playing a color visits just the regions it takes. Every region
enters each seat's frontier once and is taken once: a whole game costs O(seats * links).

A region in a seat's lists may have been taken by another seat meanwhile; the lists are not mended
for that, the walk skips it. ``GAINS`` is always exact.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.setup import FloodSetup, IntArray
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    Moves,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    implements,
    random_below,
)
from ludograph.rules.random import GAMMA, HALF, scramble

PASSED = HEADER  # bit per seat: has passed since the last color was played
DROPPED = HEADER + 1  # bit per seat: is out of the game
FREE = HEADER + 2  # regions in no zone
HASH_LOW = HEADER + 3  # two halves of a Zobrist hash of who holds which region
HASH_HIGH = HEADER + 4
CAPTOR = HEADER + 5  # 1 + the seat that won by capture, or 0
CAPTURED = HEADER + 6  # bit per seat: was captured
ZONES = HEADER + 7  # per seat: COLOR, SIZE, TOUCHING; then per seat and color: gains, heads

COLOR, SIZE, TOUCHING = 0, 1, 2  # TOUCHING: bit per seat whose zone is next to this one
ZONE_SLOTS = 3

ONE = np.int64(1)  # wide enough for a bit per color, also where a slot says how far to shift
OWNER = 31  # low bits of a cell: 1 + the seat that holds the region, or 0
MARK = 5  # from this bit on: bit per seat that has the region in its frontier

# After the zones: a cell per region, then per seat the next region in its frontier's list.


@compiled
def zone_at(seat: int) -> int:
    """Return the first slot of a seat's zone."""
    return ZONES + seat * ZONE_SLOTS


@compiled
def gains_at(setup: FloodSetup, seat: int) -> int:
    """Return the first of the seat's slots for the vertices that each color would gain."""
    seats = setup.starts.size
    return ZONES + seats * ZONE_SLOTS + seat * setup.color_count


@compiled
def heads_at(setup: FloodSetup, seat: int) -> int:
    """Return the first of the seat's slots for the heads of its frontier's lists."""
    seats = setup.starts.size
    return ZONES + seats * (ZONE_SLOTS + setup.color_count) + seat * setup.color_count


@compiled
def cells_at(setup: FloodSetup) -> int:
    """Return the slot of region 0's cell."""
    return ZONES + setup.starts.size * (ZONE_SLOTS + 2 * setup.color_count)


@implements(contract.state_size, FloodSetup)
def flood_state_size(setup: FloodSetup) -> int:
    return cells_at(setup) + setup.sizes.size * (1 + setup.starts.size)


@implements(contract.seat_count, FloodSetup)
def flood_seat_count(setup: FloodSetup) -> int:
    return setup.starts.size


@implements(contract.move_capacity, FloodSetup)
def flood_move_capacity(setup: FloodSetup) -> int:
    return setup.color_count + 1


@implements(contract.ply_bound, FloodSetup)
def flood_ply_bound(setup: FloodSetup) -> int:
    # Each color played takes a region or ends the game; before each, all but one may pass.
    return (setup.sizes.size + 1) * setup.starts.size


@implements(contract.score_bounds, FloodSetup)
def flood_score_bounds(setup: FloodSetup, out: Scores) -> None:
    if setup.starts.size == 1:
        out[0] = -(setup.sizes.size + 1.0)
        out[1] = 0.0
    else:
        out[0] = -1.0
        out[1] = setup.region_of.size


@implements(contract.start, FloodSetup)
def flood_start(setup: FloodSetup, state: State) -> None:
    state[:] = 0
    seats = setup.starts.size
    state[FREE] = setup.sizes.size
    for seat in range(seats):
        heads = heads_at(setup, seat)
        for color in range(setup.color_count):
            state[heads + color] = -1
        state[zone_at(seat) + COLOR] = setup.colors[setup.starts[seat]]
    for seat in range(seats):
        region = setup.starts[seat]
        state[cells_at(setup) + setup.sizes.size * (1 + seat) + region] = -1  # a list of one
        absorb(
            setup.offsets,
            setup.neighbors,
            setup.sizes,
            setup.colors,
            (seats, setup.color_count),
            state,
            seat,
            region,
        )
    if seats == 1:
        end_solo(setup, state)


@compiled
def absorb(
    offsets: IntArray,
    neighbors: IntArray,
    sizes: IntArray,
    colors: IntArray,
    counts: tuple[int, int],
    state: State,
    seat: int,
    region: int,
) -> None:
    """Put a list of regions of one color into a zone, their free neighbors into its frontier.

    Cost: the links of the regions taken. The setup's arrays come one by one, since handing over
    the whole tuple costs as much as a region.

    Parameters
    ----------
    counts
        Seats and colors.
    region
        The first of the list, which goes on in ``state``; those that somebody holds are skipped.
    """
    seats, color_count = counts
    gains = ZONES + seats * ZONE_SLOTS
    own_gains = gains + seat * color_count
    own_heads = own_gains + seats * color_count
    cells = gains + 2 * seats * color_count
    following = cells + sizes.size * (1 + seat)
    zone = ZONES + seat * ZONE_SLOTS
    mark = 1 << (MARK + seat)
    color = colors[region]
    taken = 0
    vertices = 0
    word = np.uint64(0)
    touching = 0
    while region >= 0:
        after = state[following + region]
        cell = state[cells + region]
        if not cell & OWNER:
            state[cells + region] = cell | (seat + 1)
            taken += 1
            vertices += sizes[region]
            word ^= scramble(GAMMA * np.uint64(region * seats + seat + 1))
            others = (cell & ~mark) >> MARK
            other = 0
            while others:  # the seats that had it at their frontier cannot gain it any more
                if others & 1:
                    state[gains + other * color_count + color] -= sizes[region]
                others >>= 1
                other += 1
            for slot in range(offsets[region], offsets[region + 1]):
                near = neighbors[slot]
                cell = state[cells + near]
                if cell & OWNER:
                    touching |= 1 << ((cell & OWNER) - 1)
                elif not cell & mark:
                    hue = colors[near]
                    state[cells + near] = cell | mark
                    state[following + near] = state[own_heads + hue]
                    state[own_heads + hue] = near
                    state[own_gains + hue] += sizes[near]
        region = after
    state[FREE] -= taken
    state[zone + SIZE] += vertices
    state[HASH_LOW] ^= np.int32(np.uint32(word))
    state[HASH_HIGH] ^= np.int32(np.uint32(word >> HALF))
    touching &= ~(1 << seat)
    if touching & ~state[zone + TOUCHING]:
        state[zone + TOUCHING] |= touching
        for other in range(seats):
            if (touching >> other) & 1:
                state[zone_at(other) + TOUCHING] |= 1 << seat


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
        protected = touching & state[DROPPED]  # who is out is an obstacle, nobody's prey
        colors |= colors_of(setup, state, touching & ~protected)
    return colors & ~colors_of(setup, state, protected) & ~setup.forbidden[seat]


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
        out[count] = setup.color_count  # to pass
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
def take_color(setup: FloodSetup, state: State, seat: int, color: int) -> None:
    """Recolor a zone: it absorbs the frontier's list of that color."""
    head = heads_at(setup, seat) + color
    first = state[head]
    # No region of this color enters the list meanwhile: those absorbed have it themselves.
    state[head] = -1
    state[gains_at(setup, seat) + color] = 0
    state[zone_at(seat) + COLOR] = color
    if first >= 0:
        absorb(
            setup.offsets,
            setup.neighbors,
            setup.sizes,
            setup.colors,
            (setup.starts.size, setup.color_count),
            state,
            seat,
            first,
        )


@compiled
def same_color(setup: FloodSetup, state: State, seats: int, color: int) -> int:
    """Return those of some seats (a bit each) whose zones have a color."""
    found = 0
    for seat in range(setup.starts.size):
        if (seats >> seat) & 1 and state[zone_at(seat) + COLOR] == color:
            found |= 1 << seat
    return found


@compiled
def next_turn(setup: FloodSetup, state: State) -> None:
    """Give the turn to the next seat in the game; end the game when all of them have passed."""
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
    """End a solo game when the board is one zone, or when only forbidden colors are left."""
    if state[FREE] == 0 or legal_colors(setup, state) == 0:
        state[TURN] = OVER


@implements(contract.drop, FloodSetup)
def flood_drop(setup: FloodSetup, state: State, seat: int) -> None:
    state[DROPPED] |= 1 << seat
    if state[TURN] == seat:
        next_turn(setup, state)
    elif state[TURN] != OVER:  # only the end may come sooner; the turn stays
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


@implements(contract.playout, FloodSetup)
def flood_playout(setup: FloodSetup, state: State, rng: Rng, out: Scores) -> None:
    # A random pass ends games that are not decided, so a playout passes only when it must. A
    # color's chance is its gain: closer to how the game is played, and no dearer.
    while state[TURN] != OVER:
        contract.play(setup, state, weighted_color(setup, state, rng))
    contract.scores(setup, state, out)


@compiled
def weighted_color(setup: FloodSetup, state: State, rng: Rng) -> int:
    """Return a random legal color, its chance in proportion to one more than its gain."""
    colors = legal_colors(setup, state)
    gains = gains_at(setup, state[TURN])
    total = 0
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            total += state[gains + color] + 1
    if total == 0:
        return setup.color_count
    rest = random_below(rng, total)
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            rest -= state[gains + color] + 1
            if rest < 0:
                return color
    return setup.color_count


@compiled
def bit_count(bits: int) -> int:
    """Return the number of bits set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@compiled
def pick_color(setup: FloodSetup, colors: int, choice: int) -> int:
    """Return the color at place ``choice`` among the bits set, or the pass after the last."""
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            if choice == 0:
                return color
            choice -= 1
    return setup.color_count


@implements(contract.evaluate, FloodSetup)
def flood_evaluate(setup: FloodSetup, state: State, out: Scores) -> None:
    contract.scores(setup, state, out)
    seats = setup.starts.size
    if state[TURN] == OVER:
        return
    if seats == 1:  # a move takes about five regions; only their ratio to a move matters
        out[0] -= 0.2 * state[FREE]
        return
    # What lies at the frontier is half won.
    for seat in range(seats):
        if (state[DROPPED] >> seat) & 1:
            continue
        gains = gains_at(setup, seat)
        for color in range(setup.color_count):
            if not (setup.forbidden[seat] >> color) & 1:
                out[seat] += 0.5 * state[gains + color]


@implements(contract.key, FloodSetup)
def flood_key(setup: FloodSetup, state: State) -> np.uint64:
    low = np.uint64(np.uint32(state[HASH_LOW]))
    high = np.uint64(np.uint32(state[HASH_HIGH]))
    value = (high << HALF) | low
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
