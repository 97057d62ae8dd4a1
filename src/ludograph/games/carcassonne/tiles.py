"""Tiles: small graphs of 13 vertices, placed side by side in four rotations.

Twelve vertices lie on the rim, three on each side, clockwise from the top left; the thirteenth is
the center. Connected vertices of a tile have the same component number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

from ludograph.errors import InvalidInput

NW: Final = 0
NN: Final = 1
NE: Final = 2
EN: Final = 3
EE: Final = 4
ES: Final = 5
SE: Final = 6
SS: Final = 7
SW: Final = 8
WS: Final = 9
WW: Final = 10
WN: Final = 11
CENTER: Final = 12

VERTEX_NAMES = ("NW", "NN", "NE", "EN", "EE", "ES", "SE", "SS", "SW", "WS", "WW", "WN", "CENTER")
VERTICES = 13
RIM = 12
"""Vertices on the rim: 0 to 11."""
SIDES = 4
ON_SIDE = 3
"""Vertices on each side: side ``s`` has ``3 * s`` to ``3 * s + 2``. The sides are north, east,
south, west."""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The step from a cell ``(x, y)`` to the cell beyond each side: x grows eastward, y northward."""


class Terrain(IntEnum):
    """The terrain of a vertex; only fields, roads and castles give points."""

    GREEN = 0
    GRAY = 1
    BLUE = 2
    BROWN = 3
    PURPLE = 4
    GOLD = 5
    AZURE = 6
    MAHOGANY = 7

    FIELD = 0
    ROAD = 1
    CASTLE = 3


TERRAIN_NAMES = ("field", "road", "blue", "castle", "purple", "gold", "azure", "mahogany")
"""The names of the terrains in texts and files."""

POINTS = (1, 4, 0, 8, 0, 0, 0, 0)
"""The points for each vertex of a closed component, by its terrain."""


def facing(vertex: int) -> int:
    """Return the vertex of the neighboring tile that faces a vertex of the rim.

    NW faces SW, and EN faces WN. Facing sides run in opposite directions, as all rims run
    clockwise.
    """
    side, place = divmod(vertex, ON_SIDE)
    return (side + 2) % SIDES * ON_SIDE + ON_SIDE - 1 - place


@dataclass(frozen=True, eq=False)
class Tile:
    """A tile in one orientation.

    Component numbers are only names. Two tiles are equal if they have the same connected vertices,
    terrains, castles with shields, and monastery. A turned tile is another tile. Shields and
    monasteries count by the official rules only.
    """

    components: tuple[int, ...]
    """13 numbers, 0 to 12: vertices with the same number are connected."""
    terrains: tuple[int, ...]
    """13 values of :class:`Terrain`, the same within each component."""
    shields: tuple[int, ...] = ()
    """One vertex of each castle that has a shield."""
    monastery: bool = False
    """Whether a monastery stands in the middle."""

    def rotated(self, quarters: int) -> Tile:
        """Return the tile turned clockwise by a number of quarters; the center stays."""
        shift = ON_SIDE * (quarters % SIDES)
        shields = tuple((v + shift) % RIM if v < RIM else v for v in self.shields)
        return Tile(
            _turned(self.components, shift),
            _turned(self.terrains, shift),
            shields,
            self.monastery,
        )

    def bare(self) -> Tile:
        """Return the tile without shields and monastery, as the course rules use it."""
        return Tile(self.components, self.terrains)

    def rotations(self) -> Iterator[tuple[int, Tile]]:
        """Yield the quarters 0 to 3 and the turned tile, each different tile once.

        If several quarters give the same tile, the least number is yielded.
        """
        seen = set()
        for quarters in range(SIDES):
            tile = self.rotated(quarters)
            if tile not in seen:
                seen.add(tile)
                yield quarters, tile

    def relabeled(self) -> Tile:
        """Return the tile with its components numbered in the order of their first vertices.

        After this, equal tiles have equal numbers.
        """
        names: dict[int, int] = {}
        numbers = tuple(names.setdefault(number, len(names)) for number in self.components)
        return Tile(numbers, tuple(map(int, self.terrains)), self.shields, self.monastery)

    def side(self, side: int) -> tuple[int, ...]:
        """Return the terrains of a side, 0 to 3 from the north, clockwise: three values."""
        return self.terrains[ON_SIDE * side : ON_SIDE * (side + 1)]

    def terrain_name(self, vertex: int) -> str:
        """Return the name of a vertex's terrain: ``field``, ``road``, ``castle`` or another."""
        return TERRAIN_NAMES[self.terrains[vertex]]

    def fits(self, side: int, other: Tile) -> bool:
        """Tell whether another tile may lie beyond a side: the facing terrains must be equal."""
        return self.side(side) == other.side((side + 2) % SIDES)[::-1]

    def check(self) -> None:
        """Raise InvalidInput if the tile is malformed; the message begins with the wrong field."""
        for field, entries in (("components", self.components), ("terrains", self.terrains)):
            if len(entries) != VERTICES:
                raise InvalidInput(
                    f"{field}: a tile has {VERTICES} vertices, here are {len(entries)}"
                )
        first: dict[int, int] = {}
        for vertex, number in enumerate(self.components):
            if not 0 <= number < VERTICES:
                raise InvalidInput(
                    f"components[{vertex}]: a component is 0 to {VERTICES - 1}, got {number}"
                )
            if not 0 <= self.terrains[vertex] < len(Terrain):
                raise InvalidInput(
                    f"terrains[{vertex}]: a terrain is 0 to {len(Terrain) - 1}, "
                    f"got {self.terrains[vertex]}"
                )
            start = first.setdefault(number, vertex)
            if self.terrains[vertex] != self.terrains[start]:
                raise InvalidInput(
                    f"terrains[{vertex}]: component {number} is {self.terrain_name(vertex)} at "
                    f"{VERTEX_NAMES[vertex]} and {self.terrain_name(start)} at "
                    f"{VERTEX_NAMES[start]}"
                )
        self._check_ornaments()

    def _check_ornaments(self) -> None:
        """Raise InvalidInput unless shields are on castles and a monastery is in a field."""
        bearing: set[int] = set()
        for index, vertex in enumerate(self.shields):
            if not 0 <= vertex < VERTICES or self.terrains[vertex] != Terrain.CASTLE:
                raise InvalidInput(
                    f"shields[{index}]: expected a vertex of a castle, 0 to {VERTICES - 1}, "
                    f"got {vertex}"
                )
            if self.components[vertex] in bearing:
                raise InvalidInput(f"shields[{index}]: this castle has a shield already")
            bearing.add(self.components[vertex])
        if self.monastery and self.terrains[CENTER] != Terrain.FIELD:
            raise InvalidInput(
                f"monastery: expected a field at CENTER, which is {self.terrain_name(CENTER)}"
            )

    @cached_property
    def _key(self) -> tuple[tuple[int, ...], tuple[int, ...], frozenset[int], bool]:
        same = self.relabeled()
        shielded = frozenset(same.components[vertex] for vertex in self.shields)
        return same.components, same.terrains, shielded, self.monastery

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tile):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _turned(entries: tuple[int, ...], shift: int) -> tuple[int, ...]:
    """Return 13 entries, those of the rim moved clockwise by a number of vertices."""
    start = RIM - shift
    return entries[start:RIM] + entries[:start] + entries[RIM:]
