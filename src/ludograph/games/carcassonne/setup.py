"""The setup of Carcassonne: the deck, the mode, the seats, the table; tiles packed into numbers.

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
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import Deck
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


def pack_orientations(
    tiles: Sequence[Tile], *, official: bool
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the records, the words and the features of all orientations of some kinds of tiles.

    Returns
    -------
    orientations : int32[4 * len(tiles), ORIENTATION_SLOTS]
    words : int32[4 * len(tiles)]
        The four sides of each orientation, a byte each, the north lowest: numbers of patterns.
    features : int32[4 * len(tiles), FEATURE_SLOTS]
        By the course rules all components are claimable, and all other slots are 0.

    Raises
    ------
    InvalidInput
        If the tiles have more than 254 different patterns of terrains on their sides.
    """
    patterns = _number_patterns(tiles)
    orientations = np.zeros((len(tiles) * SIDES, ORIENTATION_SLOTS), np.int64)
    words = np.zeros(len(tiles) * SIDES, np.int64)
    features = np.zeros((len(tiles) * SIDES, FEATURE_SLOTS), np.int32)
    if not official:
        features[:, CLAIMABLE] = EVERY
    for kind, tile in enumerate(tiles):
        turns = sum(1 for _ in tile.rotations())
        for quarters in range(SIDES):
            number = SIDES * kind + quarters
            turned = tile.rotated(quarters).relabeled()
            _fill(orientations[number], turned, turns, patterns)
            if official:
                _fill_features(features[number], turned)
            for side in range(SIDES):
                words[number] |= patterns[turned.side(side)] << (BITS * side)
    return _as_int32(orientations), _as_int32(words), features


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


NO_MEEPLE, INFINITE_MEEPLE, FINITE_MEEPLE = range(3)
MODES = ("NO_MEEPLE", "INFINITE_MEEPLE", "FINITE_MEEPLE")

MAX_SEATS = 64
MAX_OFFICIAL_SEATS = 5
MOST_MEEPLES = 10_000
FARTHEST = 3000
"""The edge of the table: the greatest coordinate of a tile. A deck of up to 3001 tiles cannot pass
it."""

NO_VERTEX = 13
"""The vertex of a move code without a meeple."""
CHOICES = 14
"""The number of vertices in move codes: 13 vertices for a meeple, or none."""

HEADER_SLOTS = 12
SEAT_SLOTS = 3
TILE_SLOTS = 4
PLACE_SLOTS = 3
PLAIN_NODE = 2
CLAIMED_NODE = 3
"""Slots of a node in games with meeples, before the slots for the seats."""
FEATURE_NODE_SLOTS = 3
"""Further slots of a node by the official rules: see :mod:`.official`."""
TALLY = ("roads", "cities", "monasteries", "farms")
FOR_ROADS, FOR_CITIES, FOR_MONASTERIES, FOR_FARMS = range(len(TALLY))
AT_END = len(TALLY)
TALLY_SLOTS = 2 * len(TALLY)
"""For each seat: its points by feature during the game, and from ``AT_END`` those at its end."""


class Layout(NamedTuple):
    """The layout of a state: the slots of its records, and the numbers of cells on the table.

    The cell ``(x, y)`` has the number ``(y + reach) * stride + x + reach``.
    """

    reach: int
    """One more than the greatest coordinate of a tile."""
    stride: int
    """The difference between the numbers of a cell and of its northern neighbor."""
    edged: int
    """1 if tiles of this large deck could be laid beyond the edge of the table."""
    mask: int
    """One less than the number of entries of the hash table, which is a power of two."""
    left: int
    """Slot of the number of remaining tiles of kind 0."""
    bag: int
    """Slot of the bag: the numbers of the remaining tiles, in any order."""
    bag_index: int
    """Slot of the index of tile 0 in the bag; the index is valid while the tile remains."""
    tiles: int
    """Slot of the first tile's record."""
    places: int
    """Slot of the first place's record."""
    table: int
    """Slot of the first entry of the hash table."""
    nodes: int
    """Slot of the first node's record."""
    width: int
    """The number of slots of a node."""
    parts: int
    """The offset of a node's slots for the official rules."""
    tally: int
    """Slot of the tally of seat 0: its points by feature."""
    size: int
    """The number of slots of a state."""


class CarcassonneSetup(NamedTuple):
    """The kinds of a deck, and all other parameters of a game.

    After the kinds that are dealt comes the kind of the first tile.
    """

    orientations: IntArray
    """``int32[4 * (kinds + 1), ORIENTATION_SLOTS]``: see :mod:`.orientations`."""
    words: IntArray
    """``int32[4 * (kinds + 1)]``: the sides of each orientation, see :func:`pack_orientations`."""
    steps: IntArray
    """``int32[4]``: the difference of cell numbers across each side."""
    masks: IntArray
    """``int32[4]``: the bits of each side in a word."""
    counts: IntArray
    """``int32[kinds]``: the number of tiles of each kind."""
    kind_of: IntArray
    """``int32[tiles - 1]``: the kind of each tile to deal; equal tiles have numbers in a row."""
    first_of: IntArray
    """``int32[kinds]``: the number of the first tile of each kind."""
    layout: Layout
    kinds: int
    """The number of kinds of tiles to deal."""
    tiles: int
    """The number of tiles, the first one included."""
    seats: int
    mode: int
    meeples: int
    """The number of meeples of each seat, if meeples are limited; else 0."""
    discard: int
    """1 if a tile that fits nowhere is discarded; 0 if its seat is eliminated, too."""
    capacity: int
    """An upper bound of the number of legal moves, and of outcomes of chance."""
    names: IntArray
    """The names of all kinds, joined, as Unicode code points: texts of deals contain them."""
    name_ends: IntArray
    """``int32[kinds]``: the end of each name in ``names``."""
    official: int
    """1 by the rules of the board game, 0 by the course rules."""
    features: IntArray
    """``int32[4 * (kinds + 1), FEATURE_SLOTS]``: see :mod:`.orientations`."""


def make_setup(
    deck: Deck,
    mode: int,
    *,
    seats: int = 2,
    meeples: int = 7,
    discard: bool = False,
    official: bool = False,
) -> CarcassonneSetup:
    """Return the setup of a game.

    Raises
    ------
    InvalidInput
        If the deck is not valid, or has more different sides than the rules can distinguish; if a
        number is out of range, or a parameter does not agree with the official rules.
    """
    check_parameters(deck, mode, seats, meeples, discard=discard, official=official)
    tiles = [kind.tile for kind in deck.kinds] + [deck.first]
    orientations, words, features = pack_orientations(tiles, official=official)
    counts = np.array([kind.count for kind in deck.kinds], np.int32)
    turns, components = orientations[::SIDES, ROTATIONS], orientations[::SIDES, COMPONENT_COUNT]
    nodes = int(components[:-1] @ counts + components[-1])
    layout = make_layout(
        deck.size,
        len(counts),
        seats,
        nodes,
        with_meeples=mode != NO_MEEPLE,
        official=official,
    )
    choices = components + 1 + features[::SIDES, MONASTERY]
    ways = turns * choices if mode != NO_MEEPLE else turns
    names = [kind.name for kind in deck.kinds]
    return CarcassonneSetup(
        orientations=orientations,
        words=words,
        steps=np.array([layout.stride, 1, -layout.stride, -1], np.int32),
        masks=np.array([side_mask(side) for side in range(SIDES)], np.uint32).view(np.int32),
        counts=counts,
        kind_of=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        first_of=(np.cumsum(counts) - counts).astype(np.int32),
        layout=layout,
        kinds=len(counts),
        tiles=deck.size,
        seats=seats,
        mode=mode,
        meeples=meeples if mode == FINITE_MEEPLE else 0,
        discard=int(discard),
        capacity=max(len(counts), 2 * deck.size * int(ways[:-1].max())),
        names=np.array([ord(letter) for name in names for letter in name], np.int32),
        name_ends=np.cumsum([len(name) for name in names]).astype(np.int32),
        official=int(official),
        features=features,
    )


def check_parameters(
    deck: Deck, mode: int, seats: int, meeples: int, *, discard: bool, official: bool
) -> None:
    """Raise InvalidInput if the deck or a number is not valid, or the rules do not allow it."""
    try:
        deck.check()
    except InvalidInput as error:
        raise InvalidInput(f"carcassonne: {error}") from None
    most = MAX_OFFICIAL_SEATS if official else MAX_SEATS
    if not 2 <= seats <= most:
        by = " by the official rules" if official else ""
        raise InvalidInput(f"carcassonne: the number of seats must be 2 to {most}{by}, got {seats}")
    if not 1 <= meeples <= MOST_MEEPLES:
        raise InvalidInput(
            f"carcassonne: the number of meeples must be 1 to {MOST_MEEPLES}, got {meeples}"
        )
    if official and mode != FINITE_MEEPLE:
        raise InvalidInput(
            f"carcassonne: by the official rules the mode is FINITE_MEEPLE, not {MODES[mode]}"
        )
    if official and not discard:
        raise InvalidInput(
            "carcassonne: by the official rules a tile that fits nowhere is put away (discard)"
        )


def make_layout(
    tiles: int, kinds: int, seats: int, nodes: int, *, with_meeples: bool, official: bool
) -> Layout:
    """Return the layout of a state for these numbers of tiles, kinds, seats and nodes."""
    around = 2 * tiles + 2  # the greatest number of places beside the tiles
    entries = 1 << (2 * (tiles + around) - 1).bit_length()
    reach = min(tiles - 1, FARTHEST) + 1
    parts = CLAIMED_NODE + seats if with_meeples else PLAIN_NODE
    width = parts + FEATURE_NODE_SLOTS if official else parts
    left = HEADER_SLOTS + SEAT_SLOTS * seats
    tiles_at = left + kinds
    places = tiles_at + TILE_SLOTS * tiles
    table = places + PLACE_SLOTS * around
    nodes_at = table + entries
    tally = nodes_at + width * (nodes + AT_ONCE - 1)
    bag = tally + TALLY_SLOTS * seats
    return Layout(
        reach=reach,
        stride=find_stride(2 * reach + 1, entries),
        edged=int(tiles - 1 > FARTHEST),
        mask=entries - 1,
        left=left,
        bag=bag,
        bag_index=bag + tiles - 1,
        tiles=tiles_at,
        places=places,
        table=table,
        nodes=nodes_at,
        width=width,
        parts=parts,
        tally=tally,
        size=bag + 2 * (tiles - 1),
    )


def find_stride(least: int, entries: int) -> int:
    """Return a stride for which neighboring cells get different entries of the hash table.

    The entry of a cell is its number modulo a power of two, so two cells share an entry if their
    difference is a vector of a lattice. The result is the stride, from the least one on, whose
    lattice has the longest shortest vector: connected tiles of up to that diameter have no
    collisions.
    """
    rows = np.arange(1, int(2 * entries**0.5) + 2)

    def shortest(stride: int) -> int:
        columns = (rows * stride + entries // 2) % entries - entries // 2
        return int((rows**2 + columns**2).min())

    return max(range(least, least + 65), key=shortest)


def kind_name(setup: CarcassonneSetup, kind: int) -> str:
    """Return the name of a kind of tiles."""
    begin = int(setup.name_ends[kind - 1]) if kind else 0
    return "".join(map(chr, setup.names[begin : setup.name_ends[kind]].tolist()))
