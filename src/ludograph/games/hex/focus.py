"""Hex looked at through its circuits: a game of the few moves where most current runs.

The rules are those of Hex without the pie rule, but a position has no more than so many moves. It
is what a search of limited width plays, with the evaluation of :mod:`ludograph.games.hex.circuit`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludograph.games.hex.circuit import black_share, list_busiest
from ludograph.games.hex.elimination import Elimination
from ludograph.games.hex.rules import BOTH, CELLS, ROOT, STONE, SWAPPED, parents_at
from ludograph.games.hex.setup import BLACK, NEVER, HexSetup
from ludograph.rules import OVER, TURN, Moves, Scores, State, compiled, contract, implements

DIGITS = 1e9
"""Shares no further apart than one part in so many are equal, which by symmetry they often are."""


class FocusedSetup(NamedTuple):
    """A game of Hex in which only the most promising moves may be played."""

    hex: HexSetup
    """Without the pie rule."""
    plan: Elimination
    width: int
    """How many moves."""


def focused(setup: HexSetup, plan: Elimination, width: int) -> FocusedSetup:
    """Return the game of so many moves a position; states are those of the game without a pie."""
    return FocusedSetup(setup._replace(swap_ply=NEVER), plan, width)


@implements(contract.state_size, FocusedSetup)
def focused_state_size(setup: FocusedSetup) -> int:
    """Return that of Hex."""
    return contract.state_size(setup.hex)


@implements(contract.seat_count, FocusedSetup)
def focused_seat_count(setup: FocusedSetup) -> int:
    """Return that of Hex."""
    return contract.seat_count(setup.hex)


@implements(contract.move_capacity, FocusedSetup)
def focused_move_capacity(setup: FocusedSetup) -> int:
    """Return that of Hex: all moves that win at once are moves."""
    return contract.move_capacity(setup.hex)


@implements(contract.ply_bound, FocusedSetup)
def focused_ply_bound(setup: FocusedSetup) -> int:
    """Return that of Hex."""
    return contract.ply_bound(setup.hex)


@implements(contract.score_bounds, FocusedSetup)
def focused_score_bounds(setup: FocusedSetup, out: Scores) -> None:
    """Write those of Hex."""
    contract.score_bounds(setup.hex, out)


@implements(contract.start, FocusedSetup)
def focused_start(setup: FocusedSetup, state: State) -> None:
    """Begin a game of Hex."""
    contract.start(setup.hex, state)


@implements(contract.play, FocusedSetup)
def focused_play(setup: FocusedSetup, state: State, move: int) -> None:
    """Play a move of Hex."""
    contract.play(setup.hex, state, move)


@implements(contract.scores, FocusedSetup)
def focused_scores(setup: FocusedSetup, state: State, out: Scores) -> None:
    """Write those of Hex."""
    contract.scores(setup.hex, state, out)


@implements(contract.key, FocusedSetup)
def focused_key(setup: FocusedSetup, state: State) -> np.uint64:
    """Return that of Hex."""
    return contract.key(setup.hex, state)


@implements(contract.legal_moves, FocusedSetup)
def focused_legal_moves(setup: FocusedSetup, state: State, out: Moves) -> int:
    """Write what wins or saves at once, or else where most current runs."""
    if state[TURN] == OVER:
        return 0
    color = state[TURN] ^ state[SWAPPED]
    for each in (color, 1 - color):
        count = list_wins(setup.hex, state, each, out)
        if count > 0:
            return count
    return list_busiest(setup.hex, state, setup.plan, setup.width, out)


@implements(contract.evaluate, FocusedSetup)
def focused_evaluate(setup: FocusedSetup, state: State, out: Scores) -> None:
    """Write each color's part of the sum of both conductances."""
    if state[TURN] == OVER:
        contract.scores(setup.hex, state, out)
        return
    share = black_share(setup.hex.touches, state, setup.plan)
    value = math.floor(share * DIGITS + 0.5) / DIGITS
    seat = BLACK ^ state[SWAPPED]
    out[seat] = value
    out[1 - seat] = 1.0 - value


@compiled
def list_wins(setup: HexSetup, state: State, color: int, out: Moves) -> int:
    """Write the free vertices that would join a color's borders, ascending; return how many."""
    count = 0
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if state[CELLS + vertex] >= 0 and chains_beside(setup, state, vertex, color) == BOTH:
            out[count] = vertex
            count += 1
    return count


@compiled
def chains_beside(setup: HexSetup, state: State, vertex: int, color: int) -> int:
    """Return which of its chains (a bit each) a color would touch with a stone on a vertex."""
    parents = parents_at(setup)
    touched = (setup.touches[vertex] >> (2 * color)) & BOTH
    for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
        near = setup.neighbors[slot]
        if state[CELLS + near] == STONE - color:
            parent = state[parents + near]
            while parent >= 0:
                parent = state[parents + parent]
            touched |= ROOT - parent
    return touched
