"""Checks of the hints of a game for searches."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.rules import CHANCE, Setup, State
from ludograph.rules.answers import scores_at
from ludograph.rules.strict import guarded
from ludograph.search.hints import candidates, proven_scores, score_bounds_at
from ludograph.search.mcts.hints import amaf_owners, amaf_playout, leaf_value
from ludograph.search.plain_games import UNWRITTEN


def check_hints(setup: Setup, state: State, where: str) -> None:
    """Check the candidates, a proven end and the verdict on a leaf, in a state that is not over."""
    at = f"{where}, ply {state[rules.PLY]}"
    before = state
    state, state_stands = guarded(before)
    codes, stands = guarded(np.full(rules.info(setup).move_capacity, UNWRITTEN, np.int32))
    moves = codes[: rules.legal_moves(setup, state, codes)].tolist()
    chosen = codes[: candidates(setup, state, codes)].tolist()
    require(np.array_equal(before, state), f"{at}: candidates has changed the state")
    require(stands(), f"{at}: candidates wrote beyond the end of its array")
    require(len(chosen) > 0, f"{at}: there are legal moves, but no candidates")
    require(
        set(chosen) <= set(moves) and (state[rules.TURN] != CHANCE or chosen == moves),
        f"{at}: the candidates are {chosen}, the legal moves {moves}",
    )
    out = np.full(rules.info(setup).seats, np.nan)
    if state[rules.TURN] != CHANCE and proven_scores(setup, state, out):
        low, high = rules.info(setup).lowest_score, rules.info(setup).highest_score
        require(
            (out >= low).all() and (out <= high).all(),
            f"{at}: the proven scores {out.tolist()} are not within {low:g} to {high:g}",
        )
    require(np.array_equal(before, state), f"{at}: proven_scores has changed the state")
    require(state_stands(), f"{at}: a hint wrote beyond the end of the state")
    leaf = state.copy()
    leaf_value(setup, leaf, rules.random_state(int(state[rules.PLY]), 5), out)
    require(np.isfinite(out).all(), f"{at}: a leaf is given the scores {out.tolist()}")
    check_owners(setup, state, moves, at)


def check_owners(setup: Setup, state: State, moves: list[int], at: str) -> None:
    """Check that the record of an AMAF playout names seats as the players of moves."""
    seats = rules.info(setup).seats
    end, scores = state.copy(), np.zeros(seats)
    amaf_playout(setup, end, rules.random_state(int(state[rules.PLY]), 6), scores)
    before = end.copy()
    owners, stands = guarded(np.full(len(moves), UNWRITTEN, np.int32))
    amaf_owners(setup, end, np.array(moves, np.int32), owners)
    require(
        (owners >= -1).all() and (owners < seats).all(),
        f"{at}: the owners of moves are {owners.tolist()}, of {seats} seats",
    )
    require(
        stands() and np.array_equal(before, end),
        f"{at}: amaf_owners wrote into the state or beyond the end of its array",
    )


def check_prospects(setup: Setup, trail: list[State], where: str) -> None:
    """Check that no final score is above its proven upper bound.

    The lower bound is not checked, because random play may end below it.

    Parameters
    ----------
    trail
        The states of the game, the last one over.
    """
    seats = rules.info(setup).seats
    final = scores_at(setup, trail[-1])
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
