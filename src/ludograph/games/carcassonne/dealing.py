"""Dealing: which tile, to whom, and what becomes of one that has no place."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.forms import COUNT, FORM, WORD, IntArray
from ludograph.games.carcassonne.setup import PLACE_SLOTS, SEAT_SLOTS, Ground
from ludograph.games.carcassonne.table import (
    DEALT,
    DEMANDS,
    GONE,
    HASH_HIGH,
    HASH_LOW,
    IN_GAME,
    MATTERS,
    NEXT,
    NO_TILE,
    OPEN,
    REST,
    SEATS,
    Index,
)
from ludograph.rules import CHANCE, OVER, TURN, Rng, State, compiled, random_below
from ludograph.rules.random import GAMMA, HALF, scramble


@compiled
def draw_tile(
    state: State, forms: IntArray, ground: Ground, kinds: int, patience: int, rng: Rng
) -> int:
    """Return the kind of a random tile of those that are left.

    Of few kinds the tiles left are summed up, without a branch that depends on them. Of many, any
    tile of the deck is drawn, again if it is not left; O(1) until few are left.
    """
    rest = int(np.int64(state[REST]))
    bag = ground.sides + 8
    tiles = (forms.size - bag) >> 1
    if tiles <= patience * rest:
        while True:
            tile = bag + 2 * random_below(rng, tiles)
            kind = int(np.int64(forms[Index(tile)]))
            if forms[Index(tile + 1)] < state[Index(ground.left + kind)]:
                return kind
    choice = random_below(rng, rest)
    left = np.uint64(ground.left)
    below = 0
    passed = 0
    for kind in range(np.uint64(kinds)):
        below += int(np.int64(state[left + np.uint64(kind)]))
        passed += 1 if below <= choice else 0
    return passed


@compiled
def has_place(state: State, forms: IntArray, places: int, kind: int) -> bool:
    """Tell whether a kind of tile fits anywhere; O(places) at worst, the newest ones first."""
    turns = int(np.int64(forms[Index(4 * FORM * kind + COUNT)])) >> 4
    for place in range(state[OPEN] - 1, -1, -1):
        record = places + PLACE_SLOTS * place
        demands, matters = state[Index(record + DEMANDS)], state[Index(record + MATTERS)]
        for quarters in range(turns):
            if (forms[Index(FORM * (4 * kind + quarters) + WORD)] & matters) == demands:
                return True
    return False


@compiled
def put_away(state: State, left: int) -> None:
    """Take the tile that is dealt out of the game."""
    kind = int(np.int64(state[DEALT]))
    rest = int(np.int64(state[left + kind]))
    toggle(state, ~np.uint64(2**24 * kind + rest))
    state[DEALT] = NO_TILE


@compiled
def eliminate(state: State, seats: int, seat: int) -> None:
    """Take a seat out of the game; the next one is dealt to if it was its turn."""
    state[Index(SEATS + SEAT_SLOTS * seat + GONE)] = 1
    state[IN_GAME] -= 1
    if state[NEXT] == seat:
        turn_to_next(state, seats, seat)


@compiled
def turn_to_next(state: State, seats: int, seat: int) -> None:
    """Deal to the next seat in the game after this one."""
    for _ in range(seats):
        seat += 1
        if seat == seats:
            seat = 0
        if not state[Index(SEATS + SEAT_SLOTS * seat + GONE)]:
            break
    state[NEXT] = seat


@compiled
def deal_next(state: State) -> None:
    """Let chance deal the next tile; end the game if there is none, or only one seat is left."""
    state[TURN] = CHANCE if state[REST] > 0 and state[IN_GAME] > 1 else OVER


@compiled
def toggle(state: State, what: np.uint64) -> None:
    """Put something into the hash, or take it out."""
    word = scramble(GAMMA * (what + np.uint64(1)))
    state[HASH_LOW] ^= np.int32(np.uint32(word))
    state[HASH_HIGH] ^= np.int32(np.uint32(word >> HALF))
