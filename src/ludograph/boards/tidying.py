"""Improvement of a drawing: nodes move to free places, without new crossings of edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.boards.arithmetic import golden_directions, lengths, product
from ludograph.boards.segments import meeting, nearest_points

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ROOM = 0.6
"""The distance from a node to other nodes and foreign edges that is enough, in edge lengths."""

ROUNDS = 80
EFFORT = 6 * 10**6
"""The most pairs of a node and an edge that are compared; large drawings get fewer rounds."""

TANGLED_EFFORT = 3 * 10**6
"""The same for drawings with crossings; comparisons after shortened steps count, too."""

RETREATS = 30
"""How often the steps of nodes that come too close are shortened before a round is given up."""


def tidied(positions: Floats, edges: Ints, far: Floats, *, planar: bool) -> Floats:
    """Return a clearer drawing.

    In each round every node is pulled to a place where its distances are closer to those in the
    graph (E. Gansner, Y. Koren and S. North, *Graph drawing by stress majorization*, 2004) and
    pushed away from nodes and edges close by. A node stays where it is if its step would cause a
    crossing, or leave it less room than `ROOM` and than before.

    Parameters
    ----------
    positions : float64[n, 2]
    far : float64[n, n]
        The distances in the graph.
    planar : bool
        Whether no edges cross in the given drawing; then none cross in the result.
    """
    weight = np.divide(1.0, far**2, out=np.zeros_like(far), where=far > 0)
    drawn = lengths(positions[:, None] - positions[None])
    # The scale at which the stress is least.
    positions = positions * ((weight * far * drawn).sum() / max((weight * drawn**2).sum(), 1e-12))
    pairs = len(far) * (len(far) + len(edges))
    rounds = min(ROUNDS, max(EFFORT // (len(far) * max(len(edges), 1)), 6))
    left = TANGLED_EFFORT
    for number in range(rounds):
        retreats = RETREATS if planar else min(RETREATS, left // pairs - 1)
        if retreats < 1:
            break
        share = max(0.7 * (1 - 1.5 * number / rounds), 0.0)
        room, reach, push = _crowding(positions, edges)
        step = share * (_wanted(positions, far, weight) - positions) + push
        # If no node moves farther than half the distance to the nearest node or edge, no edges can
        # cross.
        step *= np.minimum(1.0, reach / np.maximum(lengths(step), 1e-12) / 2)[:, None]
        positions, tries = _accepted(positions, step, edges, room, retreats, planar=planar)
        left -= (1 + tries) * pairs
    return positions


def _wanted(positions: Floats, far: Floats, weight: Floats) -> Floats:
    """Return for each node the place where the stress of its distances is less."""
    away = positions[:, None] - positions[None]
    pull = weight * far / np.maximum(lengths(away), 1e-9)
    targets = product(weight, positions) + (pull[:, :, None] * away).sum(axis=1)
    return np.asarray(targets / weight.sum(axis=1)[:, None])


def _close(positions: Floats, edges: Ints) -> tuple[Ints, Ints, Floats]:
    """Return nodes and foreign edges closer than `ROOM`: node, edge, vector from edge to node.

    An edge from a node to itself represents that node.
    """
    itself = np.repeat(np.arange(len(positions))[:, None], 2, axis=1)
    ends = positions[np.concatenate([edges, itself])]
    low, high = ends.min(axis=1) - ROOM, ends.max(axis=1) + ROOM
    x, y = positions[:, :1], positions[:, 1:]
    inside = (x > low[:, 0]) & (x < high[:, 0]) & (y > low[:, 1]) & (y < high[:, 1])
    node, line = np.nonzero(inside)
    foreign = (np.concatenate([edges, itself])[line] != node[:, None]).all(axis=1)
    node, line = node[foreign], line[foreign]
    away = positions[node] - nearest_points(positions[node], ends[line])
    near = lengths(away) < ROOM
    return node[near], line[near], away[near]


def _crowding(positions: Floats, edges: Ints) -> tuple[Floats, Floats, Floats]:
    """Return the room of each node, the room of the node with its edges, and its push."""
    n = len(positions)
    node, line, away = _close(positions, edges)
    distance = lengths(away)
    room, push = np.full(n, ROOM), np.zeros((n, 2))
    np.minimum.at(room, node, distance)
    # Two nodes in the same place move apart, each in its own direction.
    aimless = golden_directions(node)
    unit = np.where(distance[:, None] > 1e-9, away / np.maximum(distance, 1e-9)[:, None], aimless)
    step = 0.3 * (ROOM - distance)[:, None] * unit
    np.add.at(push, node, step)
    passing = line < len(edges)
    for end in (0, 1):
        np.add.at(push, edges[line[passing], end], -0.5 * step[passing])
    reach = room.copy()
    for end in (0, 1):
        np.minimum.at(reach, edges[line[passing], end], distance[passing])
    return room, np.maximum(reach, 1e-6), push


def _accepted(
    positions: Floats, step: Floats, edges: Ints, room: Floats, retreats: int, *, planar: bool
) -> tuple[Floats, int]:
    """Return the positions after the steps, and the number of tries.

    Steps that would cause a crossing or take room from nodes are shortened or omitted.
    """
    share = np.ones(len(positions))
    for number in range(1, retreats + 1):
        tried = positions + share[:, None] * step
        bad = _crowded(tried, edges, room)
        if planar and not bad.any():
            bad = _crossed(tried, edges)
        bad &= share > 0
        if not bad.any():
            return np.asarray(tried), number
        share[bad] = np.where(share[bad] > 0.2, share[bad] / 2, 0.0)
    return positions, retreats


def _crowded(positions: Floats, edges: Ints, room: Floats) -> Flags:
    """Return for each node whether it has too little room, or takes room from others."""
    bad = np.zeros(len(positions), dtype=bool)
    node, line, away = _close(positions, edges)
    tight = lengths(away) < room[node] - 1e-9
    bad[node[tight]] = True
    passing = tight & (line < len(edges))
    bad[edges[line[passing]]] = True
    bad[line[tight & ~passing] - len(edges)] = True
    return bad


def _crossed(positions: Floats, edges: Ints) -> Flags:
    """Return for each node whether one of its edges crosses another: bool[n]."""
    bad = np.zeros(len(positions), dtype=bool)
    ends = positions[edges]
    low, high = ends.min(axis=1), ends.max(axis=1)
    overlap = (low[:, None, 0] <= high[None, :, 0]) & (low[:, None, 1] <= high[None, :, 1])
    one, other = np.nonzero(np.triu(overlap & overlap.T, 1))
    apart = (edges[one][:, :, None] != edges[other][:, None, :]).all(axis=(1, 2))
    one, other = one[apart], other[apart]
    crossed = meeting(ends[one], ends[other])
    bad[edges[one[crossed]]] = True
    bad[edges[other[crossed]]] = True
    return bad
