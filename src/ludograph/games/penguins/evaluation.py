"""Values of positions of Penguins: fish, territories, numbers of moves; leaf values of searches.

The territory of a seat is the set of free tiles to which its penguins need the fewest steps. A tile
that two seats reach in as many steps belongs to no territory, as the turn says little about which
seat gets it. A breadth-first search from all penguins at once finds the territories.

Alpha-beta search uses the evaluation of the position itself. Monte Carlo search plays a few random
plies first. Random players waste most of their fish, so the results of games played to the end say
less about a position than the territories do. Lorentz found the same for Amazons, another game of
territory ("Amazons discover Monte-Carlo", 2008).

On boards of at most 64 tiles a set of tiles is one word. All players take a step at once: the free
tiles around a seat's reached tiles are one set. So the evaluation visits each tile once, while one
with a queue visits each side of each tile.

Searches have a setup of their own: the board as tile sets, a memo of isolated regions. The rules
are those of the game; proven scores and bounds come from :mod:`ludograph.games.penguins.isolated`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    NOWHERE,
    REACH,
    SEAT_SLOTS,
    SEATS,
    UNPLACED,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.setup import MAX_SEATS, IntArray, PenguinsSetup
from ludograph.rules import OVER, TURN, Rng, Scores, State, compiled, contract, fill, implements
from ludograph.rules.kernels.bits import NONE, ONE
from ludograph.rules.kernels.growth import bit_planes, race, reachable, weight
from ludograph.rules.kernels.sets import (
    WORD,
    Set,
    Words,
    common,
    get,
    is_empty,
    make_rows,
    meets,
    union,
    without,
)
from ludograph.search.mcts.hints import leaf_value
from ludograph.search.mcts.options import SearchOptions

EFFORT = 2000
"""The moves and undone moves within a proof, at most."""

MEMO = 2**16
"""The number of entries of the memo."""

TUNED = SearchOptions(c=0.3, margin_weight=0.35, margin_cap=20.0)
"""Leaves are estimates, so the margin counts beside the win. A weight of 0.7 was worse
with two seats (0.4 won 14.5 of 24 games against it) and with three (0.3 beat 62 % of them)."""


class TileSets(NamedTuple):
    """The board as sets of tiles; empty arrays if it has more than 64 tiles."""

    near: Words
    """``uint64[n, 1]``: the tiles around each tile."""
    fish: Words
    """``uint64[bits, 1]``: the tiles whose number of fish has each bit."""


def make_tile_sets(setup: PenguinsSetup) -> TileSets:
    """Return the tile sets of a board."""
    n = setup.fish.size if setup.fish.size <= WORD else 0
    tiles = np.repeat(np.arange(n), np.diff(setup.offsets)[:n])
    others = setup.beyond[: tiles.size]
    is_tile = others < n  # else it is the water
    near = make_rows(tiles[is_tile], others[is_tile], n, 1)
    return TileSets(near, bit_planes(setup.fish[:n], 1))


@compiled(inlined=True)
def free_tiles(setup: PenguinsSetup, state: State) -> Set:
    """Return the set of free tiles."""
    free = NONE
    cells = cells_at(setup)
    for tile in range(cells + setup.fish.size - 1, cells - 1, -1):
        free = (free << ONE) | (ONE if state[tile] == FREE else NONE)
    return (free,)


@compiled(inlined=True)
def around_penguins(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> Set:
    """Return the tiles around a seat's penguins; the empty set if the seat was eliminated."""
    found = EMPTY
    if not state[SEATS + SEAT_SLOTS * seat + GONE]:
        first = tiles_at(setup) + seat * setup.penguins
        for slot in range(first, first + setup.penguins):
            if state[slot] != NOWHERE:
                found = union(found, get(sets.near[state[slot]], found))
    return found


@compiled
def add_territory_of_sets(
    setup: PenguinsSetup, sets: TileSets, state: State, value: float, out: Scores
) -> None:
    """Do the same as :func:`ludograph.games.penguins.evaluation.add_territory`; O(tiles).

    Each seat runs a race against all later ones. The next seat runs within what these have won: the
    shortest ways to a tile of a territory are in this territory.
    """
    left = free_tiles(setup, state)
    last = setup.seats - 1
    for seat in range(last):
        others = EMPTY
        for later in range(seat + 1, setup.seats):
            others = union(others, around_penguins(setup, sets, state, later))
        reach = around_penguins(setup, sets, state, seat)
        own, other = race(sets.near, reach, others, left, left)
        out[seat] += value * weight(sets.fish, without(own, other))
        left = without(other, own)
    out[last] += value * weight(sets.fish, left)


@compiled
def is_contested(setup: PenguinsSetup, sets: TileSets, state: State) -> bool:
    """Tell whether penguins of two seats can reach the same free tile."""
    free = free_tiles(setup, state)
    others = common(around_penguins(setup, sets, state, 0), free)
    for seat in range(1, setup.seats):
        first = common(around_penguins(setup, sets, state, seat), free)
        if meets(reachable(sets.near, first, free), others):
            return True
        others = union(others, first)
    return False


@compiled
def has_island(setup: PenguinsSetup, sets: TileSets, state: State, seat: int) -> bool:
    """Tell whether free tiles beside a seat's penguins are out of reach of all other seats."""
    free = free_tiles(setup, state)
    own = common(around_penguins(setup, sets, state, seat), free)
    others = EMPTY
    for other in range(setup.seats):
        if other != seat:
            others = union(others, around_penguins(setup, sets, state, other))
    return not is_empty(without(own, reachable(sets.near, others, free)))


TERRITORY = 0.8
"""The value of a fish in a seat's territory."""

MOBILITY = 0.3
"""The value of each possible move of a seat."""

NOBODY, SHARED = -1, MAX_SEATS
"""The owner of a tile that is not reached, and of one that several seats reach in as many steps."""


class PenguinsSearchSetup(NamedTuple):
    """The setup of one search of a game of Penguins; the search's threads share it."""

    base: PenguinsSetup
    effort: int
    """The moves and undone moves in a proof of a region, at most."""
    sets: TileSets
    """The board as tile sets, for evaluations."""
    memo: npt.NDArray[np.uint64]
    """``uint64[any]``: the proven results of isolated regions, 0 at first. They only save time, and
    an entry is written as a whole."""


def make_search_setup(
    setup: PenguinsSetup, *, effort: int = EFFORT, memo: int = MEMO
) -> PenguinsSearchSetup:
    """Return a Setup with a new memo; states are those of the game's own Setup."""
    return PenguinsSearchSetup(setup, effort, make_tile_sets(setup), np.zeros(memo, np.uint64))


EMPTY: Set = (NONE,)


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


@compiled(allocates=True)  # the visits of the tiles take far more time
def add_territory(setup: PenguinsSetup, state: State, weight: float, out: Scores) -> None:
    """Add the fish in the territory of each seat, times a weight, to its value; O(slots)."""
    tiles, n = tiles_at(setup), setup.fish.size
    memory = np.empty((3, n), np.int32)
    owners, steps, queue = memory[0], memory[1], memory[2]
    fill(owners, NOBODY)
    tail = head = 0
    for penguin in range(setup.owners.size):
        seat, tile = setup.owners[penguin], state[tiles + penguin]
        if tile != NOWHERE and not state[SEATS + SEAT_SLOTS * seat + GONE]:
            tail = claim(setup, state, tile, seat, 1, memory, tail)
    while head < tail:
        tile = queue[head]
        head += 1
        owner = owners[tile]
        if owner != SHARED:
            out[owner] += weight * setup.fish[tile]
        tail = claim(setup, state, tile, owner, steps[tile] + 1, memory, tail)


@compiled(inlined=True)
def claim(
    setup: PenguinsSetup,
    state: State,
    tile: int,
    owner: int,
    step: int,
    memory: IntArray,
    tail: int,
) -> int:
    """Queue the free tiles around a tile for an owner; return the end of the queue.

    A tile that another owner has claimed in the same step becomes shared. ``memory`` is
    ``int32[3, n]``: the owner and the step of each tile, and the queue.
    """
    cells = cells_at(setup)
    owners, steps, queue = memory[0], memory[1], memory[2]
    for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
        near = setup.beyond[slot]
        if state[cells + near] == FREE:
            if owners[near] == NOBODY:
                owners[near], steps[near] = owner, step
                queue[tail] = near
                tail += 1
            elif owners[near] != owner and steps[near] == step:
                owners[near] = SHARED
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
