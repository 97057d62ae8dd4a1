"""Observations of Flood: the color and the zone of each vertex, seats in order from the observer.

The observer is the seat for which the observation is made; in features of seats it comes first.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.rules import (
    COLOR,
    MARK,
    OWNER,
    PASSED,
    SIZE,
    TOUCHING,
    cells_at,
    zone_at,
)
from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import TURN, Moves, State, implements
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch

# Features of a vertex: one per color, 1 for its own; then one per seat, 1 if the vertex is in the
# seat's zone.
SEAT_FEATURES = 2  # per seat: its zone's share of the board; 1 if it has passed, otherwise 0


@implements(observation, FloodSetup)
def flood_observation(setup: FloodSetup) -> ObservationInfo:
    n, colors, seats = setup.region_of.size, setup.color_count, setup.starts.size
    return ObservationInfo(n, colors + seats, SEAT_FEATURES * seats, colors + 1, n, colors + 1)


@implements(observe, FloodSetup)
def flood_observe(
    setup: FloodSetup, state: State, seat: int, vertices: Features, game: Features
) -> None:
    seats, cells, n = setup.starts.size, cells_at(setup), setup.region_of.size
    vertices[:] = np.float32(0.0)  # one assignment is twice as fast as one for each row
    for vertex in range(n):
        region = setup.region_of[vertex]
        owner = (state[cells + region] & OWNER) - 1
        if owner < 0:
            vertices[vertex, setup.colors[region]] = 1.0
        else:
            vertices[vertex, state[zone_at(owner) + COLOR]] = 1.0
            vertices[vertex, setup.color_count + (owner - seat + seats) % seats] = 1.0
    for other in range(seats):
        whose = (seat + other) % seats
        game[SEAT_FEATURES * other] = state[zone_at(whose) + SIZE] / n
        game[SEAT_FEATURES * other + 1] = (state[PASSED] >> whose) & 1


@implements(touch, FloodSetup)
def flood_touch(
    setup: FloodSetup, state: State, moves: Moves, kinds: Moves, ends: Moves, vertices: Moves
) -> None:
    # A color touches the vertices that it gains for the zone, and the zones that it captures.
    cells, seat, end = cells_at(setup), state[TURN], 0
    touching = state[zone_at(seat) + TOUCHING] if setup.capture else 0
    for place in range(moves.size):
        color = moves[place]
        kinds[place] = color
        if color < setup.color_count:
            for vertex in range(setup.region_of.size):
                region = setup.region_of[vertex]
                cell = state[cells + region]
                owner = (cell & OWNER) - 1
                if owner < 0:
                    gained = setup.colors[region] == color and (cell >> (MARK + seat)) & 1
                else:
                    is_near = (touching >> owner) & 1
                    gained = is_near and state[zone_at(owner) + COLOR] == color
                if gained:
                    vertices[end] = vertex
                    end += 1
        ends[place] = end
