"""Dealing: the next tile, its player, and the rule for a tile without a place."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.setup import PLACE_SLOTS, SEAT_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import (
    DEALT,
    GONE,
    HASH,
    IN_GAME,
    MASK,
    NEXT,
    NO_TILE,
    OPEN,
    REMAINING,
    REQUIRED,
    SEATS,
)
from ludograph.rules import CHANCE, OVER, TURN, Rng, State, compiled, random_below
from ludograph.rules.kernels import zobrist
from ludograph.rules.random import GAMMA, scramble


@compiled
def fill_bag(setup: CarcassonneSetup, state: State) -> None:
    """Put all tiles into the bag, but for the first one, which is not dealt."""
    layout = setup.layout
    state[REMAINING] = setup.tiles - 1
    for kind in range(setup.kinds):
        state[layout.left + kind] = setup.counts[kind]
    for tile in range(setup.tiles - 1):
        state[layout.bag + tile] = tile
        state[layout.bag_index + tile] = tile


@compiled(inlined=True)
def draw_tile(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return the kind of a random tile of those that are left; O(1)."""
    return setup.kind_of[state[setup.layout.bag + random_below(rng, state[REMAINING])]]


@compiled(inlined=True)
def take_tile(setup: CarcassonneSetup, state: State, kind: int) -> None:
    """Take a tile of a kind out of the bag; the last tile there fills the gap. O(1)."""
    layout = setup.layout
    left, remaining = state[layout.left + kind] - 1, state[REMAINING] - 1
    state[layout.left + kind] = left
    state[REMAINING] = remaining
    index = state[layout.bag_index + setup.first_of[kind] + left]
    last = state[layout.bag + remaining]
    state[layout.bag + index] = last
    state[layout.bag_index + last] = index


@compiled(inlined=True)
def fits_somewhere(setup: CarcassonneSetup, state: State, kind: int) -> bool:
    """Tell whether a kind of tile fits anywhere; O(places) at worst, the newest ones first."""
    first, words = 4 * kind, setup.words
    north, east, south, west = words[first], words[first + 1], words[first + 2], words[first + 3]
    for place in range(state[OPEN] - 1, -1, -1):
        record = setup.layout.places + PLACE_SLOTS * place
        required, mask = state[record + REQUIRED], state[record + MASK]
        # All four at once: which of them fits cannot be foreseen.
        upright = ((north & mask) == required) | ((south & mask) == required)
        if upright | ((east & mask) == required) | ((west & mask) == required):
            return True
    return False


@compiled
def discard_tile(setup: CarcassonneSetup, state: State) -> None:
    """Take the tile that is dealt out of the game."""
    kind = state[DEALT]
    toggle(state, ~np.uint64(2**24 * np.int64(kind) + state[setup.layout.left + kind]))
    state[DEALT] = NO_TILE


@compiled
def eliminate(state: State, seats: int, seat: int) -> None:
    """Take a seat out of the game; the next one is dealt to if it was its turn."""
    state[SEATS + SEAT_SLOTS * seat + GONE] = 1
    state[IN_GAME] -= 1
    if state[NEXT] == seat:
        advance_seat(state, seats, seat)


@compiled
def advance_seat(state: State, seats: int, seat: int) -> None:
    """Deal to the next seat in the game after this one."""
    for _ in range(seats):
        seat += 1
        if seat == seats:
            seat = 0
        if not state[SEATS + SEAT_SLOTS * seat + GONE]:
            break
    state[NEXT] = seat


@compiled
def deal_next(state: State) -> None:
    """Let chance deal the next tile; end the game if there is none, or only one seat is left."""
    state[TURN] = CHANCE if state[REMAINING] > 0 and state[IN_GAME] > 1 else OVER


@compiled
def toggle(state: State, what: np.uint64) -> None:
    """Put something into the hash, or take it out."""
    zobrist.toggle(state, HASH, scramble(GAMMA * (what + np.uint64(1))))
