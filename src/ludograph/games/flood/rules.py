"""The rules of Flood: turns, passes, the end and the scores.

The growth of zones is in :mod:`ludograph.games.flood.zones`.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import (
    CAPTOR,
    CAPTURED,
    COLOR,
    DROPPED,
    FREE,
    HASH,
    PASSED,
    SIZE,
    TOUCHING,
    absorb,
    cells_at,
    heads_at,
    legal_colors,
    links_at,
    same_color,
    take_color,
    zone_at,
)
from ludograph.rules import (
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
from ludograph.rules.kernels.bits import ONE, bit_count, lowest
from ludograph.rules.kernels.zobrist import HALF, hash_at
from ludograph.rules.random import GAMMA, scramble


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
