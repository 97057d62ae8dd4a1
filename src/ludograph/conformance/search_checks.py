"""Checks of what a game tells to searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.rules import CHANCE, Moves, State


def check_hints(setup: Any, state: State, moves: list[int], codes: Moves, at: str) -> None:
    """Check the candidates, the verdict on a leaf and a proven end, in a state that is not over.

    Parameters
    ----------
    moves
        The legal moves.
    codes
        ``int32[move_capacity(setup)]``: scratch.
    """
    before = state.copy()
    chosen = codes[: rules.candidates(setup, state, codes)].tolist()
    require(len(chosen) > 0, f"{at}: there are legal moves, but no candidates")
    require(
        set(chosen) <= set(moves) and (state[rules.TURN] != CHANCE or chosen == moves),
        f"{at}: the candidates are {chosen}, the legal moves {moves}",
    )
    out = np.full(rules.seat_count(setup), np.nan)
    if state[rules.TURN] != CHANCE and rules.settle(setup, state, out):
        bounds = np.zeros(2)
        rules.score_bounds(setup, bounds)
        require(
            (out >= bounds[0]).all() and (out <= bounds[1]).all(),
            f"{at}: the proven scores {out.tolist()} are not within {bounds[0]:g} to {bounds[1]:g}",
        )
    require(np.array_equal(before, state), f"{at}: looking at the state has changed it")
    leaf = state.copy()
    rules.assess(setup, leaf, rules.random_state(int(state[rules.PLY]), 5), out)
    require(np.isfinite(out).all(), f"{at}: a leaf is given the scores {out.tolist()}")
