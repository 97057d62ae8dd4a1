"""Dealing: the next tile, its seat, and the rule for a tile that fits nowhere."""

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
    """Put all tiles into the bag, except for the first tile of the table."""
    layout = setup.layout
    state[REMAINING] = setup.tiles - 1
    for kind in range(setup.kinds):
        state[layout.left + kind] = setup.counts[kind]
    for tile in range(setup.tiles - 1):
        state[layout.bag + tile] = tile
        state[layout.bag_index + tile] = tile


@compiled(inlined=True)
def draw_tile(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return the kind of a random tile in the bag; O(1)."""
    return setup.kind_of[state[setup.layout.bag + random_below(rng, state[REMAINING])]]


@compiled(inlined=True)
def take_tile(setup: CarcassonneSetup, state: State, kind: int) -> None:
    """Remove a tile of a kind from the bag; the last tile there fills the gap. O(1)."""
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
    """Tell whether a kind of tile fits on any place, newest places first; O(places) at worst."""
    first, words = 4 * kind, setup.words
    north, east, south, west = words[first], words[first + 1], words[first + 2], words[first + 3]
    for place in range(state[OPEN] - 1, -1, -1):
        record = setup.layout.places + PLACE_SLOTS * place
        required, mask = state[record + REQUIRED], state[record + MASK]
        # All four orientations without a branch: the processor cannot predict which one fits.
        upright = ((north & mask) == required) | ((south & mask) == required)
        if upright | ((east & mask) == required) | ((west & mask) == required):
            return True
    return False


@compiled
def discard_tile(setup: CarcassonneSetup, state: State) -> None:
    """Remove the dealt tile from the game."""
    kind = state[DEALT]
    toggle(state, ~np.uint64(2**24 * np.int64(kind) + state[setup.layout.left + kind]))
    state[DEALT] = NO_TILE


@compiled
def eliminate(state: State, seats: int, seat: int) -> None:
    """Eliminate a seat; if the next deal was for it, it goes to the seat after it."""
    state[SEATS + SEAT_SLOTS * seat + GONE] = 1
    state[IN_GAME] -= 1
    if state[NEXT] == seat:
        advance_seat(state, seats, seat)


@compiled
def advance_seat(state: State, seats: int, seat: int) -> None:
    """Set the seat of the next deal: the first seat after this one that is in the game."""
    for _ in range(seats):
        seat += 1
        if seat == seats:
            seat = 0
        if not state[SEATS + SEAT_SLOTS * seat + GONE]:
            break
    state[NEXT] = seat


@compiled
def deal_next(state: State) -> None:
    """Give the turn to chance; end the game if no tile remains, or only one seat is in it."""
    state[TURN] = CHANCE if state[REMAINING] > 0 and state[IN_GAME] > 1 else OVER


@compiled
def toggle(state: State, what: np.uint64) -> None:
    """Toggle an event in the hash of the state."""
    zobrist.toggle(state, HASH, scramble(GAMMA * (what + np.uint64(1))))
