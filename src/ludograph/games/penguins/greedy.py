"""The greedy move: a slide to a tile with most fish, or a placement beside most fish."""

from __future__ import annotations

from ludograph.games.penguins.rules import FREE, UNPLACED, cells_at, reaches_at, tiles_at
from ludograph.games.penguins.setup import MOST_FISH, PenguinsSetup
from ludograph.rules import TURN, Rng, State, compiled, random_below


@compiled
def greedy_move(setup: PenguinsSetup, state: State, rng: Rng) -> int:
    """Return the best placement or slide of the seat to move, at random among equal ones."""
    if state[UNPLACED] > 0:
        return best_placement(setup, state, rng)
    return richest_move(setup, state, rng)


@compiled
def richest_move(setup: PenguinsSetup, state: State, rng: Rng) -> int:
    """Return a slide to a tile with most fish; O(moves)."""
    tiles, reaches = tiles_at(setup), reaches_at(setup)
    best, found, ties = -1, 0, 0
    first = state[TURN] * setup.penguins
    for penguin in range(first, first + setup.penguins):
        for side in range(setup.sides):
            slot = setup.offsets[state[tiles + penguin]] + side
            for steps in range(state[reaches + penguin * setup.sides + side]):
                fish = setup.fish[setup.along[setup.ways[slot] + steps]]
                if fish > found:
                    found, ties = fish, 0
                if fish == found:
                    ties += 1
                    if random_below(rng, ties) == 0:
                        best = setup.fish.size + (slot << setup.shift) + steps
    return best


@compiled
def best_placement(setup: PenguinsSetup, state: State, rng: Rng) -> int:
    """Return a placement beside most free tiles with three fish, then with two; O(slots)."""
    cells = cells_at(setup)
    best, found, ties = -1, -1, 0
    for place in range(setup.ones.size):
        tile = setup.ones[place]
        if state[cells + tile] == FREE:
            value = 0
            for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
                near = setup.beyond[slot]
                if state[cells + near] == FREE and setup.fish[near] > 1:
                    value += setup.sides + 1 if setup.fish[near] == MOST_FISH else 1
            if value > found:
                found, ties = value, 0
            if value == found:
                ties += 1
                if random_below(rng, ties) == 0:
                    best = tile
    return best
