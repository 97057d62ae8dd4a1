"""Boards from graphs of other programs: networkx and edge lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Integral
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import Floats, lengths, unit_vectors
from ludograph.boards.board import Board
from ludograph.boards.build import from_edges, printable
from ludograph.errors import InvalidInput
from ludograph.formatting import quoted

Directed = Literal["refuse", "ignore"]
"""The handling of directions, parallel edges and self-loops, which no board has."""

SidesFrom = Literal["planar"]
"""How straight lines are derived."""

HOW_TO_IGNORE = "directed='ignore' takes every edge once, without its direction"
HOW_TO_IGNORE_IN_FILES = (
    "undirected:FILE on the command line, directed='ignore' in Python, takes every edge once"
)

DIMACS = "keep the two numbers of each line that begins with 'e'"
MATRIX_MARKET = "keep the first two numbers of each line after the one with the sizes"

_OF_ITS_READER = ValueError, TypeError, AttributeError, LookupError, RecursionError
"""What the GML reader of networkx raises for some texts that are not GML, as random ones show."""

TINY = 1e-300
"""Where half of the edges are shorter than this share of the drawing, no scale can help."""

_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")


def from_networkx(
    graph: Any,
    name: str | None = None,
    *,
    directed: Directed = "refuse",
    sides: SidesFrom | None = None,
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


def from_gml(text: str, name: str | None, directed: Directed, sides: SidesFrom | None) -> Board:
    """Return the board of a GML file, which networkx reads, as `from_networkx` does.

    Nodes are numbered by their ids; positions may be in ``graphics``, too. A file in which edges
    are repeated is read if it says ``multigraph 1``.

    Raises
    ------
    InvalidInput
        If networkx cannot read the text, or the graph is not a valid board.
    """
    from networkx import NetworkXError, parse_gml

    try:
        graph = parse_gml(text, label="id")
    except (NetworkXError, *_OF_ITS_READER) as error:
        reason = " ".join(str(error).split())
        raise InvalidInput(f"networkx cannot read this GML: {reason[:200]}") from None
    if graph.is_directed() and directed == "refuse":
        raise InvalidInput(f"the graph is directed; {HOW_TO_IGNORE_IN_FILES}")
    for attributes in graph.nodes.values():
        if isinstance(graphics := attributes.get("graphics"), dict):
            attributes |= {axis: graphics[axis] for axis in "xy" if axis in graphics}
    try:
        return from_networkx(graph, name, directed=directed, sides=sides)
    except InvalidInput as error:
        raise InvalidInput(str(error).removeprefix("from_networkx: ")) from None


def check_directed(directed: str) -> None:
    """Raise InvalidInput unless the text is ``refuse`` or ``ignore``."""
    if directed not in ("refuse", "ignore"):
        raise InvalidInput(f"directed: expected 'refuse' or 'ignore', got {directed!r:.40}")


def without_repeats(ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the edges in order, without self-loops and without repeated edges."""
    proper = ends[ends[:, 0] != ends[:, 1]]
    _, first = np.unique(np.sort(proper, axis=1), axis=0, return_index=True)
    return proper[np.sort(first)]


def from_edge_list(text: str, name: str | None, directed: Directed) -> Board:
    """Return the board of a text with one edge per line: two names with a space or comma between.

    Lines that begin with ``%``, comments after ``#`` and attributes of networkx, which begin with
    ``{``, are skipped. Vertices are numbered from 0 in ascending order if all names are
    whole numbers, else in the order in which they appear. The order of the two names has no
    meaning. With ``directed="ignore"``, repeated edges (in either direction) and self-loops are
    left out.

    Raises
    ------
    InvalidInput
        If a line does not have two names, or the graph is not a valid board; the error names the
        line.
    """
    if text[:14].lower() == "%%matrixmarket":
        raise InvalidInput(f"line 1: this is a matrix: {MATRIX_MARKET}")
    names: list[str] = []
    lines: list[int] = []
    for line_number, line in enumerate(
        text.replace(",", " ").replace(";", " ").splitlines(), start=1
    ):
        tokens = line.split()
        if len(tokens) != 2 or "#" in line or "{" in line or tokens[0].startswith("%"):
            tokens = re.split(r"^\s*%|[#{]", line, maxsplit=1)[0].split()
            if not tokens:
                continue
            if len(tokens) != 2:
                raise InvalidInput(
                    f"line {line_number}: expected two vertices, got {len(tokens)}{_advice(tokens)}"
                )
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


def _advice(tokens: Sequence[str]) -> str:
    """Return what to do about a line that is no edge."""
    if tokens[0] in ("c", "p", "e"):
        return f"; if these are lines of DIMACS, {DIMACS}"
    if len(tokens) > 2:
        return "; edges of a board have no weights: keep the first two columns"
    return ""


def numbered(names: Iterable[str]) -> tuple[list[str], dict[str, int]]:
    """Return the distinct names in order, and the number of each.

    The order is ascending if all names are whole numbers, else that of their first appearance.
    """
    labels = list(dict.fromkeys(names))
    if all(map(_WHOLE.fullmatch, labels)):
        labels.sort(key=Decimal)  # of any length, which int() is not
    return labels, {label: v for v, label in enumerate(labels)}


def positions_of(
    attributes: Sequence[Mapping[str, Any]],
    labels: Sequence[object],
    ends: npt.NDArray[np.int64],
    crs: object = None,
) -> Floats | None:
    """Return positions from the attributes of the vertices: float64[n, 2], or None.

    None if a vertex has no position, or all have the same.

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
        If a position is not a pair of numbers, or a latitude is beyond 90 degrees.
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
    if len(pairs) > 1 and (positions == positions[0]).all():
        return None  # of a program that did not draw the graph
    greatest = float(np.abs(positions).max(initial=0.0))
    if not 0 < greatest < np.inf:
        return positions
    if crs is not None or is_degrees:
        positions[:, 1] *= -1
    if is_degrees or (crs is not None and "4326" in str(crs)):
        wrong = np.flatnonzero(np.abs(positions[:, 1]) > 90)
        if len(wrong):
            raise InvalidInput(f"node {quoted(labels[wrong[0]])}: the latitude is beyond 90")
        positions[:, 0] *= unit_vectors(np.radians(positions[:, 1].mean()))[0]
    return _at_usual_scale(positions, greatest, ends)


def _at_usual_scale(positions: Floats, greatest: float, ends: npt.NDArray[np.int64]) -> Floats:
    """Return positions at a scale where the median edge has about one unit."""
    if not len(ends):
        return positions
    near = positions / greatest  # the squares of these are not too large
    median = float(np.median(lengths(near[ends[:, 0]] - near[ends[:, 1]])))
    if median < TINY or 0.5 <= median * greatest <= 2:
        return positions
    return near / median
