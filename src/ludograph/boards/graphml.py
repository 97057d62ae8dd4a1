"""Boards from GraphML files."""

from __future__ import annotations

from xml.parsers import expat

import numpy as np

from ludograph.boards.board import Board
from ludograph.boards.build import from_edges
from ludograph.boards.graphs import (
    HOW_TO_IGNORE_IN_FILES,
    Directed,
    SidesFrom,
    numbered,
    positions_of,
    without_repeats,
)
from ludograph.errors import InvalidInput
from ludograph.formatting import quoted

COORDINATES = frozenset({"x", "y", "lon", "lat"})
SAME = {"longitude": "lon", "Longitude": "lon", "lng": "lon", "latitude": "lat", "Latitude": "lat"}
"""Other names of coordinates in maps."""


def from_graphml(
    data: bytes, name: str | None, directed: Directed, sides: SidesFrom | None
) -> Board:
    """Return the board of a GraphML file: its nodes, their positions and its undirected edges.

    Positions are ``x`` and ``y`` (y down, but up in a graph with ``crs``, as on maps), or else
    ``lon`` and ``lat`` (up).

    Nodes are numbered from 0 in ascending order if all ids are whole numbers, else in the order of
    the file. A coordinate that a node does not have is the default of its key. Other attributes
    are skipped. A document type is refused, because its entities can
    expand a small file to any size. Directions, parallel edges, self-loops, sides and the graph's
    ``crs`` are handled as in `from_networkx`.

    Raises
    ------
    InvalidInput
        If the file is not valid GraphML, or the graph is not a valid board.
    """
    reader = _Reader(directed)
    reader.read(data)
    if not reader.nodes:
        raise InvalidInput("graph: there are no nodes")
    labels, number = numbered(reader.nodes)
    ends: list[tuple[int, int]] = []
    for edge, (u, v) in enumerate(reader.edges):
        for end in (u, v):
            if end not in number:
                raise InvalidInput(f"edge[{edge}]: node {quoted(end)} does not exist")
        ends.append((number[u], number[v]))
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    if directed == "ignore":
        pairs = without_repeats(pairs)
    attributes = [reader.defaults | reader.nodes[label] for label in labels]
    return from_edges(
        len(labels),
        pairs,
        name=name,
        positions=positions_of(attributes, labels, pairs, reader.graph.get("crs")),
        sides=sides,
        edge_label="edge[{}]".format,
        vertex_label=lambda v: f"node {quoted(labels[v])}",
    )


class _Reader:
    """Collects the nodes, their data and the edges while expat reads."""

    def __init__(self, directed: Directed) -> None:
        self.nodes: dict[str, dict[str, str]] = {}
        self.graph: dict[str, str] = {}
        self.defaults: dict[str, str] = {}
        self.edges: list[tuple[str, str]] = []
        self._coordinates: dict[str, str] = {}  # id of a key -> its coordinate, or "crs"
        self._graphs = 0
        self._ignoring = directed == "ignore"
        self._directed = False
        self._node: dict[str, str] | None = None
        self._key = ""  # the coordinate that is being declared, or "crs"
        self._datum: tuple[dict[str, str], str] | None = None  # where text goes

    def read(self, data: bytes) -> None:
        # With a separator expat gives names as "namespace name".
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InvalidInput(f"line {error.lineno}: not well-formed XML ({reason})") from None
        except InvalidInput as error:
            raise InvalidInput(f"line {parser.CurrentLineNumber}: {error}") from None
        except (ValueError, LookupError) as error:
            raise InvalidInput(f"the encoding of the file cannot be read ({error})") from None
        if not self._graphs:
            raise InvalidInput("graph: the file has no such element")

    def _doctype(self, *_: object) -> None:
        raise InvalidInput("a document type is not accepted")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        match tag.rpartition(" ")[2]:
            case "key":
                self._key = self._declared(attributes)
            case "default" if self._key:
                values = self.graph if self._key == "crs" else self.defaults
                values.pop(self._key, None)
                self._datum = values, self._key
            case "graph":
                self._graphs += 1
                if self._graphs > 1:
                    raise InvalidInput("a second graph, or one inside a node, is not accepted")
                self._directed = attributes.get("edgedefault") == "directed"
            case "node":
                name = _attribute("node", attributes, "id")
                if name in self.nodes:
                    raise InvalidInput(f"node {quoted(name)} is there already")
                self._node = self.nodes[name] = {}
            case "edge":
                directed = attributes.get("directed")
                one_way = directed == "true" or (self._directed and directed != "false")
                if one_way and not self._ignoring:
                    raise InvalidInput(f"an edge is directed; {HOW_TO_IGNORE_IN_FILES}")
                source = _attribute("edge", attributes, "source")
                self.edges.append((source, _attribute("edge", attributes, "target")))
            case "hyperedge":
                raise InvalidInput("hyperedges are not accepted")
            case "data":
                self._data(self._coordinates.get(attributes.get("key", "")))

    def _data(self, kind: str | None) -> None:
        """Collect text that is a coordinate of a node, or the ``crs`` of the graph."""
        if kind == "crs" and self._node is None:
            self.graph[kind] = ""
            self._datum = self.graph, kind
        elif kind and self._node is not None:
            self._datum = self._node, kind

    def _declared(self, attributes: dict[str, str]) -> str:
        """Note and return the meaning of a key if its data is a coordinate or the ``crs``."""
        name = attributes.get("attr.name", "")
        name = SAME.get(name, name)
        of_nodes = name in COORDINATES and attributes.get("for") in ("node", "all", None)
        of_graph = name == "crs" and attributes.get("for") in ("graph", "all", None)
        if not of_nodes and not of_graph:
            return ""
        self._coordinates[attributes.get("id", "")] = name
        return name

    def _end(self, tag: str) -> None:
        match tag.rpartition(" ")[2]:
            case "node":
                self._node = None
            case "key":
                self._key = ""
            case "data" | "default":
                self._datum = None

    def _text(self, text: str) -> None:
        if self._datum is not None:
            values, name = self._datum
            values[name] = values.get(name, "") + text


def _attribute(tag: str, attributes: dict[str, str], name: str) -> str:
    if name not in attributes:
        raise InvalidInput(f"{tag}: the attribute {name} is missing")
    return attributes[name]
