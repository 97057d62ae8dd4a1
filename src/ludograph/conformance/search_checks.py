"""Checks of what a game tells to searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.conformance.guards import guarded
from ludograph.rules import CHANCE, Moves, State
from ludograph.search.hints import candidates, proven_scores, score_bounds_at
from ludograph.search.mcts.hints import leaf_value


def check_searched(setup: Any, searched: Any, trail: list[State], where: str) -> None:
    """Check what searches are told in the states of a game, on the Setup that they play on.

    Parameters
    ----------
    searched
        A Setup with the states and moves of ``setup``, if it is not the same.
    trail
        The states of the game, the last one over.
    """
    codes, code_guard = guarded(rules.move_capacity(searched), np.int32)
    state, guard = guarded(rules.state_size(searched), np.int32)
    for each in trail[:-1]:
        state[:] = each
        at = f"{where}, ply {state[rules.PLY]}"
        moves = codes[: rules.legal_moves(searched, state, codes)].tolist()
        if searched is not setup:
            check_same_game(setup, searched, state, moves, at)
        check_hints(searched, state, moves, codes, at)
        require(guard() and code_guard(), f"{at}: a kernel wrote beyond the end of its array")
    check_score_bounds(searched, trail, where)


def check_same_game(setup: Any, searched: Any, state: State, moves: list[int], at: str) -> None:
    """Check that the Setup for searches has the moves of the game, and that they lead there."""
    own = np.empty(rules.move_capacity(setup), np.int32)
    legal = own[: rules.legal_moves(setup, state, own)].tolist()
    require(moves == legal, f"{at}: the moves of a search are {moves}, the legal ones {legal}")
    one, other = state.copy(), state.copy()
    rules.play(setup, one, moves[-1])
    rules.play(searched, other, moves[-1])
    require(np.array_equal(one, other), f"{at}: playing {moves[-1]} in a search leads elsewhere")


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
    chosen = codes[: candidates(setup, state, codes)].tolist()
    require(len(chosen) > 0, f"{at}: there are legal moves, but no candidates")
    require(
        set(chosen) <= set(moves) and (state[rules.TURN] != CHANCE or chosen == moves),
        f"{at}: the candidates are {chosen}, the legal moves {moves}",
    )
    out = np.full(rules.seat_count(setup), np.nan)
    if state[rules.TURN] != CHANCE and proven_scores(setup, state, out):
        bounds = np.zeros(2)
        rules.score_bounds(setup, bounds)
        require(
            (out >= bounds[0]).all() and (out <= bounds[1]).all(),
            f"{at}: the proven scores {out.tolist()} are not within {bounds[0]:g} to {bounds[1]:g}",
        )
    require(np.array_equal(before, state), f"{at}: looking at the state has changed it")
    leaf = state.copy()
    leaf_value(setup, leaf, rules.random_state(int(state[rules.PLY]), 5), out)
    require(np.isfinite(out).all(), f"{at}: a leaf is given the scores {out.tolist()}")


def check_score_bounds(setup: Any, trail: list[State], where: str) -> None:
    """Check that no score at the end of a game is above what was said to be the most.

    A player that does not play its best may end with less than it could have made sure of.

    Parameters
    ----------
    trail
        The states of the game, the last one over.
    """
    seats = rules.seat_count(setup)
    final = np.zeros(seats)
    rules.scores(setup, trail[-1], final)
    for state in trail[:-1]:
        low, high = np.zeros(seats), np.zeros(seats)
        before = state.copy()
        if state[rules.TURN] != CHANCE and score_bounds_at(setup, state, low, high):
            require(
                (final <= high).all() and (low <= high).all(),
                f"{where}, ply {state[rules.PLY]}: the score bounds {low.tolist()} to "
                f"{high.tolist()} are below {final.tolist()}, the scores at the end",
            )
        require(
            np.array_equal(before, state),
            f"{where}, ply {state[rules.PLY]}: score_bounds_at has changed the state",
        )
