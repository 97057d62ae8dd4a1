"""The features of a move: twelve cells around it, the last move, the distances of the borders.

Features are those of the color to move, which joins top and bottom: for white the board is mirrored
in its long diagonal, which exchanges the borders. A feature turned by 180° has the same strength.

The *ring* of a cell is the set of its six neighbors. Its *points* are the six cells at the distance
of a bridge; each is adjacent to two neighbors. Border vertices count as stones, and so do all
places behind them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import CELLS, FREE, LAST, STONE, SWAPPED
from ludograph.games.hex.setup import WHITE, HexSetup
from ludograph.rules import TURN, Moves, State, compiled

PLACES = 12
"""The places around a cell: the ring clockwise from north, then the points clockwise from the one
after north."""

RING, WHOLE = 3**6, 3**PLACES
REACH = 4
"""The greatest distance, in rows and in columns, of a last move with a feature."""

WINDOW = 2 * REACH + 1
DEPTHS, PHASES = 6, 4
"""The number of classes of distances from a border, and of phases by the number of stones."""

RINGS_AT = 0
WHOLES_AT = RINGS_AT + RING
LOCALS_AT = WHOLES_AT + WHOLE
WINDOWS_AT = LOCALS_AT + RING * PLACES
DEPTHS_AT = WINDOWS_AT + WINDOW * WINDOW
COUNT_OF_FEATURES = DEPTHS_AT + PHASES * DEPTHS * DEPTHS
"""The first feature of each kind: the ring; ring and points; the ring and the place of the last
move among the twelve; the place of the last move in the window around the cell, otherwise; the
distances from both borders and the phase. ``COUNT_OF_FEATURES`` is the number of all features."""

TEAM = 5
"""The most features of a move, one of each kind."""

NO_FEATURE = -1

NEIGHBORS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
STEPS = (*NEIGHBORS, (-2, 1), (-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1))
"""The steps to the twelve places, in rows and columns."""


def depths_of(setup: HexSetup) -> npt.NDArray[np.int32]:
    """Return the class of each vertex by its distances from the borders: ``int32[2, n]``.

    By the color to move, it is ``DEPTHS`` times the class of the distance from the nearer own
    border, plus that from the nearer border of the other color.
    """
    last = setup.columns - 1
    rows, columns = np.divmod(np.arange(setup.owners.size), setup.columns)
    from_black = np.clip(np.minimum(rows, last - rows), 1, DEPTHS) - 1
    from_white = np.clip(np.minimum(columns, last - columns), 1, DEPTHS) - 1
    return np.array([from_black * DEPTHS + from_white, from_white * DEPTHS + from_black], np.int32)


@compiled(inlined=True)
def phase_of(setup: HexSetup, state: State) -> int:
    """Return the phase of a game, from 0: its limit of stones doubles from phase to phase."""
    taken = setup.free.size - state[FREE]
    phase = 0
    part = setup.free.size // 16
    while phase < PHASES - 1 and taken > part:
        part *= 2
        phase += 1
    return phase


def teams_of(setup: HexSetup, state: State, moves: Moves) -> npt.NDArray[np.int32]:
    """Return the features of moves, a column for each kind: ``int32[k, TEAM]``.

    A kind without a feature has ``NO_FEATURE``. This function defines the features;
    :mod:`ludograph.games.hex.patterns.priors` computes their strengths faster.
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


def turned() -> npt.NDArray[np.int32]:
    """Return each feature turned by 180°: ``int32[COUNT_OF_FEATURES]``."""
    same = np.arange(COUNT_OF_FEATURES, dtype=np.int32)
    rings = turned_codes(6)
    same[RINGS_AT:WHOLES_AT] = RINGS_AT + rings
    low, high = np.arange(WHOLE) % RING, np.arange(WHOLE) // RING
    same[WHOLES_AT:LOCALS_AT] = WHOLES_AT + rings[low] + RING * rings[high]
    places = np.array([3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8])
    same[LOCALS_AT:WINDOWS_AT] = (LOCALS_AT + rings[:, None] * PLACES + places).ravel()
    same[WINDOWS_AT:DEPTHS_AT] = np.arange(DEPTHS_AT - 1, WINDOWS_AT - 1, -1)
    return same


def turned_codes(digits: int) -> npt.NDArray[np.int64]:
    """Return each code of a ring turned by 180°: ``int64[3**digits]``."""
    codes = np.arange(3**digits)
    half = 3 ** (digits // 2)
    return codes // half + codes % half * half
