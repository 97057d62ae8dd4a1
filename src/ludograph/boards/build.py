"""Boards from lists of edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from ludograph.boards.board import (
    MAX_NAME,
    MAX_VERTICES,
    NO_OFFSETS,
    NO_POINTS,
    Board,
    check_connected,
    check_positions,
    frozen_points,
)
from ludograph.boards.breadth_first import rows_from_keys
from ludograph.boards.planar import planar_sides
from ludograph.boards.sides import Sides
from ludograph.errors import InvalidInput

Outlines = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]


def from_edges(
    vertices: int,
    edges: npt.ArrayLike,
    *,
    name: str | None = None,
    positions: npt.ArrayLike | None = None,
    outlines: Outlines | None = None,
    marks: Mapping[str, npt.ArrayLike] | None = None,
    starts: Mapping[int, npt.ArrayLike] | None = None,
    sides: Sides | Literal["planar"] | None = None,
    links: bool | None = None,
    edge_label: Callable[[int], str] = "edges[{}]".format,
    vertex_label: Callable[[int], str] = "vertex {}".format,
) -> Board:
    """Return the board with these edges.

    Parameters
    ----------
    vertices : int
        The number of vertices; they are numbered from 0.
    edges : int[e, 2]
        Every edge once, in any order and direction.
    name : str, optional
    positions : float64[n, 2], optional
        If missing, the board is laid out when they are first read, see `layout`.
    outlines : (int32[n + 1], float64[k, 2]), optional
        Offsets and points; if missing, every vertex gets a small octagon.
    marks, starts, sides, links : optional
        As in `Board`; by default links are drawn if there are no outlines. With ``"planar"`` the
        sides are derived from the positions: edges that continue each other in the drawing form a
        line.
    edge_label, vertex_label : functions of a number, optional
        The name of an edge or of a vertex in errors, by its number.

    Raises
    ------
    InvalidInput
        If an edge has a vertex that does not exist, is a self-loop or is given twice; if the board
        is not connected; or if another part does not fit.

    Examples
    --------
    >>> from ludograph import boards
    >>> boards.from_edges(3, [(0, 1), (2, 1)], name="path").neighbors_of(1).tolist()
    [0, 2]
    """
    if vertices < 1:
        raise InvalidInput(f"vertices: a board needs at least one vertex, got {vertices}")
    if vertices > MAX_VERTICES:
        raise InvalidInput(f"vertices: a board has at most {MAX_VERTICES} vertices, got {vertices}")
    pairs = _checked_pairs(vertices, edges, edge_label, vertex_label)
    u, v = pairs[:, 0], pairs[:, 1]
    keys = np.concatenate([u * vertices + v, v * vertices + u])
    offsets, neighbors = rows_from_keys(keys, vertices)
    if len(neighbors) < len(keys):
        _refuse_duplicate(pairs, edge_label, vertex_label)
    check_connected(offsets, neighbors, vertex_label)
    if positions is None:
        if sides == "planar":
            raise InvalidInput("sides: there are no coordinates to derive straight lines from")
        centers = NO_POINTS
    else:
        centers = frozen_points("positions", positions)
        check_positions(vertices, centers)
    if isinstance(sides, str):
        if sides != "planar":
            raise InvalidInput(f"sides: expected 'planar', got {sides!r:.40}")
        sides = planar_sides(centers, offsets, neighbors)
    outline_offsets, outline_points = outlines or (NO_OFFSETS, NO_POINTS)
    return Board(
        name=f"graph of {vertices} vertices" if name is None else name,
        offsets=offsets,
        neighbors=neighbors,
        positions=centers,
        outline_offsets=outline_offsets,
        outline_points=outline_points,
        marks={key: np.asarray(of) for key, of in (marks or {}).items()},
        fixed_starts={key: np.asarray(of) for key, of in (starts or {}).items()},
        sides=sides,
        links=outlines is None if links is None else links,
    )


def printable(name: str) -> str | None:
    """Return the printable part of a name, cut to a board's limit; None if it is empty."""
    return "".join(c for c in name if c.isprintable()).strip()[:MAX_NAME] or None


def _checked_pairs(
    n: int,
    edges: npt.ArrayLike,
    edge_label: Callable[[int], str],
    vertex_label: Callable[[int], str],
) -> npt.NDArray[np.int64]:
    """Return the edges as int64[e, 2]; raise InvalidInput for missing vertices and self-loops."""
    try:
        pairs = np.asarray(edges)
    except (TypeError, ValueError):
        pairs = np.array([None])
    if pairs.size == 0:
        return np.zeros((0, 2), dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise InvalidInput("edges: expected pairs of vertex numbers")
    bad = np.argwhere((pairs < 0) | (pairs >= n))
    if len(bad):
        edge, end = bad[0]
        raise InvalidInput(
            f"{edge_label(int(edge))}: vertex {pairs[edge, end]} does not exist "
            f"(the board has {n} vertices)"
        )
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(loops):
        edge = int(loops[0])
        raise InvalidInput(
            f"{edge_label(edge)}: {vertex_label(int(pairs[edge, 0]))} has an edge to itself"
        )
    return pairs.astype(np.int64)


def _refuse_duplicate(
    pairs: npt.NDArray[np.int64],
    edge_label: Callable[[int], str],
    vertex_label: Callable[[int], str],
) -> None:
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    keys = low * (int(high.max()) + 1) + high
    order = np.argsort(keys, kind="stable")
    again = order[1:][keys[order][1:] == keys[order][:-1]]
    edge = int(again.min())
    first = int(np.argmax(keys == keys[edge]))
    raise InvalidInput(
        f"{edge_label(edge)}: the edge between {vertex_label(int(low[edge]))} and "
        f"{vertex_label(int(high[edge]))} is there already ({edge_label(first)})"
    )
