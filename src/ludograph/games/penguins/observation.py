"""Observations of Penguins: fish, free tiles and penguins, the observer's first."""

from __future__ import annotations

import numpy as np

from ludograph.games.penguins.rules import (
    FISH,
    FREE,
    SEAT_SLOTS,
    SEATS,
    WAITING,
    cells_at,
    target_of,
)
from ludograph.games.penguins.setup import MOST_FISH, PenguinsSetup
from ludograph.rules import Moves, State, implements
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch

TILE_FEATURES = MOST_FISH + 1  # one, two, three fish on a tile that has not melted; free;
# then for each seat, the observer's first: its penguin is on the tile
SEAT_FEATURES = 2  # for each seat, the observer's first: fish per tile, share of unplaced penguins
PLACED, SLID, KINDS = range(3)


@implements(observation, PenguinsSetup)
def penguins_observation(setup: PenguinsSetup) -> ObservationInfo:
    n = setup.fish.size
    return ObservationInfo(
        n,
        TILE_FEATURES + setup.seats,
        SEAT_FEATURES * setup.seats,
        KINDS,
        max(n, 2 * setup.capacity),
        n + (setup.tiles.size << setup.shift),
    )


@implements(observe, PenguinsSetup)
def penguins_observe(
    setup: PenguinsSetup, state: State, seat: int, vertices: Features, game: Features
) -> None:
    seats, cells, n = setup.seats, cells_at(setup), setup.fish.size
    vertices[:] = np.float32(0.0)
    for tile in range(n):
        cell = state[cells + tile]
        if cell >= FREE:
            vertices[tile, setup.fish[tile] - 1] = 1.0
        if cell == FREE:
            vertices[tile, MOST_FISH] = 1.0
        elif cell > 0:
            other = (setup.owners[cell - 1] - seat + seats) % seats
            vertices[tile, TILE_FEATURES + other] = 1.0
    for other in range(seats):
        slots = SEATS + SEAT_SLOTS * ((seat + other) % seats)
        game[SEAT_FEATURES * other] = state[slots + FISH] / n
        game[SEAT_FEATURES * other + 1] = state[slots + WAITING] / setup.penguins


@implements(touch, PenguinsSetup)
def penguins_touch(
    setup: PenguinsSetup,
    state: State,  # noqa: ARG001
    moves: Moves,
    kinds: Moves,
    ends: Moves,
    vertices: Moves,
) -> None:
    end = 0
    for place in range(moves.size):
        way = moves[place] - setup.fish.size
        if way < 0:
            kinds[place] = PLACED
            vertices[end] = moves[place]
            end += 1
        else:
            kinds[place] = SLID
            vertices[end] = setup.tiles[way >> setup.shift]
            vertices[end + 1] = target_of(setup, way)
            end += 2
        ends[place] = end
