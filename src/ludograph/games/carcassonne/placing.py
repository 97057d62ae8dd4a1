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

TRIES = 2
"""A placement is tried so often for each place; then all legal ones are counted."""


@compiled(inlined=True)
def draw_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random legal placement, each as likely as any other.

    Places, turns and meeples are tried until all three go together.
    """
    orientations, kind, places = setup.orientations, state[DEALT], state[OPEN]
    turns = orientations[4 * kind, ROTATIONS]
    components, options = orientations[4 * kind, COMPONENT_COUNT], 1
    if may_claim(setup, state, state[TURN]):
        options += components + setup.features[4 * kind, MONASTERY]
    seed = rng[0]  # written back once: a try is then little more than two loads
    for _ in range(TRIES * places * options):
        seed += GAMMA
        bits = scramble(seed)
        place = np.int64(((bits >> HALF) * np.uint64(places)) >> HALF)
        quarters = np.int64(bits & np.uint64(turns - 1))
        record = setup.layout.places + PLACE_SLOTS * place
        orientation = 4 * kind + quarters
        if not fits(setup, state, int(record), orientation):
            continue
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


@compiled
def pick_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random legal placement, having counted all; O(places)."""
    orientations, kind = setup.orientations, state[DEALT]
    claims = may_claim(setup, state, state[TURN])
    choice = -1
    while True:  # twice: to count them, and to find the one that is chosen
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
