"""The evaluation of a position of Penguins: the fish, and the tiles that each player reaches first.

Every free tile goes to the seat whose penguin needs the fewest steps to it; of those that need as
many, to the one that moves sooner. That is a breadth-first search from all penguins at once.
"""

from __future__ import annotations

from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    MELTED,
    NOWHERE,
    SEAT_SLOTS,
    SEATS,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.setup import MAX_SEATS, PenguinsSetup
from ludograph.rules import OVER, TURN, Scores, State, compiled, contract, implements

TERRITORY = 0.5
"""What a fish is worth on a tile that a seat is the first to reach."""

QUEUED = MELTED - 1
"""The cell of a free tile in the queue of the search, less its seat and ``MAX_SEATS`` times one
more than the next tile. The water comes before the first."""


@implements(contract.evaluate, PenguinsSetup)
def penguins_evaluate(setup: PenguinsSetup, state: State, out: Scores) -> None:
    """Write the fish of each seat, and a part of those that it can reach first; O(slots)."""
    contract.scores(setup, state, out)
    if state[TURN] != OVER:
        add_territory(setup, state, TERRITORY, out)


@compiled
def add_territory(setup: PenguinsSetup, state: State, weight: float, out: Scores) -> None:
    """Add to each seat's value the fish on the tiles that it reaches first, by their weight.

    The search takes its memory from the cells of the free tiles and leaves them as they were.
    """
    cells, tiles = cells_at(setup), tiles_at(setup)
    water = setup.fish.size
    state[cells + water] = QUEUED
    last = water
    for turn in range(setup.seats):
        seat = (state[TURN] + turn) % setup.seats
        if not state[SEATS + SEAT_SLOTS * seat + GONE]:
            for penguin in range(seat * setup.penguins, (seat + 1) * setup.penguins):
                tile = state[tiles + penguin]
                if tile != NOWHERE:
                    last = claim(setup, state, tile, seat, last)
    tile = (QUEUED - state[cells + water]) // MAX_SEATS - 1
    while tile >= 0:
        seat = (QUEUED - state[cells + tile]) % MAX_SEATS
        out[seat] += weight * setup.fish[tile]
        last = claim(setup, state, tile, seat, last)
        tile = (QUEUED - state[cells + tile]) // MAX_SEATS - 1
    for tile in range(water):
        if state[cells + tile] <= QUEUED:
            state[cells + tile] = FREE
    state[cells + water] = MELTED


@compiled(inlined=True)
def claim(setup: PenguinsSetup, state: State, tile: int, seat: int, last: int) -> int:
    """Queue the free tiles around a tile for a seat, behind ``last``; return the new last."""
    cells = cells_at(setup)
    for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
        near = setup.beyond[slot]
        if state[cells + near] == FREE:
            state[cells + near] = QUEUED - seat
            state[cells + last] -= MAX_SEATS * (near + 1)
            last = near
    return last
