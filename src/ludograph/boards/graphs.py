"""Boards from graphs of other programs: networkx and edge lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ludograph.boards.board import Board
from ludograph.boards.build import from_edges, printable
from ludograph.errors import InvalidInput
from ludograph.quoting import quoted

Directed = Literal["refuse", "ignore"]
"""The handling of directions, parallel edges and self-loops, which no board has."""

HOW_TO_IGNORE = "directed='ignore' takes every edge once, without its direction"

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


def from_networkx(
    graph: Any,
    name: str | None = None,
    *,
    directed: Directed = "refuse",
    sides: Literal["planar"] | None = None,
) -> Board:
    """Return a networkx graph as a board.

    Vertices are numbered from 0 in ascending order if all nodes are integers, else in the order of
    the graph. Positions come from the node attribute ``pos``, or else from ``x`` and ``y`` (x to
    the right, y down), or from ``lon`` and ``lat`` (north up), if every node has them; otherwise
    the board is laid out. A graph with the attribute ``crs`` is a map, on which y points up.

    Parameters
    ----------
    graph : networkx.Graph
        Connected, undirected, without self-loops and parallel edges.
    name : str, optional
        By default the name of the graph.
    directed : optional
        With ``"ignore"`` the graph may be directed or a multigraph: vertices are neighbors if there
        is any edge between them, and self-loops are left out.
    sides : optional
        With ``"planar"``, straight lines are derived from the positions, which the graph must have.

    Raises
    ------
    InvalidInput
        If the graph is not of this kind, or a position is not a pair of finite numbers.
    """
    if not all(hasattr(graph, part) for part in ("is_directed", "nodes", "edges")):
        raise InvalidInput(f"from_networkx: expected a graph, got {type(graph).__name__}")
    check_directed(directed)
    if graph.is_directed() and directed == "refuse":
        raise InvalidInput(f"from_networkx: the graph is directed; {HOW_TO_IGNORE}")
    nodes = list(graph.nodes)
    if all(isinstance(node, Integral) and not isinstance(node, bool) for node in nodes):
        nodes.sort()
    number = {node: v for v, node in enumerate(nodes)}
    pairs = [(number[u], number[v]) for u, v in graph.edges()]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    simple = without_repeats(ends)
    if directed == "ignore":
        ends = simple
        pairs = [(u, v) for u, v in ends.tolist()]

    def edge_label(edge: int) -> str:
        u, v = pairs[edge]
        return f"edge {quoted(nodes[u])}-{quoted(nodes[v])}"

    attributes = [graph.nodes[node] for node in nodes]
    try:
        return from_edges(
            len(nodes),
            ends,
            name=printable(str(getattr(graph, "name", ""))) if name is None else name,
            positions=positions_of(attributes, nodes, ends, getattr(graph, "graph", {}).get("crs")),
            sides=sides,
            edge_label=edge_label,
            vertex_label=lambda v: f"node {quoted(nodes[v])}",
        )
    except InvalidInput as error:
        how = f"; {HOW_TO_IGNORE}" if len(simple) < len(ends) else ""
        raise InvalidInput(f"from_networkx: {error}{how}") from None


def check_directed(directed: str) -> None:
    """Raise InvalidInput unless the text is ``refuse`` or ``ignore``."""
    if directed not in ("refuse", "ignore"):
        raise InvalidInput(f"directed: expected 'refuse' or 'ignore', got {directed!r:.40}")


def without_repeats(ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the edges in order, without self-loops and without repeated edges."""
    proper = ends[ends[:, 0] != ends[:, 1]]
    _, first = np.unique(np.sort(proper, axis=1), axis=0, return_index=True)
    return proper[np.sort(first)]


def from_edge_list(text: str, name: str | None = None, directed: Directed = "refuse") -> Board:
    """Return the board of a text with one edge per line: two names with a space or comma between.

    Comments after ``#`` and attributes of networkx, which begin with ``{``, are skipped. Vertices
    are numbered from 0 in ascending order if all names are whole numbers, else in the order in
    which they appear. The order of the two names has no meaning. With ``directed="ignore"``,
    repeated edges (in either direction) and self-loops are left out.

    Raises
    ------
    InvalidInput
        If a line does not have two names, or the graph is not a valid board; the error names the
        line.
    """
    names: list[str] = []
    lines: list[int] = []
    for line_number, line in enumerate(
        text.replace(",", " ").replace(";", " ").splitlines(), start=1
    ):
        tokens = line.split()
        if len(tokens) != 2 or "#" in line or "{" in line:
            tokens = re.split("[#{]", line, maxsplit=1)[0].split()
            if not tokens:
                continue
            if len(tokens) != 2:
                raise InvalidInput(f"line {line_number}: expected two vertices, got {len(tokens)}")
        names += tokens
        lines.append(line_number)
    if not lines:
        raise InvalidInput("edges: the file has no edge")
    labels, number = numbered(names)
    ends = np.fromiter(map(number.__getitem__, names), dtype=np.int64, count=len(names))
    ends = ends.reshape(-1, 2)
    try:
        return from_edges(
            len(labels),
            without_repeats(ends) if directed == "ignore" else ends,
            name=name,
            edge_label=lambda edge: f"line {lines[edge]}",
            vertex_label=lambda v: f"vertex {quoted(labels[v])}",
        )
    except InvalidInput as error:
        if len(lines) > 1 and not {*names[:2]} & {*names[2:]}:
            how = f"; if line {lines[0]} names columns, begin it with #"
            raise InvalidInput(f"{error}{how}") from None
        raise


def numbered(names: Iterable[str]) -> tuple[list[str], dict[str, int]]:
    """Return the distinct names in order, and the number of each.

    The order is ascending if all names are whole numbers, else that of their first appearance.
    """
    labels = list(dict.fromkeys(names))
    if all(map(_WHOLE.fullmatch, labels)):
        labels.sort(key=int)
    return labels, {label: v for v, label in enumerate(labels)}


def positions_of(
    attributes: Sequence[Mapping[str, Any]],
    labels: Sequence[object],
    ends: npt.NDArray[np.int64],
    crs: object = None,
) -> npt.NDArray[np.float64] | None:
    """Return positions from the attributes of the vertices: float64[n, 2], or None.

    Other programs draw at any scale, so positions whose median edge is shorter than half a unit or
    longer than two are scaled to a median of one unit.

    Parameters
    ----------
    crs
        The coordinate reference system of a map. With it, ``y`` points up, as ``lat`` always does.
        Degrees of longitude (EPSG:4326) get the length that they have in the middle of the map.

    Raises
    ------
    InvalidInput
        If a position is not a pair of numbers.
    """
    is_degrees = False
    if all("pos" in of for of in attributes):
        pairs = [of["pos"] for of in attributes]
    elif all("x" in of and "y" in of for of in attributes):
        pairs = [(of["x"], of["y"]) for of in attributes]
    elif all("lon" in of and "lat" in of for of in attributes):
        pairs = [(of["lon"], of["lat"]) for of in attributes]
        is_degrees = True
    else:
        return None
    positions = np.empty((len(pairs), 2))
    for v, pair in enumerate(pairs):
        try:
            x, y = pair
            positions[v] = float(x), float(y)
        except (TypeError, ValueError, OverflowError):
            raise InvalidInput(
                f"node {quoted(labels[v])}: the position is not a pair of numbers"
            ) from None
    if (crs is not None or is_degrees) and np.isfinite(positions).all() and len(positions):
        positions[:, 1] *= -1
        if is_degrees or "4326" in str(crs):
            positions[:, 0] *= np.cos(np.radians(positions[:, 1].mean()))
    if len(ends) and np.isfinite(positions).all():
        lengths = np.hypot(*(positions[ends[:, 0]] - positions[ends[:, 1]]).T)
        median = float(np.median(lengths))
        if 0 < median < 0.5 or 2 < median < np.inf:
            positions /= median
    return positions
