"""Layouts of graphs that have no drawing of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import golden_directions, inverse, lengths, product, unit_vectors
from ludograph.boards.board import MAX_COORDINATE
from ludograph.boards.breadth_first import distances, edges_of
from ludograph.boards.planarity import face_walks
from ludograph.boards.segments import clearances, crossings
from ludograph.boards.straight_lines import without_crossings
from ludograph.boards.tidying import tidied

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

SMALL = 500
"""The greatest number of vertices for which all distances count; above, only those to some
pivots."""

DENSE = 0.5
"""The share of pairs with an edge above which a graph that cannot be planar is drawn as a
circle."""

PIVOTS = 12
AXES_ROUNDS = 100
PLASTIC = np.array([0.7548776662, 0.5698402910])  # 1/p and 1/p^2, where p^3 = p + 1
ROUNDS = 60
MEASURED = 3000
"""The greatest number of vertices for which the size of a node depends on all other nodes and
edges."""

MEASURED_PAIRS = 4 * 10**6
"""The greatest number of pairs of node and edge for which all edges count in graphs that cannot be
planar."""

ASIDE = 2.0
"""The factor for the distance of a node to an edge: an edge has no outline as another node has, so
it may be half as far away."""

LIKE = 1.5
"""The greatest size of a node, as a multiple of the median."""

RADIUS = 0.35  # of an edge's length: the outlines of two neighbors leave a third of it visible

ENOUGH = 1 / 150
"""The radius, as a share of the picture, at which a node's color is seen: foreign edges that are
closer pass behind the node."""

LEAST = 1 / 400
"""The radius where other nodes are so close that they overlap: two pixels in a picture of 1000."""

TOUCHING = 0.45  # of the distance to another node: two nodes leave a tenth of it visible


def layout(offsets: Ints, neighbors: Ints) -> Floats:
    """Return positions for a connected graph: float64[n, 2], about one unit between neighbors.

    Distances in the plane are as close as possible to distances in the graph. Up to `SMALL`
    vertices, a planar graph is drawn without crossings. A graph with edges between more than
    `DENSE` of all pairs is drawn as a circle, unless it may be planar. Vertex 0 lies in the upper
    left. The same graph always gets the same picture.

    Notes
    -----
    Above `SMALL` vertices, multidimensional scaling of the distances to `PIVOTS` vertices far from
    each other, O(n + e) each (U. Brandes and C. Pich, *Eigensolver methods for progressive
    multidimensional scaling of large data*, 2006). Up to `SMALL`, the same with all vertices as
    pivots, then `ROUNDS` of stress majorization (E. Gansner, Y. Koren and S. North, *Graph drawing
    by stress majorization*, 2004): O(n^3) with a small constant, well below a second. Then
    `straight_lines` removes unnecessary crossings of edges, and `tidying` moves nodes away from
    edges: a tenth of a second for 20 vertices, some seconds for `SMALL`, at most half a second for
    a graph with too many edges to be planar.
    """
    n = len(offsets) - 1
    if n == 1:
        return np.zeros((1, 2))
    if not _may_be_planar(offsets) and len(neighbors) > DENSE * n * (n - 1):
        positions = _circle(n)
    elif n <= SMALL:
        far = np.stack([distances(offsets, neighbors, v) for v in range(n)]).astype(np.float64)
        positions = _majorized(_spread_out(_scaled_down(far), every=True), far)
        positions = _untangled(positions, far, offsets, neighbors)
    else:
        positions = _spread_out(_scaled_down(_pivot_distances(offsets, neighbors)), every=False)
    typical = float(_edge_lengths(positions, offsets, neighbors).mean())
    positions = (positions - positions.mean(axis=0)) / max(typical, 1e-9)
    mirror = np.where(positions[0] > 1e-9, -1.0, 1.0)
    return np.asarray(positions * mirror)


def _may_be_planar(offsets: Ints) -> bool:
    """Tell whether a planar graph may have as many edges: at most 3 n - 6 (Euler's formula)."""
    n, edges = len(offsets) - 1, int(offsets[-1]) // 2
    return n < 3 or edges <= 3 * n - 6


def _circle(n: int) -> Floats:
    """Return ``n`` points on a circle, clockwise from the upper left: float64[n, 2]."""
    return unit_vectors(np.arange(n) * (2 * np.pi / n) - 0.75 * np.pi)


def _untangled(positions: Floats, far: Floats, offsets: Ints, neighbors: Ints) -> Floats:
    """Return a better drawing, without crossings of edges if the graph is planar."""
    edges = edges_of(offsets, neighbors)
    if not _may_be_planar(offsets):
        return tidied(positions, edges, far, planar=False)
    planar = crossings(positions, edges) == 0
    if not planar:
        faces = face_walks([row.tolist() for row in np.split(neighbors, offsets[1:-1])])
        drawn = None if faces is None else without_crossings(len(far), edges, faces)
        if drawn is not None:
            return tidied(drawn, edges, far, planar=True)
    return tidied(positions, edges, far, planar=planar)


def octagons(positions: Floats, offsets: Ints, neighbors: Ints) -> tuple[Ints, Floats]:
    """Return a small octagon around every position, which keeps away from other nodes and edges.

    None is so small that its color cannot be seen, see `ENOUGH` and `LEAST`, unless the whole
    drawing is hundreds of edges long. Above `MEASURED` vertices the size depends only on the
    vertex's own edges; above `MEASURED_PAIRS`, on these and on other nodes.

    Returns
    -------
    outline_offsets : int32[n + 1]
    outline_points : float64[8 * n, 2]
    """
    n = len(positions)
    radius = np.full(n, RADIUS)
    if n > 1:
        own = _edge_lengths(positions, offsets, neighbors)
        typical = float(np.median(own)) or 1.0
        nodes = np.minimum.reduceat(own, offsets[:-1])
        nearest = nodes
        if n <= MEASURED:
            edges = edges_of(offsets, neighbors)
            if not _may_be_planar(offsets) and n * len(edges) > MEASURED_PAIRS:
                edges = edges[:0]
            nodes, lines = clearances(positions, edges)
            nearest = np.minimum(np.minimum(nearest, nodes), lines * ASIDE)
            nearest = np.minimum(nearest, LIKE * np.median(nearest))
        extent = float(np.ptp(positions, axis=0).max()) or 1.0
        seen = np.clip(TOUCHING * nodes, extent * LEAST, extent * ENOUGH)
        radius = np.minimum(np.maximum(RADIUS * nearest, seen), RADIUS * typical)
    corners = unit_vectors(np.deg2rad(np.arange(8) * 45.0 - 67.5))
    points = positions[:, None, :] + radius[:, None, None] * corners
    points = np.clip(points.reshape(-1, 2), -MAX_COORDINATE, MAX_COORDINATE)
    return np.arange(n + 1, dtype=np.int32) * 8, points


def _edge_lengths(positions: Floats, offsets: Ints, neighbors: Ints) -> Floats:
    rows = np.repeat(np.arange(len(positions)), np.diff(offsets))
    return lengths(positions[rows] - positions[neighbors])


def _pivot_distances(offsets: Ints, neighbors: Ints) -> Floats:
    """Return the distance of every vertex to pivots far from each other: float64[n, PIVOTS]."""
    columns = [distances(offsets, neighbors, 0)]
    nearest = columns[0].copy()
    while len(columns) < PIVOTS:
        columns.append(distances(offsets, neighbors, int(np.argmax(nearest))))
        np.minimum(nearest, columns[-1], out=nearest)
    return np.stack(columns, axis=1).astype(np.float64)


def _scaled_down(far: Floats) -> Floats:
    """Return positions in the plane that best show the distances to the pivots: float64[n, 2]."""
    square = far**2
    centered = square - square.mean(axis=0) - square.mean(axis=1, keepdims=True) + square.mean()
    plane = product(centered, _main_axes(product(centered.T, centered)))
    return np.asarray(plane / max(float(np.abs(plane).max()), 1e-9) * far.max() / 2)


def _main_axes(matrix: Floats) -> Floats:
    """Return eigenvectors of the two greatest eigenvalues of a symmetric matrix: float64[k, 2].

    The second one is zero if there is but one eigenvalue. Of equal eigenvalues, and of nearly equal
    ones, the start decides, which is the same for every processor.
    """
    # The plastic number spreads these points evenly, so none of the symmetries is theirs.
    axes = np.arange(len(matrix))[:, None] * PLASTIC % 1.0 - 0.5
    for _ in range(AXES_ROUNDS):
        one, other = product(matrix, axes).T
        size = np.sqrt((one * one).sum())
        one = one / size
        other = other - (one * other).sum() * one
        axes = np.stack([one, other / max(np.sqrt((other * other).sum()), 1e-9 * size)], axis=1)
    return axes


def _spread_out(positions: Floats, *, every: bool) -> Floats:
    """Move vertices in the same place apart, or all vertices a little with ``every``.

    Those in the same place get places of a sunflower, whose seeds are about equally far apart.
    """
    n = len(positions)
    if every:
        return np.asarray(positions + 0.3 * golden_directions(np.arange(n)))
    grid = np.round(positions * 20.0).astype(np.int64)
    place = grid[:, 0] * 2**31 + grid[:, 1]
    order = np.argsort(place, kind="stable")
    first = np.flatnonzero(np.diff(place[order], prepend=place[order[0]] - 1))
    seed = np.empty(n, np.int64)
    seed[order] = np.arange(n) - np.repeat(first, np.diff(first, append=n))
    return np.asarray(positions + 0.3 * np.sqrt(seed)[:, None] * golden_directions(seed))


def _majorized(positions: Floats, far: Floats) -> Floats:
    """Move vertices to lower the sum over pairs of ((drawn - wanted) / wanted)^2."""
    n = len(far)
    weight = np.zeros_like(far)
    np.divide(1.0, far**2, out=weight, where=far > 0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    solution = inverse(laplacian + 1.0 / n)  # adding a constant fixes the center
    for _ in range(ROUNDS):
        drawn = np.maximum(lengths(positions[:, None] - positions[None]), 1e-9)
        pull = weight * far / drawn
        wanted = pull.sum(axis=1)[:, None] * positions - product(pull, positions)
        positions = product(solution, wanted)
    return positions
