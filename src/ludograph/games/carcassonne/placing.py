"""Random placements."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.forms import COUNT, FORM, NODE, WORD, IntArray
from ludograph.games.carcassonne.meeples import is_claimed, may_claim
from ludograph.games.carcassonne.setup import CHOICES, NO_VERTEX, PLACE_SLOTS, Ground
from ludograph.games.carcassonne.table import DEALT, DEMANDS, MATTERS, OPEN, PLACE_CELL, Index
from ludograph.rules import TURN, Rng, State, compiled, random_below
from ludograph.rules.random import HALF, random_bits

TRIES = 2
"""A placement is tried so often for each place; then all legal ones are counted."""


@compiled
def draw_placement(
    state: State, forms: IntArray, ground: Ground, kinds: int, mode: int, rng: Rng
) -> int:
    """Return a random legal placement, each as likely as any other.

    Places, turns and meeples are tried until all three go together.
    """
    kind = int(np.int64(state[DEALT]))
    turns = int(np.int64(forms[Index(4 * FORM * kind + COUNT)])) >> 4
    places = int(np.int64(state[OPEN]))
    options = 1
    if may_claim(state, mode, int(np.int64(state[TURN]))):
        options += int(np.int64(forms[Index(4 * FORM * kind + COUNT)])) & 15
    for _ in range(TRIES * places * options):
        bits = random_bits(rng)
        place = int(np.int64(((bits >> HALF) * np.uint64(places)) >> HALF))
        quarters = int(np.int64(bits & np.uint64(turns - 1)))
        record = ground.places + PLACE_SLOTS * place
        form = 4 * kind + quarters
        word = forms[Index(FORM * form + WORD)]
        if (word & state[Index(record + MATTERS)]) != state[Index(record + DEMANDS)]:
            continue
        cell = int(np.int64(state[Index(record + PLACE_CELL)]))
        vertex = NO_VERTEX
        if options > 1:
            component = random_below(rng, options) - 1
            if component >= 0:
                if is_claimed(state, forms, ground, cell, form, component):
                    continue
                vertex = int(np.int64(forms[Index(FORM * form + NODE + component)])) >> 12
        return kinds + CHOICES * (4 * cell + quarters) + vertex
    return pick_placement(state, forms, ground, kinds, mode, rng)


@compiled
def pick_placement(
    state: State, forms: IntArray, ground: Ground, kinds: int, mode: int, rng: Rng
) -> int:
    """Return a random legal placement, having counted all; O(places)."""
    kind = int(np.int64(state[DEALT]))
    claims = may_claim(state, mode, int(np.int64(state[TURN])))
    turns = int(np.int64(forms[4 * FORM * kind + COUNT])) >> 4
    choice = -1
    while True:  # twice: to count them, and to find the one that is chosen
        count = 0
        for place in range(state[OPEN]):
            record = ground.places + PLACE_SLOTS * place
            cell = int(np.int64(state[record + PLACE_CELL]))
            for quarters in range(turns):
                form = 4 * kind + quarters
                shape = FORM * form
                if (forms[shape + WORD] & state[record + MATTERS]) != state[record + DEMANDS]:
                    continue
                code = kinds + CHOICES * (4 * cell + quarters)
                if count == choice:
                    return code + NO_VERTEX
                count += 1
                if claims:
                    for component in range(int(np.int64(forms[shape + COUNT])) & 15):
                        if not is_claimed(state, forms, ground, cell, form, component):
                            if count == choice:
                                return code + (int(np.int64(forms[shape + NODE + component])) >> 12)
                            count += 1
        choice = random_below(rng, count)
