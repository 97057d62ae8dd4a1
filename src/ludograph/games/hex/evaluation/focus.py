"""Hex for a narrow search: values by resistances, and only the most promising moves.

The rules are those of Hex. Values and moves are computed by
:mod:`ludograph.games.hex.evaluation.circuit`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ludograph.games.hex.evaluation.by_distance import write_values
from ludograph.games.hex.evaluation.circuit import black_share, list_busiest, plan_of
from ludograph.games.hex.evaluation.elimination import Elimination
from ludograph.games.hex.rules import BOTH, CELLS, ROOT, STONE, SWAPPED, parents_at
from ludograph.games.hex.setup import NEVER, HexSetup
from ludograph.rules import (
    OVER,
    TURN,
    Moves,
    Scores,
    State,
    compiled,
    contract,
    implements,
    register,
)
from ludograph.search.hints import candidates

DIGITS = 1e9
"""Shares are rounded to multiples of one part in this number, since equal ones, often by symmetry,
may differ in their last digits."""


class FocusedSetup(NamedTuple):
    """The Setup of Hex for a search of only the most promising moves."""

    hex: HexSetup
    """The Setup of the game without the pie rule."""
    plan: Elimination
    """The order of elimination of the board's vertices."""
    width: int
    """The most moves in a position."""


def focused(setup: HexSetup, width: int) -> FocusedSetup:
    """Return the Setup for a search of at most ``width`` moves in a position, without pie rule."""
    return FocusedSetup(setup._replace(swap_ply=NEVER), plan_of(setup), width)


@implements(contract.evaluate, FocusedSetup)
def focused_evaluate(setup: FocusedSetup, state: State, out: Scores) -> None:
    """Write each seat's rounded share of the sum of both conductances; at the end, the scores."""
    if state[TURN] == OVER:
        contract.scores(setup.hex, state, out)
        return
    share = black_share(setup.hex.touches, state, setup.plan)
    write_values(setup.hex, state, math.floor(share * DIGITS + 0.5) / DIGITS, out)


@implements(candidates, FocusedSetup)
def focused_candidates(setup: FocusedSetup, state: State, out: Moves) -> int:
    """Write the moves that win at once, else those that prevent such moves, else the busiest ones.

    The busiest vertices are those of :func:`list_busiest`. Return the number of moves.
    """
    if state[TURN] == OVER:
        return 0
    color = state[TURN] ^ state[SWAPPED]
    for each in (color, 1 - color):
        count = list_wins(setup.hex, state, each, out)
        if count > 0:
            return count
    return list_busiest(setup.hex, state, setup.plan, setup.width, out)


register(FocusedSetup, focused_evaluate, focused_candidates, otherwise="hex")


@compiled
def list_wins(setup: HexSetup, state: State, color: int, out: Moves) -> int:
    """Write the free vertices on which a stone joins a color's borders; return their number."""
    count = 0
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if state[CELLS + vertex] >= 0 and chains_beside(setup, state, vertex, color) == BOTH:
            out[count] = vertex
            count += 1
    return count


@compiled
def chains_beside(setup: HexSetup, state: State, vertex: int, color: int) -> int:
    """Return the border chains (a bit each) that a stone of a color on a vertex connects with."""
    parents = parents_at(setup)
    touched = (setup.touches[vertex] >> (2 * color)) & BOTH
    for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
        near = setup.neighbors[slot]
        if state[CELLS + near] == STONE - color:
            parent = state[parents + near]
            while parent >= 0:
                parent = state[parents + parent]
            touched |= (ROOT - parent) & BOTH
    return touched
