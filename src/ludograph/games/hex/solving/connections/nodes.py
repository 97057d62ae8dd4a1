"""The nodes that connections lead between, and the room that finding them takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.hex.solving.connections.carriers import CARRIERS, SCS, VCS
from ludograph.games.hex.solving.grid import LARGEST, Words
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, bit, lowest

SOURCE, TARGET = LARGEST**2, LARGEST**2 + 1
"""The names of a color's two borders, each with the stones that are joined to it."""
NODES = LARGEST**2 + 2
"""Cells and borders of the largest board."""

NODE = np.dtype(
    (
        np.record,
        [
            ("cells", np.uint64),  # the free cells adjacent to it
            ("adjacent", np.uint64),  # the nodes adjacent to it, but for borders
            ("bridged", np.uint64),  # the nodes a bridge away, but for borders
        ],
    )
)

STEP = np.dtype((np.record, [("node", np.int64), ("place", np.int64), ("semi", np.bool_)]))
"""A virtual connection that paths go on from: the node that it reaches, its place there."""


class Connections(NamedTuple):
    """The connections of one color in one position, and what it takes to find them."""

    nodes: Any
    """``NODE[NODES]``: by the name of the node."""
    ends: Any
    """``CARRIERS[2, NODES]``: of one border and each node, of the other border and each node."""
    borders: Any
    """``CARRIERS[1]``: of both borders."""
    queue: Any
    """``STEP[NODES * (VCS + SCS)]``"""


def make_connections() -> Connections:
    """Return room for the connections of any position."""
    return Connections(
        nodes=np.zeros(NODES, NODE),
        ends=np.zeros((2, NODES), CARRIERS),
        borders=np.zeros(1, CARRIERS),
        queue=np.zeros(NODES * (VCS + SCS), STEP),
    )


@compiled
def grow(near: Words, seeds: np.uint64, own: np.uint64) -> np.uint64:
    """Return the stones that are joined to some of them."""
    group = fresh = seeds
    while fresh != NONE:
        joined = near[lowest(fresh)] & own & ~group
        fresh = (fresh & (fresh - ONE)) | joined
        group |= joined
    return group


@compiled
def around(near: Words, group: np.uint64) -> np.uint64:
    """Return the cells adjacent to some cells."""
    cells = NONE
    while group != NONE:
        cells |= near[lowest(group)]
        group &= group - ONE
    return cells


@compiled
def find_nodes(
    near: Words, own: np.uint64, free: np.uint64, sides: Words, nodes: Any
) -> tuple[np.uint64, bool]:
    """Write what is adjacent to each node.

    Returns
    -------
    groups
        The groups that touch no border, each as its lowest cell.
    joined
        Whether the borders are joined already; then nothing is written.
    """
    first = grow(near, own & sides[0], own)
    if first & sides[1] != NONE:
        return NONE, True
    second = grow(near, own & sides[1], own)
    left = free
    while left != NONE:
        cell = lowest(left)
        left &= left - ONE
        nodes[cell].cells = near[cell] & free
        nodes[cell].adjacent = near[cell] & free
    for name in range(SOURCE, NODES):
        cells = (
            sides[0] | around(near, first) if name == SOURCE else sides[1] | around(near, second)
        ) & free
        nodes[name].cells = cells
        nodes[name].adjacent = cells
    groups = NONE
    left = own & ~(first | second)
    while left != NONE:
        group = grow(near, left & (~left + ONE), own)
        name = lowest(group)
        left &= ~group
        groups |= bit(name)
        cells = around(near, group) & free
        nodes[name].cells = cells
        nodes[name].adjacent = cells
        while cells != NONE:
            nodes[lowest(cells)].adjacent |= bit(name)
            cells &= cells - ONE
    return groups, False


@compiled
def find_bridges(among: np.uint64, nodes: Any) -> None:
    """Write which nodes have two free cells in common and are not adjacent."""
    left = among
    while left != NONE:
        name = lowest(left)
        left &= left - ONE
        write_bridges(name, among & ~bit(name), nodes)
    write_bridges(SOURCE, among, nodes)
    write_bridges(TARGET, among, nodes)


@compiled
def write_bridges(name: int, among: np.uint64, nodes: Any) -> None:
    """Write which nodes are a bridge away from one."""
    once = NONE
    twice = NONE
    cells = nodes[name].cells
    while cells != NONE:
        reached = nodes[lowest(cells)].adjacent
        cells &= cells - ONE
        twice |= once & reached
        once |= reached
    nodes[name].bridged = twice & ~nodes[name].adjacent & among
