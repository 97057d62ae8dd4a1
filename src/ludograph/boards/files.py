"""Boards as files and as plain data (`docs/boards.md`, section Files)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from ludograph.boards.board import Board
from ludograph.boards.build import from_edges, printable
from ludograph.boards.checks import MISPLACED, first_misplaced
from ludograph.boards.graphml import from_graphml
from ludograph.boards.graphs import (
    DIMACS,
    MATRIX_MARKET,
    Directed,
    SidesFrom,
    check_directed,
    from_edge_list,
    from_gml,
)
from ludograph.boards.sides import Sides, sides_from_neighbors
from ludograph.documents import Decode, decoded, read_bytes, utf8, without_mark, write_bytes
from ludograph.errors import InvalidInput

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
