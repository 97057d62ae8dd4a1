"""The tiles that lie on the table, as one graph: for the reference of Carcassonne."""

from collections.abc import Mapping, Sequence

import networkx as nx

Tile = tuple[Sequence[int], Sequence[int]]
"""13 component numbers and 13 terrains: twelve around the rim, clockwise from the top left, three
on each side, and the center."""

Cell = tuple[int, int]
"""x grows to the east, y to the north."""

Vertex = tuple[int, int, int]
"""The cell and a vertex of the tile there."""

Part = frozenset[Vertex]
"""A component of the world graph."""

BEYOND = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

FACING = {
    **dict.fromkeys((0, 1, 2), "north"),
    **dict.fromkeys((3, 4, 5), "east"),
    **dict.fromkeys((6, 7, 8), "south"),
    **dict.fromkeys((9, 10, 11), "west"),
}
OPPOSITE = {0: 8, 1: 7, 2: 6, 3: 11, 4: 10, 5: 9, 6: 2, 7: 1, 8: 0, 9: 5, 10: 4, 11: 3}
CENTER = 12


def turned(tile: Tile, quarters: int) -> Tile:
    """A tile after so many quarter turns clockwise."""
    components, terrains = map(list, tile)
    for _ in range(quarters):
        components = components[9:12] + components[0:9] + [components[CENTER]]
        terrains = terrains[9:12] + terrains[0:9] + [terrains[CENTER]]
    return components, terrains


def joined(tile: Tile) -> list[tuple[int, int]]:
    """The pairs of vertices of a tile that are in one component: what its numbers mean."""
    components, _ = tile
    return [(v, w) for w in range(13) for v in range(w) if components[v] == components[w]]


def same(one: Tile, other: Tile) -> bool:
    """Whether two tiles differ in the names of their components at most."""
    return joined(one) == joined(other) and list(one[1]) == list(other[1])


def across(x: int, y: int, v: int) -> Vertex | None:
    """What a vertex of the rim faces, if a tile lies there; `None` for a center."""
    if v == CENTER:
        return None
    dx, dy = BEYOND[FACING[v]]
    return x + dx, y + dy, OPPOSITE[v]


class World:
    """The world graph of some tiles. It never changes: another tile makes another world.

    A vertex of the graph is a set of one (x, y, v), or of two that face each other: these are
    merged.

    Attributes:
        tiles: the tiles by their cells, as they lie.
        parts: the components of the graph, each the set of its (x, y, v).

    """

    def __init__(self, tiles: Mapping[Cell, Tile]) -> None:
        self.tiles = dict(tiles)
        graph = nx.Graph()
        for (x, y), tile in tiles.items():
            graph.add_nodes_from(self._merged((x, y, v)) for v in range(13))
            for v, w in joined(tile):
                graph.add_edge(self._merged((x, y, v)), self._merged((x, y, w)))
        self.parts: list[Part] = [
            frozenset().union(*vertices) for vertices in nx.connected_components(graph)
        ]

    def part_of(self, vertex: Vertex) -> Part:
        """The component of a vertex."""
        return next(part for part in self.parts if vertex in part)

    def size(self, part: Part) -> int:
        """The number of vertices of a component after merging."""
        return len({self._merged(vertex) for vertex in part})

    def terrain(self, part: Part) -> int:
        """The terrain of a component."""
        (terrain,) = {self.tiles[x, y][1][v] for x, y, v in part}
        return terrain

    def is_closed(self, part: Part) -> bool:
        """Whether every rim vertex faces a placed tile; also if there is none, as in a center."""
        faced = [across(*vertex) for vertex in part]
        return all(vertex is None or vertex[:2] in self.tiles for vertex in faced)

    def free_cells(self) -> list[Cell]:
        """The free cells next to at least one tile, ascending."""
        cells = {(x + dx, y + dy) for x, y in self.tiles for dx, dy in BEYOND.values()}
        return sorted(cells - set(self.tiles))

    def fits(self, x: int, y: int, tile: Tile) -> bool:
        """Whether all facing vertices have the same terrain if a tile lies there."""
        for v in range(CENTER):
            bx, by, w = across(x, y, v)
            if (bx, by) in self.tiles and self.tiles[bx, by][1][w] != tile[1][v]:
                return False
        return True

    def would_join(self, x: int, y: int, tile: Tile, v: int) -> list[Part]:
        """The components that would hang together with a vertex of a tile that lies there.

        The components of the tile and those that they face are linked to a small graph.
        """
        components, _ = tile
        graph = nx.Graph()
        graph.add_nodes_from(components)
        for w in range(CENTER):
            vertex = across(x, y, w)
            if vertex[:2] in self.tiles:
                graph.add_edge(components[w], self.part_of(vertex))
        linked = nx.node_connected_component(graph, components[v])
        return [node for node in linked if isinstance(node, frozenset)]

    def _merged(self, vertex: Vertex) -> frozenset[Vertex]:
        """The vertex of the graph that stands for this one."""
        other = across(*vertex)
        if other is not None and other[:2] in self.tiles:
            return frozenset({vertex, other})
        return frozenset({vertex})
