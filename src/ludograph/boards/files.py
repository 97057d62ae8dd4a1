"""Boards as files and as plain data, and from GraphML (`docs/boards.md`, section Files)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from xml.parsers import expat

import msgspec
import numpy as np
import numpy.typing as npt

from ludograph.boards.board import MISPLACED, Board, first_misplaced
from ludograph.boards.build import from_edges, printable
from ludograph.boards.graphs import (
    DIMACS,
    HOW_TO_IGNORE_IN_FILES,
    MATRIX_MARKET,
    Directed,
    SidesFrom,
    check_directed,
    from_edge_list,
    from_gml,
    numbered,
    positions_of,
    without_repeats,
)
from ludograph.boards.sides import Sides, sides_from_neighbors
from ludograph.documents import Decode, decoded, read_bytes, utf8, without_mark, write_bytes
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


FORMAT = "ludograph-board"
VERSION = 1
MAX_BYTES = 2**30

_EDGE_LISTS = (".edgelist", ".txt", ".csv")
_SUFFIXES = (".json", ".graphml", ".gml", *_EDGE_LISTS)

_NETWORKX = {
    ".gml": "read_gml",
    ".gexf": "read_gexf",
    ".net": "read_pajek",
    ".g6": "read_graph6",
    ".s6": "read_sparse6",
    ".adjlist": "read_adjlist",
}
"""Formats by suffix, and the function of networkx that reads them."""

_COLUMNS = {".col": DIMACS, ".mtx": MATRIX_MARKET}

_Int = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
_Vertex = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
_Point = tuple[float, float]


class _SidesData(msgspec.Struct, forbid_unknown_fields=True):
    neighbors: list[list[_Vertex]]
    entries: list[list[_Vertex]] | None = None


class _BoardData(msgspec.Struct, forbid_unknown_fields=True):
    vertices: _Int
    edges: list[tuple[_Int, _Int]]
    format: Literal["ludograph-board"] = "ludograph-board"
    version: Literal[1] = 1
    name: str | None = None
    positions: list[_Point] | None = None
    outlines: list[list[_Point]] | None = None
    marks: dict[str, list[_Vertex]] = {}
    starts: dict[str, list[_Vertex]] = {}
    sides: _SidesData | None = None
    links: bool | None = None


def load(
    path: str | os.PathLike[str],
    *,
    directed: Directed = "refuse",
    sides: SidesFrom | None = None,
) -> Board:
    """Return the board in a file; the suffix gives the format.

    ``.json`` is the project's own format, ``.graphml`` is GraphML, ``.gml`` is GML, which networkx
    reads, and ``.edgelist``, ``.txt`` and ``.csv`` hold one edge per line.

    Parameters
    ----------
    directed : optional
        With ``"ignore"``, directions of edges are ignored; repeated edges (in either direction) and
        self-loops are left out.
    sides : optional
        With ``"planar"``, straight lines are derived from the coordinates, which the file must
        have.

    Raises
    ------
    InvalidInput
        If there is no such file or it has no valid board; the error names the file and the field.
    """
    check_directed(directed)
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in _SUFFIXES:
        raise InvalidInput(
            f"{file}: the suffix must be one of {', '.join(_SUFFIXES)}{conversion(suffix)}"
        )
    data = read_bytes(file, "board", MAX_BYTES)
    name = printable(file.stem)
    try:
        if suffix == ".json":
            text = without_mark(data)
            content = _decoded(lambda kind: msgspec.json.decode(text, type=kind))
            return _board(content, name, sides)
        if suffix == ".graphml":
            return from_graphml(data, name, directed, sides)
        if suffix == ".gml":
            return from_gml(utf8(data), name, directed, sides)
        if sides is not None:
            raise InvalidInput("sides: there are no coordinates to derive straight lines from")
        return from_edge_list(utf8(data), name, directed)
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from None


def conversion(suffix: str) -> str:
    """Return how to convert a file that is not read here, by its suffix; empty for most."""
    if suffix in _COLUMNS:
        return f"; to make an edge list of this file, {_COLUMNS[suffix]}"
    if suffix in _NETWORKX:
        read = _NETWORKX[suffix]
        return f"; in Python, boards.from_networkx(networkx.{read}(FILE)) makes a board of this one"
    return ""


def save(board: Board, path: str | os.PathLike[str]) -> None:
    """Write a board to a ``.json`` file; `load` returns the same board from it.

    Raises
    ------
    InvalidInput
        If the suffix is not ``.json`` or the file cannot be written.
    """
    file = Path(path)
    if file.suffix.lower() != ".json":
        raise InvalidInput(f"{file}: the suffix must be .json")
    write_bytes(file, msgspec.json.encode(to_data(board)) + b"\n")


def to_data(board: Board) -> dict[str, Any]:
    """Return a board as a dictionary of plain lists, numbers and texts.

    Nothing is lost: `from_data` returns the same board. So a record that contains this data can be
    read without the code that made the board.
    """
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": board.name,
        "vertices": board.n,
        "edges": board.edges().tolist(),
        "positions": board.positions.tolist(),
        "outlines": _cut(board.outline_points, board.outline_offsets),
        "marks": {key: of.tolist() for key, of in board.marks.items()},
        "starts": {str(seats): of.tolist() for seats, of in board.fixed_starts.items()},
        "links": board.links,
    }
    if board.sides is not None:
        data["sides"] = {
            "neighbors": _cut(board.sides.neighbors, board.sides.offsets),
            "entries": _cut(board.sides.entries, board.sides.offsets),
        }
    return data


def from_data(data: Mapping[str, Any], source: str = "board") -> Board:
    """Return the board of a dictionary as from `to_data`; only vertices and edges are required.

    Parameters
    ----------
    data : mapping
    source : str
        The origin of the data, for errors.

    Raises
    ------
    InvalidInput
        If the data is not a valid board; the error names the source and the field.
    """
    try:
        return _board(_decoded(lambda kind: msgspec.convert(data, type=kind)), None)
    except InvalidInput as error:
        raise InvalidInput(f"{source}: {error}") from None


def _board(data: _BoardData, name: str | None, derived: SidesFrom | None = None) -> Board:
    outlines = None
    if data.outlines is not None:
        points = _points(chain.from_iterable(data.outlines), sum(map(len, data.outlines)))
        outlines = _ends(data.outlines), points
        bad = first_misplaced(points)
        if bad is not None:
            v = int(np.searchsorted(outlines[0], bad, side="right")) - 1
            raise InvalidInput(f"outlines[{v}][{bad - outlines[0][v]}]: {MISPLACED}")
    positions = data.positions
    return from_edges(
        data.vertices,
        _flat(chain.from_iterable(data.edges), np.int64, 2 * len(data.edges)).reshape(-1, 2),
        name=name if data.name is None else data.name,
        positions=None if positions is None else _points(positions, len(positions)),
        outlines=outlines,
        marks={key: np.array(of, dtype=np.int32) for key, of in data.marks.items()},
        starts={_seats(key): np.array(of, dtype=np.int32) for key, of in data.starts.items()},
        sides=derived or (None if data.sides is None else _sides(data.sides, data.vertices)),
        links=data.links,
    )


def _sides(data: _SidesData, n: int) -> Sides:
    offsets = _ends(data.neighbors)
    neighbors = _flat(chain.from_iterable(data.neighbors), np.int32, int(offsets[-1]))
    if data.entries is None:
        if len(offsets) != n + 1:
            raise InvalidInput(f"sides: expected one list per vertex ({n})")
        return sides_from_neighbors(offsets, neighbors)
    if not np.array_equal(_ends(data.entries), offsets):
        raise InvalidInput("sides.entries: expected as many as neighbors for every vertex")
    entries = _flat(chain.from_iterable(data.entries), np.int32, int(offsets[-1]))
    return Sides(offsets, neighbors, entries)


def _seats(key: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,8}", key):
        raise InvalidInput(f"starts: expected a number of seats as key, got {key[:20]!r}")
    return int(key)


def _decoded(decode: Decode) -> _BoardData:
    return decoded(decode, _BoardData, FORMAT, VERSION)


def _flat(numbers: Iterable[Any], dtype: type[np.generic], count: int) -> npt.NDArray[Any]:
    return np.fromiter(numbers, dtype=dtype, count=count)


def _points(pairs: Iterable[_Point], count: int) -> npt.NDArray[np.float64]:
    return _flat(chain.from_iterable(pairs), np.float64, 2 * count).reshape(-1, 2)


def _ends(lists: list[list[Any]]) -> npt.NDArray[np.int32]:
    """Return the offsets of lists that are joined in order: int32[lists + 1]."""
    return np.fromiter(accumulate(map(len, lists), initial=0), dtype=np.int32)


def _cut(values: npt.NDArray[Any], offsets: npt.NDArray[np.int32]) -> list[list[Any]]:
    flat, ends = values.tolist(), offsets.tolist()
    return [flat[a:b] for a, b in pairwise(ends)]
