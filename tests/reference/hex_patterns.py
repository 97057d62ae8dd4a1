"""The features of moves in Hex, slow and obvious: what the learned strengths belong to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.evaluation.patterns import (
    DEPTHS,
    DEPTHS_AT,
    LOCALS_AT,
    PLACES,
    REACH,
    RING,
    RINGS_AT,
    STEPS,
    WHOLES_AT,
    WINDOW,
    WINDOWS_AT,
    depths_of,
    phase_of,
)
from ludograph.games.hex.rules import CELLS, LAST, STONE, SWAPPED
from ludograph.games.hex.setup import WHITE, HexSetup
from ludograph.rules import TURN, Moves, State

TEAM = 5
"""The most features of a move, one of each kind."""

NO_FEATURE = -1


def teams_of(setup: HexSetup, state: State, moves: Moves) -> npt.NDArray[np.int32]:
    """Return the features of moves, a column for each kind: ``int32[k, TEAM]``.

    A kind without a feature has ``NO_FEATURE``. This function defines the features;
    ``write_priors`` computes their strengths faster.
    """
    color, last, columns = state[TURN] ^ state[SWAPPED], int(state[LAST]), setup.columns
    mirrored = color == WHITE
    cells = state[CELLS : CELLS + setup.owners.size]
    digits = np.where(cells >= 0, 0, np.where(STONE - cells == color, 1, 2))
    rows, cols = np.divmod(moves, columns)
    codes = np.zeros((2, moves.size), np.int64)
    near = np.full(moves.size, NO_FEATURE)
    for place, step in enumerate(STEPS):
        down, right = step[::-1] if mirrored else step
        there = np.clip([rows + down, cols + right], 0, columns - 1)
        codes[place // 6] += 3 ** (place % 6) * digits[there[0] * columns + there[1]]
        near[(rows + down == last // columns) & (cols + right == last % columns)] = place
    away = [last // columns - rows + REACH, last % columns - cols + REACH]
    window_row, window_column = away[::-1] if mirrored else away
    seen = (near < 0) & (last >= 0) & (np.minimum(window_row, window_column) >= 0)
    seen &= np.maximum(window_row, window_column) < WINDOW
    depths = DEPTHS * DEPTHS * phase_of(setup, state) + depths_of(setup)[color, moves]
    team = [
        RINGS_AT + codes[0],
        WHOLES_AT + codes[0] + RING * codes[1],
        np.where(near >= 0, LOCALS_AT + codes[0] * PLACES + near, NO_FEATURE),
        np.where(seen, WINDOWS_AT + window_row * WINDOW + window_column, NO_FEATURE),
        DEPTHS_AT + depths,
    ]
    return np.array(team, np.int32).T
