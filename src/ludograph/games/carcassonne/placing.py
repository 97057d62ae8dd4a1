"""Random placements."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.features import MONASTERY
from ludograph.games.carcassonne.meeples import is_free, may_claim
from ludograph.games.carcassonne.orientations import COMPONENT_COUNT, NODE, ROTATIONS
from ludograph.games.carcassonne.setup import CHOICES, NO_VERTEX, PLACE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import DEALT, OPEN, PLACE_CELL, fits
from ludograph.games.carcassonne.tiles import CENTER
from ludograph.rules import TURN, Rng, State, compiled, random_below
from ludograph.rules.random import GAMMA, HALF, scramble

LOW = np.uint64(2**32 - 1)
"""A mask of the lower half of 64 bits."""

TRIES = 2
"""Random tries for each place and meeple option; after them all legal placements are counted."""
TRIES_AT_ONCE = 6
"""Placements tried together, without a branch between them."""


@compiled(inlined=True)
def draw_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random legal placement, all with the same probability.

    Random places, rotations and meeples are tried until all three together are legal.
    """
    orientations, kind, places = setup.orientations, state[DEALT], state[OPEN]
    turns = orientations[4 * kind, ROTATIONS]
    components, options = orientations[4 * kind, COMPONENT_COUNT], 1
    if may_claim(setup, state, state[TURN]):
        options += components + setup.features[4 * kind, MONASTERY]
    seed = rng[0]  # written back once
    for _ in range(1 + TRIES * places * options // TRIES_AT_ONCE):
        one, two = scramble(seed + GAMMA), scramble(seed + GAMMA + GAMMA)
        seed += GAMMA + GAMMA + GAMMA
        three = scramble(seed)
        # A wrong guess of the processor at a branch takes longer than all six tries.
        number = fitting_half(setup, state, kind, turns, three, three & LOW)
        number = fitting_half(setup, state, kind, turns, two, number)
        number = fitting_half(setup, state, kind, turns, one, number)
        if not fits_at(setup, state, kind, turns, number):
            continue
        record, quarters = placement_at(setup, state, turns, number)
        orientation = 4 * kind + quarters
        rng[0] = seed
        cell = state[record + PLACE_CELL]
        vertex = NO_VERTEX
        if options > 1:
            component = random_below(rng, options) - 1
            seed = rng[0]
            if component == components:
                vertex = CENTER
            elif component >= 0:
                if not is_free(setup, state, cell, orientation, component):
                    continue
                vertex = orientations[orientation, NODE + component] >> 12
        return setup.kinds + CHOICES * (4 * cell + quarters) + vertex
    rng[0] = seed
    return pick_placement(setup, state, rng)


@compiled(inlined=True)
def fitting_half(
    setup: CarcassonneSetup,
    state: State,
    kind: int,
    turns: int,
    bits: np.uint64,
    otherwise: np.uint64,
) -> np.uint64:
    """Return a half of 64 random bits whose placement fits, or ``otherwise`` if neither fits."""
    low, high = bits & LOW, bits >> HALF
    number = low if fits_at(setup, state, kind, turns, low) else otherwise
    return high if fits_at(setup, state, kind, turns, high) else number


@compiled(inlined=True)
def fits_at(
    setup: CarcassonneSetup, state: State, kind: int, turns: int, number: np.uint64
) -> bool:
    """Tell whether a kind fits at the place and in the rotation that a random number chooses."""
    record, quarters = placement_at(setup, state, turns, number)
    return fits(setup, state, record, 4 * kind + quarters)


@compiled(inlined=True)
def placement_at(
    setup: CarcassonneSetup, state: State, turns: int, number: np.uint64
) -> tuple[int, int]:
    """Return the record of a place, and the quarters of a tile, for a random number of 32 bits.

    The upper bits of the number choose the place, the lowest bits the quarters. The bias is below
    ``4 * places / 2**32``, and is not corrected.
    """
    place = int(np.int64((number * np.uint64(state[OPEN])) >> HALF))
    quarters = int(np.int64(number & np.uint64(turns - 1)))
    return setup.layout.places + PLACE_SLOTS * place, quarters


@compiled
def pick_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random legal placement by counting all of them; O(places)."""
    orientations, kind = setup.orientations, state[DEALT]
    claims = may_claim(setup, state, state[TURN])
    choice = -1
    while True:  # two passes: count the placements, then find the chosen one
        count = 0
        for place in range(state[OPEN]):
            record = setup.layout.places + PLACE_SLOTS * place
            cell = state[record + PLACE_CELL]
            for quarters in range(orientations[4 * kind, ROTATIONS]):
                orientation = 4 * kind + quarters
                if not fits(setup, state, record, orientation):
                    continue
                code = setup.kinds + CHOICES * (4 * cell + quarters)
                if count == choice:
                    return code + NO_VERTEX
                count += 1
                if claims:
                    for component in range(orientations[orientation, COMPONENT_COUNT]):
                        if is_free(setup, state, cell, orientation, component):
                            if count == choice:
                                return code + (orientations[orientation, NODE + component] >> 12)
                            count += 1
                    if setup.features[orientation, MONASTERY]:
                        if count == choice:
                            return code + CENTER
                        count += 1
        choice = random_below(rng, count)
