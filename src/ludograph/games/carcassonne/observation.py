"""Observations of Carcassonne: the tiles, the places beside them, the drawn tile.

There is no board. The first rows are the tiles, in the order in which they were laid; the rows
after them are the places where a tile may lie. A side is given by the number of its pattern of
terrains in this deck, from 1; 0 means none.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.setup import (
    BITS,
    CHOICES,
    COMPONENT,
    MONASTERY,
    NEVER,
    PLACE_SLOTS,
    SEAT_SLOTS,
    SHIELDED,
    TILE_SLOTS,
    CarcassonneSetup,
)
from ludograph.games.carcassonne.table import (
    CELL,
    DEALT,
    HAND,
    LAID,
    MASK,
    MEEPLE,
    NO_TILE,
    OPEN,
    ORIENTATION,
    PLACE_CELL,
    POINTS,
    REMAINING,
    REQUIRED,
    SEATS,
    find_entry,
)
from ludograph.games.carcassonne.tiles import ON_SIDE, SIDES, VERTICES
from ludograph.rules import Moves, State, compiled, implements
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch

# Features of a row: 1 for a tile; 1 for a place; x and y; the patterns of its sides, north, east,
# south, west (of a place: those that a tile needs there); the meeple put here: 1 + its seat counted
# from the observer, 1 + its vertex of the tile. The meeple may have returned since.
IS_TILE, IS_PLACE, X, Y, SIDE, WHOSE, VERTEX, ROW_FEATURES = 0, 1, 2, 3, 4, 8, 9, 10
DEALT_FEATURES = SIDES + 1
"""Features of the game: the sides of the dealt tile, and the share of tiles that remain; then for
each seat, the observer's first, its SEAT_FEATURES."""
SEAT_FEATURES = 2
"""Features of a seat: its points, and the meeples in its hand."""
MARKS = SIDES + 1
"""Further features by the official rules, after those of each row, and, for the dealt tile, after
those of the game: for each side whether its city has a shield on this tile, and whether the tile
has a monastery."""


@implements(observation, CarcassonneSetup)
def carcassonne_observation(setup: CarcassonneSetup) -> ObservationInfo:
    rows = setup.tiles + places_of(setup)
    marks = MARKS * setup.official
    features = DEALT_FEATURES + SEAT_FEATURES * setup.seats + marks
    return ObservationInfo(rows, ROW_FEATURES + marks, features, SIDES * CHOICES, setup.capacity, 0)


@compiled
def places_of(setup: CarcassonneSetup) -> int:
    """Return an upper bound of the number of places."""
    return 2 * setup.tiles + 2


@implements(observe, CarcassonneSetup)
def carcassonne_observe(
    setup: CarcassonneSetup, state: State, seat: int, vertices: Features, game: Features
) -> None:
    layout, seats = setup.layout, setup.seats
    vertices[:] = np.float32(0.0)
    for tile in range(state[LAID]):
        record, row = layout.tiles + TILE_SLOTS * tile, vertices[tile]
        row[IS_TILE] = 1.0
        write_cell(setup, state[record + CELL], row)
        write_sides(setup.words[state[record + ORIENTATION]], row[SIDE:])
        if setup.official:
            write_marks(setup, state[record + ORIENTATION], row[ROW_FEATURES:])
        meeple = state[record + MEEPLE] - 1
        if meeple >= 0:
            row[WHOSE] = 1.0 + (meeple // VERTICES - seat + seats) % seats
            row[VERTEX] = 1.0 + meeple % VERTICES
    for place in range(state[OPEN]):
        record, row = layout.places + PLACE_SLOTS * place, vertices[setup.tiles + place]
        row[IS_PLACE] = 1.0
        write_cell(setup, state[record + PLACE_CELL], row)
        write_sides(state[record + REQUIRED] & state[record + MASK], row[SIDE:])
    for feature in range(game.size):
        game[feature] = 0.0
    if state[DEALT] != NO_TILE:
        write_sides(setup.words[SIDES * state[DEALT]], game)
        if setup.official:
            marks = game[DEALT_FEATURES + SEAT_FEATURES * seats :]
            write_marks(setup, SIDES * state[DEALT], marks)
    game[SIDES] = state[REMAINING] / setup.tiles
    for other in range(seats):
        slots = SEATS + SEAT_SLOTS * ((seat + other) % seats)
        game[DEALT_FEATURES + SEAT_FEATURES * other] = state[slots + POINTS]
        game[DEALT_FEATURES + SEAT_FEATURES * other + 1] = state[slots + HAND]


@compiled
def write_cell(setup: CarcassonneSetup, cell: int, row: Features) -> None:
    """Write the coordinates of a cell, relative to the first tile."""
    layout = setup.layout
    row[X] = cell % layout.stride - layout.reach
    row[Y] = cell // layout.stride - layout.reach


@compiled
def write_sides(word: int, out: Features) -> None:
    """Write the patterns of the four sides of a word, one in each byte."""
    for side in range(SIDES):
        out[side] = (word >> (BITS * side)) & NEVER


@compiled
def write_marks(setup: CarcassonneSetup, orientation: int, out: Features) -> None:
    """Write for each side whether its city has a shield on this tile, then the monastery."""
    features, record = setup.features[orientation], setup.orientations[orientation]
    for side in range(SIDES):
        component = record[COMPONENT + ON_SIDE * side + 1]
        out[side] = (features[SHIELDED] >> component) & 1
    out[SIDES] = features[MONASTERY]


@implements(touch, CarcassonneSetup)
def carcassonne_touch(
    setup: CarcassonneSetup, state: State, moves: Moves, kinds: Moves, ends: Moves, vertices: Moves
) -> None:
    # The kind of a move is its rotation, and the vertex of its meeple or none.
    for place in range(moves.size):
        kinds[place] = (moves[place] - setup.kinds) % (SIDES * CHOICES)
        cell = (moves[place] - setup.kinds) // (SIDES * CHOICES)
        vertices[place] = setup.tiles - 1 - state[find_entry(setup, state, cell)]
        ends[place] = place + 1
