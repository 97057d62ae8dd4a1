"""Values of positions of Penguins: fish, territories, numbers of moves; leaf values of searches.

The territory of a seat is the set of free tiles to which its penguins need the fewest steps. A tile
that two seats reach in as many steps belongs to no territory, as the turn says little about which
seat gets it. A breadth-first search from all penguins at once finds the territories.

Alpha-beta search uses the evaluation of the position itself. Monte Carlo search plays a few random
plies first. Random players waste most of their fish, so the results of games played to the end say
less about a position than the territories do. Lorentz found the same for Amazons, another game of
territory ("Amazons discover Monte-Carlo", 2008).
"""

from __future__ import annotations

from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    MELTED,
    NOWHERE,
    REACH,
    SEAT_SLOTS,
    SEATS,
    UNPLACED,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.setup import MAX_SEATS, PenguinsSetup
from ludograph.games.penguins.tile_sets import add_territory_of_sets
from ludograph.rules import OVER, TURN, Rng, Scores, State, compiled, contract, implements
from ludograph.search.mcts.hints import leaf_value

TERRITORY = 0.8
"""The value of a fish in a seat's territory."""

MOBILITY = 0.3
"""The value of each possible move of a seat."""

QUEUED = MELTED - 1
"""The base of the cell of a queued tile. Subtracted from it are: the owner in the low bits, the
stage, and one more than the next tile. The water is the head of the queue, with stage 0."""

SHARED = MAX_SEATS
"""The owner of a tile that several seats reach in as many steps."""

STAGE, NEXT = 7, 9
"""The first bits of the stage and of the next tile."""

OWNERS, STAGES = (1 << STAGE) - 1, 3
"""The bits of the owner, and of a stage: 1, 2 or 3, the number of steps modulo 3."""


@implements(contract.evaluate, PenguinsSetup)
def penguins_evaluate(setup: PenguinsSetup, state: State, out: Scores) -> None:
    """Write the fish of each seat, plus the values of its territory and of its moves; O(slots)."""
    contract.scores(setup, state, out)
    if state[TURN] != OVER:
        add_territory(setup, state, TERRITORY, out)
        add_mobility(setup, state, MOBILITY, out)


@compiled
def add_mobility(setup: PenguinsSetup, state: State, weight: float, out: Scores) -> None:
    """Add the number of moves of each seat, times a weight, to its value."""
    for seat in range(setup.seats):
        own = SEATS + SEAT_SLOTS * seat
        if not state[own + GONE]:
            out[seat] += weight * state[own + REACH]


@compiled
def add_territory(setup: PenguinsSetup, state: State, weight: float, out: Scores) -> None:
    """Add the fish in the territory of each seat, times a weight, to its value.

    The search uses the cells of the free tiles as memory, and restores them.
    """
    cells, tiles = cells_at(setup), tiles_at(setup)
    water = setup.fish.size
    state[cells + water] = QUEUED
    tail = water
    for seat in range(setup.seats):
        if not state[SEATS + SEAT_SLOTS * seat + GONE]:
            for penguin in range(seat * setup.penguins, (seat + 1) * setup.penguins):
                tile = state[tiles + penguin]
                if tile != NOWHERE:
                    tail = claim(setup, state, tile, seat, 1, tail)
    tile = ((QUEUED - state[cells + water]) >> NEXT) - 1
    while tile >= 0:
        entry = QUEUED - state[cells + tile]
        owner = entry & OWNERS
        if owner != SHARED:
            out[owner] += weight * setup.fish[tile]
        tail = claim(setup, state, tile, owner, ((entry >> STAGE) & STAGES) % STAGES + 1, tail)
        tile = ((QUEUED - state[cells + tile]) >> NEXT) - 1
    for tile in range(water):
        if state[cells + tile] <= QUEUED:
            state[cells + tile] = FREE
    state[cells + water] = MELTED


@compiled(inlined=True)
def claim(setup: PenguinsSetup, state: State, tile: int, owner: int, stage: int, tail: int) -> int:
    """Queue the free tiles around a tile for an owner after ``tail``; return the new last tile.

    A tile that another owner has claimed at the same stage becomes shared.
    """
    cells = cells_at(setup)
    for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
        near = setup.beyond[slot]
        cell = state[cells + near]
        if cell == FREE:
            state[cells + near] = QUEUED - owner - (stage << STAGE)
            state[cells + tail] -= (near + 1) << NEXT
            tail = near
        elif cell <= QUEUED:
            entry = QUEUED - cell
            other = entry & OWNERS
            if other != owner and (entry >> STAGE) & STAGES == stage:
                state[cells + near] -= SHARED - other
    return tail


PLIES = 2
"""The random moves before the evaluation; unplaced penguins are placed before them."""


@implements(contract.evaluate, PenguinsSearchSetup)
def search_evaluate(setup: PenguinsSearchSetup, state: State, out: Scores) -> None:
    """Write the same values as the evaluation of the game; O(tiles) if the board has tile sets."""
    base, sets = setup.base, setup.sets
    if sets.near.size == 0:
        contract.evaluate(base, state, out)
        return
    contract.scores(base, state, out)
    if state[TURN] != OVER:
        add_territory_of_sets(base, sets, state, TERRITORY, out)
        add_mobility(base, state, MOBILITY, out)


@implements(leaf_value, PenguinsSearchSetup)
def penguins_leaf_value(setup: PenguinsSearchSetup, state: State, rng: Rng, out: Scores) -> None:
    plies = PLIES + state[UNPLACED]
    while state[TURN] != OVER and plies > 0:
        contract.play(setup.base, state, contract.sample_move(setup.base, state, rng))
        plies -= 1
    search_evaluate(setup, state, out)
