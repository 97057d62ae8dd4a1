"""The features of a tile in the board game, packed into numbers for the rules.

A *feature* is a road, a city, a field or a monastery. The features of a tile are its components,
where castles are parts of cities, and its monastery in the middle. A center where roads meet is a
component of its own, but not a feature.

Each orientation has a record, by its number as in :mod:`.orientations`. Sets of its components are
bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from ludograph.games.carcassonne.orientations import IntArray
from ludograph.games.carcassonne.tiles import RIM, SIDES, VERTICES, Terrain, Tile

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
            _fill(features[SIDES * kind + quarters], tile.rotated(quarters).relabeled())
    return features


def _fill(record: IntArray, tile: Tile) -> None:
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
