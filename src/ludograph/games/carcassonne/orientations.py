"""Tiles packed into numbers for the rules: orientations, and features of the board game.

An *orientation* is a kind of tile turned by some quarters; its number is ``4 * kind + quarters``.
Its record has ``ORIENTATION_SLOTS`` numbers. Its components are numbered in the order of their
first vertices, clockwise from NW.

At the start every vertex on the rim is an *open edge* of its component: it faces no tile yet.

A *feature* is a road, a city, a field or a monastery. The features of a tile are its components,
where castles are parts of cities, and its monastery in the middle. A center where roads meet is a
component of its own, but not a feature.

Each orientation has a record of features, too, by its number. Sets of its components are
bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.tiles import ON_SIDE, POINTS, RIM, SIDES, VERTICES, Terrain, Tile

IntArray = npt.NDArray[np.int32]

COMPONENT: Final = 0
"""The component of each of the 13 vertices."""
REQUIRES: Final = 13
"""For each of the 4 sides: the bits that it requires in the word of the tile beyond it."""
COMPONENT_COUNT: Final = 17
"""The number of the tile's components."""
ROTATIONS: Final = 18
"""The number of different orientations of the kind."""
PLAIN: Final = 19
"""The sides whose three vertices belong to one component, a bit each."""
TOUCHING: Final = 20
"""For each of the 4 sides: the components that have a vertex on it, a bit each."""
NODE: Final = 24
"""For each of 13 components: its vertices, its open edges, the points for a vertex, and its first
vertex, four bits each; then 0 up to a multiple of ``AT_ONCE``."""
AT_ONCE: Final = 4
"""The number of components that are written together."""
SAME_TERRAIN: Final = 40
"""For each of 13 components: the other components of its terrain, a bit each. A ply without meeples
reads no slot from here on."""
ORIENTATION_SLOTS: Final = 53

BITS = 8
NEVER = 2**BITS - 1
"""A pattern that no side of any tile of the deck has."""

Pattern = tuple[int, ...]


def pack_orientations(tiles: Sequence[Tile]) -> tuple[IntArray, IntArray]:
    """Return the records and the words of all orientations of some kinds of tiles.

    Returns
    -------
    orientations : int32[4 * len(tiles), ORIENTATION_SLOTS]
    words : int32[4 * len(tiles)]
        The four sides of each orientation, a byte each, the north lowest: numbers of patterns.

    Raises
    ------
    InvalidInput
        If the tiles have more than 254 different patterns of terrains on their sides.
    """
    patterns = _number_patterns(tiles)
    orientations = np.zeros((len(tiles) * SIDES, ORIENTATION_SLOTS), np.int64)
    words = np.zeros(len(tiles) * SIDES, np.int64)
    for kind, tile in enumerate(tiles):
        turns = sum(1 for _ in tile.rotations())
        for quarters in range(SIDES):
            number = SIDES * kind + quarters
            turned = tile.rotated(quarters).relabeled()
            _fill(orientations[number], turned, turns, patterns)
            for side in range(SIDES):
                words[number] |= patterns[turned.side(side)] << (BITS * side)
    return _as_int32(orientations), _as_int32(words)


def _as_int32(bits: npt.NDArray[np.int64]) -> IntArray:
    """Return numbers of up to 32 bits as ``int32`` with the same bits."""
    return bits.astype(np.uint32).view(np.int32)


def side_mask(side: int) -> int:
    """Return the bits of a side in a word."""
    return ((1 << BITS) - 1) << (BITS * side)


def _number_patterns(tiles: Iterable[Tile]) -> dict[Pattern, int]:
    """Return the number of each pattern, from 1. A pattern is three terrains, clockwise."""
    patterns: dict[Pattern, int] = {}
    for tile in tiles:
        for side in range(SIDES):
            patterns.setdefault(tile.side(side), len(patterns) + 1)
    if len(patterns) >= NEVER:
        raise InvalidInput(
            f"carcassonne: the tiles have {len(patterns)} different sides, "
            f"the rules can tell {NEVER - 1} apart"
        )
    return patterns


def _fill(
    orientation: npt.NDArray[np.int64], tile: Tile, turns: int, patterns: dict[Pattern, int]
) -> None:
    """Write the record of a turned tile, whose components are numbered by first vertices."""
    orientation[COMPONENT : COMPONENT + VERTICES] = tile.components
    for side in range(SIDES):
        beyond = (side + SIDES // 2) % SIDES
        on_side = tile.components[ON_SIDE * side : ON_SIDE * (side + 1)]
        orientation[PLAIN] |= (len(set(on_side)) == 1) << side
        orientation[TOUCHING + side] = sum(1 << component for component in set(on_side))
        orientation[REQUIRES + side] = patterns.get(tile.side(side)[::-1], NEVER) << (BITS * beyond)
    count = max(tile.components) + 1
    orientation[COMPONENT_COUNT] = count
    orientation[ROTATIONS] = turns
    for component in range(count):
        first = tile.components.index(component)
        vertices = tile.components.count(component)
        open_edges = tile.components[:RIM].count(component)
        points = POINTS[tile.terrains[first]]
        orientation[NODE + component] = vertices | open_edges << 4 | points << 8 | first << 12
        same_terrain = {
            tile.components[vertex]
            for vertex in range(VERTICES)
            if tile.terrains[vertex] == tile.terrains[first]
        }
        others = same_terrain - {component}
        orientation[SAME_TERRAIN + component] = sum(1 << other for other in others)


CLAIMABLE: Final = 0
"""The components on which a meeple may be put; by the course rules all of them."""
MONASTERY: Final = 1
"""1 if the tile has a monastery for a meeple; by the course rules 0."""
ROADS: Final = 2
CITIES: Final = 3
FIELDS: Final = 4
"""The components that are parts of roads, cities, fields."""
SHIELDED: Final = 5
"""The components that have a shield."""
ALIKE: Final = 6
"""Roads and castles, if the tile has several of them: they may be joined beyond the tile."""
TOUCHES: Final = 7
"""For each of 13 components: if it is a field, the castles that it touches on this tile."""
FEATURE_SLOTS: Final = 20

EVERY = (1 << VERTICES) - 1


def pack_features(tiles: Sequence[Tile], *, official: bool) -> IntArray:
    """Return the records of all orientations of some kinds of tiles.

    Returns
    -------
    int32[4 * len(tiles), FEATURE_SLOTS]
        By the course rules all components are claimable, and all other slots are 0.
    """
    features = np.zeros((SIDES * len(tiles), FEATURE_SLOTS), np.int32)
    if not official:
        features[:, CLAIMABLE] = EVERY
        return features
    for kind, tile in enumerate(tiles):
        for quarters in range(SIDES):
            _fill_features(features[SIDES * kind + quarters], tile.rotated(quarters).relabeled())
    return features


def _fill_features(record: IntArray, tile: Tile) -> None:
    """Write the record of a turned tile, whose components are numbered by first vertices."""
    rim = tile.components[:RIM]
    parts = {number: tile.terrains[rim.index(number)] for number in rim}
    for slot, terrain in (
        (ROADS, Terrain.ROAD),
        (CITIES, Terrain.CASTLE),
        (FIELDS, Terrain.FIELD),
    ):
        found = [number for number, own in parts.items() if own == terrain]
        record[slot] = _bits(found)
        if terrain != Terrain.FIELD and len(found) > 1:
            record[ALIKE] |= _bits(found)
    record[CLAIMABLE] = record[ROADS] | record[CITIES] | record[FIELDS]
    record[MONASTERY] = int(tile.monastery)
    record[SHIELDED] = _bits(tile.components[vertex] for vertex in tile.shields)
    for vertex in range(RIM):
        for near in (vertex - 1, (vertex + 1) % RIM):
            field, castle = tile.components[vertex], rim[near]
            if parts[field] == Terrain.FIELD and parts[castle] == Terrain.CASTLE:
                record[TOUCHES + field] |= 1 << castle


def _bits(components: Iterable[int]) -> int:
    return sum(1 << component for component in set(components))
