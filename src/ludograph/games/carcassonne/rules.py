"""The rules of Carcassonne.

Chance deals a tile, then a seat places it. The code of a deal is the number of a kind of tiles. The
codes of placements follow, cell by cell, so a code means the same in every state.

A tile fits on a place if its word has the bits that the place requires. A random placement is drawn
by trying random places, orientations and meeples until one is legal, so all legal placements are
equally likely.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.official import complete, count_end
from ludograph.games.carcassonne.placing import (
    WRITE,
    claim,
    close,
    draw_placement,
    list_placements,
)
from ludograph.games.carcassonne.setup import (
    CHOICES,
    COMPONENT,
    NO_VERTEX,
    PLACE_SLOTS,
    SEAT_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
)
from ludograph.games.carcassonne.table import (
    DEALT,
    GONE,
    HAND,
    HASH,
    IN_GAME,
    LAID,
    LAST,
    MASK,
    MEEPLE,
    NEXT,
    NO_TILE,
    NODES,
    OPEN,
    POINTS,
    REMAINING,
    REQUIRED,
    SEATS,
    lay,
)
from ludograph.games.carcassonne.tiles import CENTER
from ludograph.rules import (
    CHANCE,
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
    implements,
    random_below,
)
from ludograph.rules.kernels import zobrist
from ludograph.rules.kernels.zobrist import hash_at
from ludograph.rules.random import GAMMA, scramble


@implements(contract.info, CarcassonneSetup)
def carcassonne_info(setup: CarcassonneSetup) -> GameInfo:
    return GameInfo(
        state_size=setup.layout.size,
        seats=setup.seats,
        move_capacity=setup.capacity,
        ply_bound=2 * setup.tiles - 2,
        lowest_score=-1.0,
        highest_score=13.0 * 8.0 * setup.tiles,
    )


@implements(contract.start, CarcassonneSetup)
def carcassonne_start(setup: CarcassonneSetup, state: State) -> None:
    for slot in range(state.size):
        state[slot] = 0
    state[TURN] = CHANCE
    state[DEALT] = NO_TILE
    state[LAST] = -1
    state[IN_GAME] = setup.seats
    state[NODES] = setup.layout.nodes
    for seat in range(setup.seats):
        state[SEATS + SEAT_SLOTS * seat + HAND] = setup.meeples
    fill_bag(setup, state)
    layout = setup.layout
    orientation = 4 * setup.kinds
    cell = layout.reach * layout.stride + layout.reach
    first, unjoined = lay(setup, state, cell, orientation)
    if setup.official:
        complete(setup, state, orientation, first, cell)
    else:
        close(setup, state, -1, orientation, first, unjoined)


@implements(contract.legal_moves, CarcassonneSetup)
def carcassonne_legal_moves(setup: CarcassonneSetup, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] == CHANCE:
        for kind in range(setup.kinds):
            if state[setup.layout.left + kind] > 0:
                out[count] = kind
                count += 1
    elif state[TURN] != OVER:
        count = list_placements(setup, state, out, WRITE)
    return count


@implements(contract.weights, CarcassonneSetup)
def carcassonne_weights(
    setup: CarcassonneSetup, state: State, outcomes: Moves, out: Scores
) -> None:
    for index in range(outcomes.size):
        out[index] = state[setup.layout.left + outcomes[index]] / state[REMAINING]


@implements(contract.sample_move, CarcassonneSetup)
def carcassonne_sample_move(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    if state[TURN] == CHANCE:
        return draw_tile(setup, state, rng)
    return draw_placement(setup, state, rng)


@implements(contract.play, CarcassonneSetup)
def carcassonne_play(setup: CarcassonneSetup, state: State, move: int) -> None:
    state[PLY] += 1
    if move < setup.kinds:
        deal(setup, state, move)
    else:
        place_tile(setup, state, move)
    if setup.official and state[TURN] == OVER:
        count_end(setup, state)


@compiled(inlined=True)
def deal(setup: CarcassonneSetup, state: State, kind: int) -> None:
    """Deal a tile of a kind to the next seat; discard a tile that fits nowhere.

    Without ``setup.discard`` the seat of such a tile is eliminated.
    """
    take_tile(setup, state, kind)
    state[DEALT] = kind
    state[TURN] = state[NEXT]
    if not fits_somewhere(setup, state, kind):
        discard_tile(setup, state)
        if not setup.discard:
            eliminate(state, setup.seats, state[NEXT])
        deal_next(state)


@compiled(inlined=True)
def place_tile(setup: CarcassonneSetup, state: State, move: int) -> None:
    """Place the dealt tile, and put a meeple on it if the move has one."""
    seat, kind = state[TURN], state[DEALT]
    where, vertex = (move - setup.kinds) // CHOICES, (move - setup.kinds) % CHOICES
    orientation = 4 * kind + (where & 3)
    first, unjoined = lay(setup, state, where >> 2, orientation)
    who = 0
    if vertex != NO_VERTEX:
        if setup.official and vertex == CENTER:
            state[SEATS + SEAT_SLOTS * seat + HAND] -= 1
        else:
            component = setup.orientations[orientation, COMPONENT + vertex]
            claim(setup, state, seat, first + component * setup.layout.width)
        record = setup.layout.tiles + TILE_SLOTS * (state[LAID] - 1)
        state[record + MEEPLE] = 1 + 13 * seat + vertex
        who = 1 + seat
    if setup.official:
        complete(setup, state, orientation, first, where >> 2)
    else:
        close(setup, state, seat, orientation, first, unjoined)
    toggle(state, np.uint64(move) * np.uint64(2**24) + np.uint64(128 * kind + who))
    state[LAST] = move
    state[DEALT] = NO_TILE
    advance_seat(state, setup.seats, seat)
    deal_next(state)


@implements(contract.drop, CarcassonneSetup)
def carcassonne_drop(setup: CarcassonneSetup, state: State, seat: int) -> None:
    if state[TURN] == OVER or state[SEATS + SEAT_SLOTS * seat + GONE]:
        return
    if state[TURN] == seat:
        discard_tile(setup, state)
        eliminate(state, setup.seats, seat)
        deal_next(state)
    else:
        eliminate(state, setup.seats, seat)
        if state[IN_GAME] <= 1:
            state[DEALT] = NO_TILE
            state[TURN] = OVER
    if setup.official and state[TURN] == OVER:
        count_end(setup, state)


@implements(contract.scores, CarcassonneSetup)
def carcassonne_scores(setup: CarcassonneSetup, state: State, out: Scores) -> None:
    for seat in range(setup.seats):
        own = SEATS + SEAT_SLOTS * seat
        out[seat] = -1.0 if state[own + GONE] else state[own + POINTS]


@implements(contract.key, CarcassonneSetup)
def carcassonne_key(setup: CarcassonneSetup, state: State) -> np.uint64:
    value = hash_at(state, HASH)
    for slot in range(SEATS, SEATS + SEAT_SLOTS * setup.seats):
        value = scramble(value + GAMMA * np.uint64(state[slot] + 1))
    turn = np.uint64((state[TURN] + 3) * 128 + state[NEXT])
    return value ^ scramble(GAMMA * (turn + np.uint64(2**16) * np.uint64(state[DEALT] + 2)))


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
