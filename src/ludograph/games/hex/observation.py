"""Observations of Hex: stones and borders from the view of a seat's color."""

from __future__ import annotations

from ludograph.games.hex.rules import CELLS, FREE, LAST, STONE, SWAPPED, swap_of
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import PLY, Moves, State, implements
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch

VERTEX_FEATURES = 7  # own stone, other stone, free; next to own border 1, 2, to the other's 1, 2
GAME_FEATURES = 3  # plays the first color, may take the opening stone, the share of free vertices
STONE_PUT, SWAP, KINDS = range(3)


@implements(observation, HexSetup)
def hex_observation(setup: HexSetup) -> ObservationInfo:
    n = setup.touches.size
    return ObservationInfo(n, VERTEX_FEATURES, GAME_FEATURES, KINDS, setup.free.size + 1, n + 1)


@implements(observe, HexSetup)
def hex_observe(
    setup: HexSetup, state: State, seat: int, vertices: Features, game: Features
) -> None:
    color = seat ^ state[SWAPPED]
    for vertex in range(setup.touches.size):
        cell, touches = state[CELLS + vertex], setup.touches[vertex]
        vertices[vertex, 0] = cell == STONE - color
        vertices[vertex, 1] = cell == STONE - (1 - color)
        vertices[vertex, 2] = cell >= 0
        for side in range(2):
            vertices[vertex, 3 + side] = (touches >> (2 * color + side)) & 1
            vertices[vertex, 5 + side] = (touches >> (2 * (1 - color) + side)) & 1
    game[0] = color == 0
    game[1] = state[PLY] == setup.swap_ply
    game[2] = state[FREE] / setup.free.size


@implements(touch, HexSetup)
def hex_touch(
    setup: HexSetup, state: State, moves: Moves, kinds: Moves, ends: Moves, vertices: Moves
) -> None:
    for place in range(moves.size):
        is_swap = moves[place] == swap_of(setup)
        kinds[place] = SWAP if is_swap else STONE_PUT
        vertices[place] = state[LAST] if is_swap else moves[place]
        ends[place] = place + 1
