"""What lies on the table, as the host of a C player knows it: from the codes of moves alone.

It tells where a tile can lie and where a meeple can stand, so that the answers of a C player can be
refused with the reason. The rules themselves are the referee's; here are neither they nor NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ludograph.games.carcassonne.tiles import (
    ON_SIDE,
    RIM,
    SIDES,
    STEPS,
    TERRAIN_NAMES,
    Tile,
    facing,
)

SERVER = -1
NO_CONNECTION = 14
"""In what players are told: no meeple."""

NO_VERTEX = 13
CHOICES = 14
"""In the code of a move: no meeple; the number of choices for one."""

SIDE_NAMES = ("north", "east", "south", "west")


class Placement(NamedTuple):
    """A tile as it was placed, and the vertex of the meeple or `NO_CONNECTION`."""

    player: int
    x: int
    y: int
    tile: Tile
    meeple: int


class Kinds:
    """The tiles of a deck as an object of a deck file: see ``deck_files.to_data``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        entries = data["tiles"]
        self.first = read_tile(data["first"])
        self.names: list[str] = [entry["name"] for entry in entries]
        self.tiles = [read_tile(entry) for entry in entries]
        self.counts: list[int] = [entry["count"] for entry in entries]


def read_tile(data: Mapping[str, Any]) -> Tile:
    """Return a tile of a deck file."""
    return Tile(tuple(data["components"]), tuple(map(TERRAIN_NAMES.index, data["terrains"])))


class Cells:
    """How cells are numbered in the codes of moves: see ``setup.Ground``."""

    def __init__(self, data: Mapping[str, int]) -> None:
        self.reach = data["reach"]
        self.stride = data["stride"]

    def number(self, x: int, y: int) -> int:
        """Return the number of a cell."""
        return (y + self.reach) * self.stride + x + self.reach

    def coordinates(self, cell: int) -> tuple[int, int]:
        """Return x and y of a cell."""
        row, column = divmod(cell, self.stride)
        return column - self.reach, row - self.reach


class Country:
    """All tiles on the table, what they are merged into, and the meeples of two players.

    Attributes
    ----------
    dealt
        The kind of the tile that was dealt last, or None.
    last
        What was placed last, by whom.
    hands
        How many meeples each player has left.
    """

    def __init__(self, kinds: Kinds, cells: Cells, meeples: int) -> None:
        self.kinds = kinds
        self.cells = cells
        self.hands = [meeples, meeples]
        self.dealt: int | None = None
        self.tiles: dict[tuple[int, int], Tile] = {}
        self.nodes: dict[tuple[int, int], Sequence[int]] = {}  # of each vertex of a tile
        self.parents: list[int] = []  # of the nodes; a root is its own
        self.ends: list[int] = []  # of the roots: vertices on rims that face no tile
        self.claims: dict[int, list[int]] = {}  # of roots with meeples: how many of each player
        self.last = Placement(SERVER, 0, 0, kinds.first, NO_CONNECTION)
        self.lay(0, 0, kinds.first)

    def follow(self, codes: Sequence[int]) -> None:
        """Take in what the referee has checked: deals and placements.

        That a player drops out needs no notice: a game for two is over then.
        """
        for code in codes:
            if code >= len(self.kinds.tiles):
                self.placed(code)
            elif code >= 0:
                self.dealt = code

    def placed(self, code: int) -> None:
        """Take in the placement of the tile that was dealt last."""
        assert self.dealt is not None
        where, vertex = divmod(code - len(self.kinds.tiles), CHOICES)
        cell, quarters = divmod(where, SIDES)
        x, y = self.cells.coordinates(cell)
        tile = self.kinds.tiles[self.dealt].rotated(quarters)
        player = 0 if self.last.player == SERVER else 1 - self.last.player
        self.lay(x, y, tile)
        self.settle(player, x, y, NO_CONNECTION if vertex == NO_VERTEX else vertex)

    def code(self, x: int, y: int, quarters: int, meeple: int) -> int:
        """Return the code of a placement; of the vertices of a component it has the first."""
        vertex = NO_VERTEX
        if meeple != NO_CONNECTION:
            nodes = self.nodes[x, y]
            vertex = nodes.index(nodes[meeple])
        where = SIDES * self.cells.number(x, y) + quarters
        return len(self.kinds.tiles) + CHOICES * where + vertex

    def why_not(self, x: int, y: int, tile: Tile) -> str:
        """Return why a tile cannot lie on a cell; an empty text if it can."""
        if (x, y) in self.tiles:
            return f"the cell {x},{y} is not free"
        beside = [(x + right, y + up) for right, up in STEPS]
        if not any(cell in self.tiles for cell in beside):
            return f"no tile lies beside the cell {x},{y}"
        most = self.cells.reach - 1
        if max(abs(x), abs(y)) > most:
            return f"the table ends at {-most} and {most}"
        for side, cell in enumerate(beside):
            other = self.tiles.get(cell)
            if other is not None and not tile.fits(side, other):
                theirs = other.side((side + 2) % SIDES)[::-1]
                return (
                    f"its {SIDE_NAMES[side]}, {terrains(tile.side(side))}, does not match the tile "
                    f"at {cell[0]},{cell[1]}, which has {terrains(theirs)} there"
                )
        return ""

    def holders(self, x: int, y: int, vertex: int) -> list[int]:
        """Return the players with meeples in the component of a vertex of a tile that lies."""
        claims = self.claims.get(self.root(self.nodes[x, y][vertex]), ())
        return [player for player, count in enumerate(claims) if count]

    def lay(self, x: int, y: int, tile: Tile) -> None:
        """Put a tile on a cell and merge it with those around; `settle` is to follow."""
        components = tile.relabeled().components
        first, count = len(self.parents), max(components) + 1
        self.parents.extend(range(first, first + count))
        self.ends.extend(components[:RIM].count(component) for component in range(count))
        nodes = [first + component for component in components]
        self.tiles[x, y], self.nodes[x, y] = tile, nodes
        for vertex in range(RIM):
            right, up = STEPS[vertex // ON_SIDE]
            beyond = self.nodes.get((x + right, y + up))
            if beyond is not None:
                self.join(nodes[vertex], beyond[facing(vertex)])

    def settle(self, player: int, x: int, y: int, meeple: int) -> None:
        """Put a player's meeple on the tile just laid, if any; return those of what has closed."""
        nodes = self.nodes[x, y]
        self.last = Placement(player, x, y, self.tiles[x, y], meeple)
        if meeple != NO_CONNECTION:
            self.claims.setdefault(self.root(nodes[meeple]), [0, 0])[player] += 1
            self.hands[player] -= 1
        for root in {self.root(node) for node in nodes}:
            if not self.ends[root]:
                for owner, count in enumerate(self.claims.pop(root, ())):
                    self.hands[owner] += count

    def join(self, one: int, other: int) -> None:
        """Merge two facing vertices, given by their nodes."""
        root, other = self.root(one), self.root(other)
        if root != other:
            self.parents[other] = root
            self.ends[root] += self.ends[other]
            theirs = self.claims.pop(other, None)
            if theirs is not None:
                own = self.claims.get(root, (0, 0))
                self.claims[root] = [a + b for a, b in zip(own, theirs, strict=True)]
        self.ends[root] -= 2

    def root(self, node: int) -> int:
        """Return the node that stands for the whole component of one."""
        parents = self.parents
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node


def terrains(values: Sequence[int]) -> str:
    """Return terrains by their names."""
    return " ".join(TERRAIN_NAMES[value] for value in values)
