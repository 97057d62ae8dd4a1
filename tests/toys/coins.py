"""Coins in a row: seats in turn take the first or the last; the value of one's coins counts.

For any number of seats, so also a game of three, and of one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import HEADER, OVER, PLY, TURN, GameInfo, Moves, Scores, State, implements

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


@implements(rules.info, Coins)
def coins_info(setup: Coins) -> GameInfo:
    return GameInfo(
        state_size=TAKEN + setup.seats,
        seats=setup.seats,
        move_capacity=2,
        ply_bound=setup.values.size,
        lowest_score=0.0,
        highest_score=float(setup.values.sum()),
    )


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
