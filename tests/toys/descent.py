"""A solo game: go down a triangle of numbers, left or right; their sum is the score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import HEADER, OVER, PLY, TURN, GameInfo, Moves, Scores, State, implements

PLACE = HEADER  # in the row of number PLY
SUM = HEADER + 1


class Descent(NamedTuple):
    triangle: npt.NDArray[np.int32]
    """``int32[rows, rows]``: row ``r`` has its numbers in the first ``r + 1`` places."""
    seats: int
    """Always 1."""


def descent(rows: int = 6, seed: int = 0) -> Descent:
    numbers = np.random.default_rng(seed).integers(-9, 10, (rows, rows))
    return Descent(np.tril(numbers).astype(np.int32), 1)


@implements(rules.info, Descent)
def descent_info(setup: Descent) -> GameInfo:
    return GameInfo(
        state_size=SUM + 1,
        seats=setup.seats,
        move_capacity=2,
        ply_bound=setup.triangle.shape[0] - 1,
        lowest_score=-9.0 * setup.triangle.shape[0],
        highest_score=9.0 * setup.triangle.shape[0],
    )


@implements(rules.start, Descent)
def descent_start(setup: Descent, state: State) -> None:
    state[:] = 0
    state[SUM] = setup.triangle[0, 0]


@implements(rules.legal_moves, Descent)
def descent_legal_moves(setup: Descent, state: State, out: Moves) -> int:
    if state[TURN] == OVER:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@implements(rules.play, Descent)
def descent_play(setup: Descent, state: State, move: int) -> None:
    state[PLY] += 1
    state[PLACE] += move
    state[SUM] += setup.triangle[state[PLY], state[PLACE]]
    if state[PLY] == setup.triangle.shape[0] - 1:
        state[TURN] = OVER


@implements(rules.scores, Descent)
def descent_scores(setup: Descent, state: State, out: Scores) -> None:
    out[0] = state[SUM]


rules.register(Descent)
