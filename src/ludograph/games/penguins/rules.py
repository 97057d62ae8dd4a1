"""The rules of Penguins.

A tile under a penguin never becomes free again: it melts when the penguin leaves. So the free tiles
ahead of a penguin only decrease while it stays, and each ply removes exactly one free tile: the
tile that a penguin steps on. The state has, for each penguin and side, the number of free tiles
ahead. A ply follows the lines out of the new tile to their ends. Their lengths are the free tiles
ahead of the moved penguin, and each penguin at an end has now a shorter line.

The tile under a penguin counts for its owner at once, as no other seat can get it. So nothing
remains to be scored at the end.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.penguins.setup import PenguinsSetup
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
from ludograph.rules.kernels import slides
from ludograph.rules.kernels.slides import free_steps
from ludograph.rules.kernels.zobrist import hash_at, toggle, word_of
from ludograph.rules.random import GAMMA, scramble

UNPLACED = HEADER  # the unplaced penguins of seats that are in the game
HASH = HEADER + 1  # two slots: a Zobrist hash of the tiles
LAST = HEADER + 3  # the move played last, or -1; no rule reads it
SEATS = HEADER + 4  # per seat: FISH, REACH, WAITING, GONE

FISH, REACH, WAITING, GONE = range(4)  # its fish, its moves, its unplaced penguins; 1 if eliminated
SEAT_SLOTS = 4

# After the seats: the tile of each penguin; for each penguin and side the free tiles ahead; the
# cells, one for each tile and one for the water.

FREE, MELTED = slides.FREE, -1  # values of a cell; or 1 + the number of the penguin on it
NOWHERE = -1  # the tile of a penguin that is not placed


@compiled
def tiles_at(setup: PenguinsSetup) -> int:
    """Return the slot of penguin 0's tile."""
    return SEATS + SEAT_SLOTS * setup.seats


@compiled
def reaches_at(setup: PenguinsSetup) -> int:
    """Return the slot of the number of free tiles ahead of penguin 0 at its side 0."""
    return tiles_at(setup) + setup.owners.size


@compiled
def cells_at(setup: PenguinsSetup) -> int:
    """Return the slot of tile 0's cell."""
    return reaches_at(setup) + setup.owners.size * setup.sides


@implements(contract.info, PenguinsSetup)
def penguins_info(setup: PenguinsSetup) -> GameInfo:
    all_fish = 0.0
    for fish in setup.fish:
        all_fish += fish
    return GameInfo(
        state_size=cells_at(setup) + setup.fish.size + 1,
        seats=setup.seats,
        move_capacity=setup.capacity,
        ply_bound=setup.fish.size,
        lowest_score=-1.0,
        highest_score=all_fish,
    )


@implements(contract.start, PenguinsSetup)
def penguins_start(setup: PenguinsSetup, state: State) -> None:
    fill(state, 0)
    state[LAST] = -1
    state[UNPLACED] = setup.owners.size
    for seat in range(setup.seats):
        state[SEATS + SEAT_SLOTS * seat + WAITING] = setup.penguins
    tiles = tiles_at(setup)
    for penguin in range(setup.owners.size):
        state[tiles + penguin] = NOWHERE
    state[cells_at(setup) + setup.fish.size] = MELTED


@implements(contract.legal_moves, PenguinsSetup)
def penguins_legal_moves(setup: PenguinsSetup, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] == OVER:
        return count
    if state[UNPLACED] > 0:
        cells = cells_at(setup)
        for place in range(setup.ones.size):
            tile = setup.ones[place]
            if state[cells + tile] == FREE:
                out[count] = tile
                count += 1
        return count
    tiles, reaches = tiles_at(setup), reaches_at(setup)
    first = state[TURN] * setup.penguins
    for penguin in range(first, first + setup.penguins):
        slot = setup.offsets[state[tiles + penguin]]
        for side in range(setup.sides):
            code = setup.fish.size + ((slot + side) << setup.shift)
            for steps in range(state[reaches + penguin * setup.sides + side]):
                out[count] = code + steps
                count += 1
    return count


@implements(contract.sample_move, PenguinsSetup)
def penguins_sample_move(setup: PenguinsSetup, state: State, rng: Rng) -> int:
    if state[UNPLACED] > 0:
        return draw_placement(setup, state, rng)
    seat = state[TURN]
    choice = random_below(rng, state[SEATS + SEAT_SLOTS * seat + REACH])
    penguin = seat * setup.penguins
    first = place = reaches_at(setup) + penguin * setup.sides
    choice -= state[place]
    while choice >= 0:
        place += 1
        choice -= state[place]
    side = place - first
    for _ in range(1, setup.penguins):  # no branch in here: the processor could not predict it
        further = side >= setup.sides
        penguin += 1 if further else 0
        side -= setup.sides if further else 0
    slot = setup.offsets[state[tiles_at(setup) + penguin]] + side
    return setup.fish.size + (slot << setup.shift) + choice + state[place]


@compiled
def draw_placement(setup: PenguinsSetup, state: State, rng: Rng) -> int:
    """Return a random free tile with one fish: tiles with one fish are drawn until one is free."""
    cells = cells_at(setup)
    while True:
        tile = setup.ones[random_below(rng, setup.ones.size)]
        if state[cells + tile] == FREE:
            return tile


@implements(contract.play, PenguinsSetup)
def penguins_play(setup: PenguinsSetup, state: State, move: int) -> None:
    seat = state[TURN]
    own = SEATS + SEAT_SLOTS * seat
    cells = cells_at(setup)
    words = np.uint64(0)
    if move < setup.fish.size:
        tile = move
        penguin = (seat + 1) * setup.penguins - state[own + WAITING]
        state[own + WAITING] -= 1
        state[UNPLACED] -= 1
    else:
        way = move - setup.fish.size
        start = way >> setup.shift
        source = setup.tiles[start]
        penguin = state[cells + source] - 1
        state[cells + source] = MELTED
        words = word_on(source, setup.seats, seat) ^ word_on(source, setup.seats, MELTED)
        tile = target_of(setup, way)
    toggle(state, HASH, words ^ word_on(tile, setup.seats, seat))
    state[tiles_at(setup) + penguin] = tile
    state[cells + tile] = penguin + 1
    state[own + FISH] += setup.fish[tile]
    state[LAST] = move
    state[PLY] += 1
    look_around(setup, state, seat, penguin, tile)
    next_turn(state, setup.seats)


@compiled
def target_of(setup: PenguinsSetup, way: int) -> int:
    """Return the target of a slide; ``way`` is the code of the move less the number of tiles."""
    return setup.along[setup.ways[way >> setup.shift] + (way & ((1 << setup.shift) - 1))]


@compiled
def look_around(setup: PenguinsSetup, state: State, seat: int, penguin: int, tile: int) -> None:
    """Count the free tiles ahead of a penguin on its new tile, and shorten the lines to it."""
    cells, reaches = cells_at(setup), reaches_at(setup)
    place = reaches + penguin * setup.sides
    first = setup.offsets[tile]
    sides = setup.offsets[tile + 1] - first
    gained = 0
    for side in range(sides, setup.sides):  # sides that only the previous tile had
        gained -= state[place + side]
        state[place + side] = 0
    for side in range(sides):
        way = setup.ways[first + side]
        steps = free_steps(setup.along, state, cells, way)
        end = way + steps
        other = state[cells + setup.along[end]]
        gained += steps - state[place + side]
        state[place + side] = steps
        if other > 0 and other != penguin + 1:  # the line of the other penguin ends here now
            back = reaches + (other - 1) * setup.sides + setup.facing[end]
            state[SEATS + SEAT_SLOTS * setup.owners[other - 1] + REACH] += steps - state[back]
            state[back] = steps
    state[SEATS + SEAT_SLOTS * seat + REACH] += gained


@compiled
def word_on(tile: int, seats: int, who: int) -> np.uint64:
    """Return the hash word of a tile with a seat's penguin, or of a ``MELTED`` tile."""
    return word_of(tile * (seats + 1) + who + 2)


@compiled
def next_turn(state: State, seats: int) -> None:
    """Give the turn to the next seat that can place or move; end the game if none can."""
    what = WAITING if state[UNPLACED] > 0 else REACH
    seat = state[TURN]
    for _ in range(seats):
        seat += 1
        if seat == seats:
            seat = 0
        own = SEATS + SEAT_SLOTS * seat
        if state[own + what] > 0 and not state[own + GONE]:
            state[TURN] = seat
            return
    state[TURN] = OVER


@implements(contract.drop, PenguinsSetup)
def penguins_drop(setup: PenguinsSetup, state: State, seat: int) -> None:
    own = SEATS + SEAT_SLOTS * seat
    if not state[own + GONE]:
        state[own + GONE] = 1
        state[UNPLACED] -= state[own + WAITING]
        if state[TURN] == seat:
            next_turn(state, setup.seats)


@implements(contract.scores, PenguinsSetup)
def penguins_scores(setup: PenguinsSetup, state: State, out: Scores) -> None:
    for seat in range(setup.seats):
        own = SEATS + SEAT_SLOTS * seat
        out[seat] = -1.0 if state[own + GONE] else state[own + FISH]


@implements(contract.key, PenguinsSetup)
def penguins_key(setup: PenguinsSetup, state: State) -> np.uint64:
    value = hash_at(state, HASH)
    for seat in range(setup.seats):
        own = SEATS + SEAT_SLOTS * seat
        value = scramble(value + GAMMA * np.uint64(2 * state[own + FISH] + state[own + GONE]))
    return value ^ scramble(GAMMA * np.uint64(state[TURN] + 3))
