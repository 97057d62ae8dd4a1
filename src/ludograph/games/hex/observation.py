"""Observations of Hex: stones and borders, with own and other color by the observing seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.games.hex.rules import CELLS, FREE, LAST, STONE, SWAPPED, swap_of
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import PLY, Moves, State, compiled, implements
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch

VERTEX_FEATURES = 7  # own stone, other stone, free; next to own border 1, 2, other border 1, 2
GAME_FEATURES = 3  # the seat is black; the opening may be swapped now; the share of free vertices
STONE_PUT, SWAP, KINDS = range(3)
COLORS, BORDERS, OWNERS = 2, 16, 3
WIDTH = 8  # a power of two: the numbers of a row that are copied at once


def all_rows() -> Features:
    """Return all possible features of a vertex: ``float32[rows, WIDTH]``.

    The number of a row is a number with three digits: the color of the seat; the borders that the
    vertex touches (four bits, as in ``HexSetup.touches``); its owner, 0 nobody, 1 black, 2 white.
    The numbers behind the features are 0.
    """
    rows = np.zeros((COLORS, BORDERS, OWNERS, WIDTH), np.float32)
    for color in range(COLORS):
        rows[color, :, 1 + color, 0] = 1.0
        rows[color, :, 2 - color, 1] = 1.0
        rows[color, :, 0, 2] = 1.0
        for touches in range(BORDERS):
            own, other = touches >> 2 * color, touches >> 2 * (1 - color)
            rows[color, touches, :, 3:VERTEX_FEATURES] = (
                own & 1,
                own >> 1 & 1,
                other & 1,
                other >> 1 & 1,
            )
    return rows.reshape(-1, WIDTH)


ROWS = all_rows()
"""The result of :func:`all_rows`."""

Index = np.uint64
"""With unsigned indices the copy of a row is one instruction."""


@implements(observation, HexSetup)
def hex_observation(setup: HexSetup) -> ObservationInfo:
    n = setup.touches.size
    return ObservationInfo(n, VERTEX_FEATURES, GAME_FEATURES, KINDS, setup.free.size + 1, n + 1)


@implements(observe, HexSetup)
def hex_observe(
    setup: HexSetup, state: State, seat: int, vertices: Features, game: Features
) -> None:
    color, last = seat ^ state[SWAPPED], setup.touches.size - 1
    numbers, begin = vertices.reshape(vertices.size), Index(0)
    for vertex in range(Index(last)):  # a copy of eight numbers is one instruction
        row = row_at(setup, state, vertex, color)
        for feature in range(Index(WIDTH)):  # the next vertex overwrites the last number
            numbers[begin + feature] = ROWS[row, feature]
        begin += Index(VERTEX_FEATURES)
    row = row_at(setup, state, Index(last), color)
    for feature in range(Index(VERTEX_FEATURES)):
        numbers[begin + feature] = ROWS[row, feature]
    game[0] = color == 0
    game[1] = state[PLY] == setup.swap_ply
    game[2] = state[FREE] / setup.free.size


@compiled(inlined=True)
def row_at(setup: HexSetup, state: State, vertex: Any, color: int) -> Any:
    """Return the number of the row of a vertex in ``ROWS``."""
    owner = max(1 + STONE - state[Index(CELLS) + vertex], 0)
    return Index((BORDERS * color + setup.touches[vertex]) * OWNERS + owner)


@implements(touch, HexSetup)
def hex_touch(
    setup: HexSetup, state: State, moves: Moves, kinds: Moves, ends: Moves, vertices: Moves
) -> None:
    for place in range(moves.size):
        is_swap = moves[place] == swap_of(setup)
        kinds[place] = SWAP if is_swap else STONE_PUT
        vertices[place] = state[LAST] if is_swap else moves[place]
        ends[place] = place + 1
