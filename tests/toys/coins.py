"""Coins in a row: seats in turn take the first or the last; the value of one's coins counts.

For any number of seats, so also a game of three, and of one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import HEADER, OVER, PLY, TURN, Moves, Scores, State, implements

LEFT = HEADER  # the first and the last coin that are left
RIGHT = HEADER + 1
TAKEN = HEADER + 2  # per seat: the value of its coins

TAKE_FIRST, TAKE_LAST = 0, 1


class Coins(NamedTuple):
    values: npt.NDArray[np.int32]
    """``int32[coins]``: not negative."""
    seats: int


def coins(values: list[int], seats: int = 3) -> Coins:
    return Coins(np.array(values, np.int32), seats)


@implements(rules.state_size, Coins)
def coins_state_size(setup: Coins) -> int:
    return TAKEN + setup.seats


@implements(rules.seat_count, Coins)
def coins_seat_count(setup: Coins) -> int:
    return setup.seats


@implements(rules.move_capacity, Coins)
def coins_move_capacity(setup: Coins) -> int:
    return 2


@implements(rules.ply_bound, Coins)
def coins_ply_bound(setup: Coins) -> int:
    return setup.values.size


@implements(rules.score_bounds, Coins)
def coins_score_bounds(setup: Coins, out: Scores) -> None:
    out[0] = 0.0
    out[1] = setup.values.sum()


@implements(rules.start, Coins)
def coins_start(setup: Coins, state: State) -> None:
    state[:] = 0
    state[RIGHT] = setup.values.size - 1


@implements(rules.legal_moves, Coins)
def coins_legal_moves(setup: Coins, state: State, out: Moves) -> int:
    if state[TURN] == OVER:
        return 0
    out[0] = TAKE_FIRST
    if state[LEFT] == state[RIGHT]:
        return 1
    out[1] = TAKE_LAST
    return 2


@implements(rules.play, Coins)
def coins_play(setup: Coins, state: State, move: int) -> None:
    seat = state[TURN]
    state[PLY] += 1
    if move == TAKE_FIRST:
        state[TAKEN + seat] += setup.values[state[LEFT]]
        state[LEFT] += 1
    else:
        state[TAKEN + seat] += setup.values[state[RIGHT]]
        state[RIGHT] -= 1
    state[TURN] = OVER if state[LEFT] > state[RIGHT] else (seat + 1) % setup.seats


@implements(rules.scores, Coins)
def coins_scores(setup: Coins, state: State, out: Scores) -> None:
    for seat in range(setup.seats):
        out[seat] = state[TAKEN + seat]


rules.register(Coins)
