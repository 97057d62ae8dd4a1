"""Tic-tac-toe: two seats, nine squares, three in a row win."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    GameInfo,
    Moves,
    Scores,
    State,
    compiled,
    implements,
)

SQUARES = HEADER  # nine slots: 1 + the seat whose mark it is, or 0


class TicTacToe(NamedTuple):
    lines: npt.NDArray[np.int32]
    """``int32[8, 3]``: the squares of each row, column and diagonal."""


def tictactoe() -> TicTacToe:
    rows = [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(3)]
    columns = [[i, i + 3, i + 6] for i in range(3)]
    return TicTacToe(np.array([*rows, *columns, [0, 4, 8], [2, 4, 6]], np.int32))


@implements(rules.info, TicTacToe)
def ttt_info(setup: TicTacToe) -> GameInfo:
    return GameInfo(
        state_size=SQUARES + 9,
        seats=2,
        move_capacity=9,
        ply_bound=9,
        lowest_score=0.0,
        highest_score=1.0,
    )


@implements(rules.start, TicTacToe)
def ttt_start(setup: TicTacToe, state: State) -> None:
    state[:] = 0


@implements(rules.legal_moves, TicTacToe)
def ttt_legal_moves(setup: TicTacToe, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] != OVER:
        for square in range(9):
            if state[SQUARES + square] == 0:
                out[count] = square
                count += 1
    return count


@compiled
def has_line(setup: TicTacToe, state: State, seat: int) -> bool:
    for line in range(setup.lines.shape[0]):
        held = 0
        for place in range(3):
            if state[SQUARES + setup.lines[line, place]] == seat + 1:
                held += 1
        if held == 3:
            return True
    return False


@implements(rules.play, TicTacToe)
def ttt_play(setup: TicTacToe, state: State, move: int) -> None:
    seat = state[TURN]
    state[SQUARES + move] = seat + 1
    state[PLY] += 1
    if has_line(setup, state, seat) or state[PLY] == 9:
        state[TURN] = OVER
    else:
        state[TURN] = 1 - seat


@implements(rules.scores, TicTacToe)
def ttt_scores(setup: TicTacToe, state: State, out: Scores) -> None:
    for seat in range(2):
        out[seat] = 1.0 if has_line(setup, state, seat) else 0.0


rules.register(TicTacToe)
