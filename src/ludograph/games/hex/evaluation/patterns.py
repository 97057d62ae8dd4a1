"""The weights of moves for Monte Carlo search: by patterns at first, later by the network.

A move is a team of features, each with a strength. The probability of a move grows with the
strength of its team: a generalized Bradley-Terry model (Coulom: "Computing Elo ratings of move
patterns in the game of Go", ICGA Journal 30, 2007). The search tree uses the probabilities as
priors, like other programs (Huang, Arneson, Hayward, Müller, Pawlewicz: "MoHex 2.0: a pattern-based
MCTS Hex player", CG 2013).

Features are those of the color to move, which joins top and bottom: for white the board is mirrored
in its long diagonal, which exchanges the borders. A feature turned by 180° has the same strength.
The *ring* of a cell is the set of its six neighbors. Its *points* are the six cells at the distance
of a bridge; each is adjacent to two neighbors. Border vertices count as stones, and so do all
places behind them.

The file ``strengths.npz``, made by ``scripts/learn-hex-patterns``, contains the strengths as
natural logarithms in multiples of ``UNIT``. It omits zeros, and one of each two features that are
equal when the board is turned by 180°. A search multiplies the exponentials of a team's strengths.
To save products, the exponentials for ring and points include those of the ring.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.evaluation.network import (
    NEIGHBORS,
    Network,
    find_features,
    find_logits,
    find_value,
    make_network,
)
from ludograph.games.hex.rules import CELLS, FREE, LAST, SWAPPED
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, HexSetup
from ludograph.rules import TURN, Moves, Scores, State, compiled, implements
from ludograph.rules.arrays import softmax
from ludograph.search.mcts.hints import LIKELIHOODS, weigh

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


def turned() -> npt.NDArray[np.int32]:
    """Return each feature turned by 180°: ``int32[COUNT_OF_FEATURES]``."""
    same = np.arange(COUNT_OF_FEATURES, dtype=np.int32)
    codes = np.arange(RING)
    rings = codes // 27 + codes % 27 * 27
    same[RINGS_AT:WHOLES_AT] = RINGS_AT + rings
    low, high = np.arange(WHOLE) % RING, np.arange(WHOLE) // RING
    same[WHOLES_AT:LOCALS_AT] = WHOLES_AT + rings[low] + RING * rings[high]
    places = np.array([3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8])
    same[LOCALS_AT:WINDOWS_AT] = (LOCALS_AT + rings[:, None] * PLACES + places).ravel()
    same[WINDOWS_AT:DEPTHS_AT] = np.arange(DEPTHS_AT - 1, WINDOWS_AT - 1, -1)
    return same


UNIT = 0.05

Floats = npt.NDArray[np.float32]


class Gammas(NamedTuple):
    """The exponentials of strengths, by the kinds of features."""

    wholes: Floats
    """``float32[WHOLE]``: ring and points, including the strength of the ring."""
    locals: Floats
    """``float32[RING, PLACES]``: the ring and the place of the last move."""
    windows: Floats
    """``float32[WINDOW, WINDOW]``: the place of the last move in the window; 1 for the twelve
    places in the middle."""
    depths: Floats
    """``float32[PHASES, DEPTHS * DEPTHS]``: the phase and the distances from the borders."""


class Patterns(NamedTuple):
    """The strengths and the network for a board, and working memory for priors.

    The board is stored in a *grid* with one more row on each side, so that the grid contains all
    places around a free cell.
    """

    gammas: Gammas
    grid_of: npt.NDArray[np.int32]
    """``int32[n]``: the place of each vertex in the grid."""
    offsets: npt.NDArray[np.int32]
    """``int32[2, PLACES]``: the steps in the grid to the places around a cell, by the color to
    move."""
    digits: npt.NDArray[np.int32]
    """``int32[2, grid]``: 1 for own stones, 2 for stones of the other color, otherwise 0, by the
    color to move; borders and the places behind them never change."""
    codes: npt.NDArray[np.int32]
    """``int32[grid]``: working memory for the codes of the places around each cell."""
    depths: npt.NDArray[np.int32]
    """``int32[2, n]``: see :func:`depths_of`."""
    network: Network


@cache
def strengths() -> Floats:
    """Return the strengths of all features as logarithms: ``float32[COUNT_OF_FEATURES]``."""
    with (files(__package__) / "strengths.npz").open("rb") as file, np.load(file) as kept:
        indices = np.cumsum(kept["steps"].astype(np.int64))
        value = kept["worth"].astype(np.float32) * np.float32(UNIT)
    found = np.zeros(COUNT_OF_FEATURES, np.float32)
    found[indices] = value
    found[turned()[indices]] = value
    return found


@cache
def gammas() -> Gammas:
    """Return the exponentials of all strengths."""
    found = strengths()
    rings = found[RINGS_AT:WHOLES_AT]
    wholes = found[WHOLES_AT:LOCALS_AT] + np.tile(rings, WHOLE // RING)
    return Gammas(
        _exponentials(wholes),
        _exponentials(found[LOCALS_AT:WINDOWS_AT]).reshape(RING, PLACES),
        _exponentials(found[WINDOWS_AT:DEPTHS_AT]).reshape(WINDOW, WINDOW),
        _exponentials(found[DEPTHS_AT:]).reshape(PHASES, DEPTHS * DEPTHS),
    )


def _exponentials(values: Floats) -> Floats:
    # Numpy has other code for each processor: the last bits, which depend on it, are cut off.
    return np.exp(values, dtype=np.float64).astype(np.float32)


def make_patterns(setup: HexSetup) -> Patterns | None:
    """Return the patterns for a board; None for a board without hexagonal cells."""
    if setup.joined != EXACTLY_ONE:
        return None
    columns = setup.columns
    wide = columns + 2
    rows, cols = np.divmod(np.arange(setup.owners.size), columns)
    grid_of = ((rows + 1) * wide + cols + 1).astype(np.int32)
    downs, rights = np.array(STEPS).T
    offsets = np.array([downs * wide + rights, rights * wide + downs], np.int32)
    # The places behind a border have its color, too.
    colors = np.pad(setup.owners.reshape(columns, columns), 1, mode="edge").ravel()
    digits = np.array([colors + 1, np.array([0, 2, 1])[colors + 1]], np.int32)
    return Patterns(
        gammas(),
        grid_of,
        offsets,
        digits,
        np.zeros(digits.shape[1], np.int32),
        depths_of(setup),
        make_network(setup),
    )


@compiled
def write_priors(
    setup: HexSetup, knowledge: Patterns, state: State, moves: Moves, out: Scores
) -> None:
    """Write the prior probability of each move; O(board)."""
    color = state[TURN] ^ state[SWAPPED]
    look_around(setup, knowledge, state, color)
    gammas = knowledge.gammas
    depths = gammas.depths[phase_of(setup, state)]
    for index in range(moves.size):
        move = moves[index]
        code = knowledge.codes[knowledge.grid_of[move]]
        depth = knowledge.depths[color, move]
        out[index] = gammas.wholes[code] * depths[depth]
    if state[LAST] >= 0:
        favor_answers(setup, knowledge, state, color, moves, out)
    total = 0.0
    for index in range(moves.size):
        total += out[index]
    for index in range(moves.size):
        out[index] /= total


@compiled
def look_around(setup: HexSetup, patterns: Patterns, state: State, color: int) -> None:
    """Write the code of the twelve places around each cell, for the color to move.

    The outer loop is over the places and the inner one over the grid, so that the compiler handles
    several cells in one step.
    """
    digits = patterns.digits[color]
    for index in range(setup.free.size):
        vertex = setup.free[index]
        cell = state[CELLS + vertex]
        digit = -cell if color == BLACK else 3 + cell
        digits[patterns.grid_of[vertex]] = digit if cell < 0 else 0
    codes = patterns.codes
    first = patterns.grid_of[setup.free[0]]
    last = patterns.grid_of[setup.free[setup.free.size - 1]] + 1
    codes[first:last] = 0
    power = 1
    for place in range(PLACES):
        offset = patterns.offsets[color, place]
        there = digits[first + offset : last + offset]
        here = codes[first:last]
        for index in range(last - first):
            here[index] += power * there[index]
        power *= 3


@compiled
def favor_answers(
    setup: HexSetup, patterns: Patterns, state: State, color: int, moves: Moves, out: Scores
) -> None:
    """Multiply the strengths of moves near the last move by that of its place."""
    columns = setup.columns
    gammas = patterns.gammas
    row, column = state[LAST] // columns, state[LAST] % columns
    center = patterns.grid_of[state[LAST]]
    for index in range(moves.size):
        down = row - moves[index] // columns + REACH
        right = column - moves[index] % columns + REACH
        if 0 <= down < WINDOW and 0 <= right < WINDOW:
            here = patterns.grid_of[moves[index]]
            near = -1
            for place in range(PLACES):
                if here + patterns.offsets[color, place] == center:
                    near = place
            if near >= 0:
                out[index] *= gammas.locals[patterns.codes[here] % RING, near]
            elif color == BLACK:
                out[index] *= gammas.windows[down, right]
            else:
                out[index] *= gammas.windows[right, down]


@implements(weigh, HexSetup)
def hex_weigh(
    setup: HexSetup,
    knowledge: Patterns,
    state: State,
    moves: Moves,
    wanted: int,
    out: Scores,
    rewards: Scores,
) -> bool:
    if wanted == LIKELIHOODS:
        write_priors(setup, knowledge, state, moves, out)
        return False
    network = knowledge.network
    color = state[TURN] ^ state[SWAPPED]
    side = find_features(setup, network, state, color)
    find_logits(network, side)
    value = 1.0 / (1.0 + math.exp(-find_value(network, side)))
    rewards[state[TURN]] = value
    rewards[1 - state[TURN]] = 1.0 - value
    for index in range(moves.size):
        out[index] = network.logits[network.grid_of[color, moves[index]]]
    softmax(out)
    return True
