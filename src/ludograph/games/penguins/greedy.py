"""Moves of one or two plies: the greedy one, and the lead after the best reply to each move."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.games.penguins.evaluation import add_territory
from ludograph.games.penguins.rules import FREE, UNPLACED, cells_at, reaches_at, tiles_at
from ludograph.games.penguins.setup import MOST_FISH, PenguinsSetup
from ludograph.rules import OVER, TURN, Moves, Rng, Scores, State, compiled, random_below
from ludograph.search.values import margin


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


@compiled
def lead_of(setup: PenguinsSetup, state: State, seat: int, scores: Scores) -> float:
    """Return a seat's lead over the best other seat, in fish and territory.

    Parameters
    ----------
    scores
        ``float64[seats]``: a workspace for the scores of all seats.
    """
    rules.scores(setup, state, scores)
    if state[TURN] != OVER:
        add_territory(setup, state, 1.0, scores)
    return margin(scores, seat)


@compiled(allocates=True)  # the evaluations take far more time
def leads_after_reply(setup: PenguinsSetup, state: State, moves: Moves) -> npt.NDArray[np.float64]:
    """Return the lead of the seat to move after each move and the best reply of the next seat.

    Parameters
    ----------
    moves
        ``int32[k]``: the codes of the moves.

    Returns
    -------
    float64[k]
        The leads; O(slots) for each reply to each move.
    """
    seat = state[TURN]
    after, later = np.empty_like(state), np.empty_like(state)
    replies = np.empty(setup.capacity, np.int32)
    scores, out = np.empty(setup.seats), np.empty(moves.size)
    for index in range(moves.size):
        rules.copy(state, after)
        rules.play(setup, after, moves[index])
        count = 0
        if after[TURN] != seat:
            count = rules.legal_moves(setup, after, replies)
        worst = lead_of(setup, after, seat, scores) if count == 0 else np.inf
        for reply in range(count):
            rules.copy(after, later)
            rules.play(setup, later, replies[reply])
            worst = min(worst, lead_of(setup, later, seat, scores))
        out[index] = worst
    return out
