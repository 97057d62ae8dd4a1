"""The nodes that connections lead between, and the room that finding them takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.hex.solving.connections.carriers import CARRIERS, VCS
from ludograph.games.hex.solving.grid import LARGEST, Words
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, bit, lowest

NODES = LARGEST**2 + 4
"""Cells and borders of the largest board."""

NODE = np.dtype(
    (
        np.record,
        [
            ("cells", np.uint64),  # the free cells adjacent to it
            ("adjacent", np.uint64),  # the nodes adjacent to it
            ("bridged", np.uint64),  # the nodes a bridge away
        ],
    )
)

STEP = np.dtype((np.record, [("node", np.int64), ("place", np.int64)]))
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
    """``STEP[NODES * VCS]``"""


def make_connections() -> Connections:
    """Return room for the connections of any position."""
    return Connections(
        nodes=np.zeros(NODES, NODE),
        ends=np.zeros((2, NODES), CARRIERS),
        borders=np.zeros(1, CARRIERS),
        queue=np.zeros(NODES * VCS, STEP),
    )


@compiled
def find_nodes(near: Words, own: np.uint64, free: np.uint64, nodes: Any) -> np.uint64:
    """Write what is adjacent to each node; return the groups, each as its lowest member.

    Parameters
    ----------
    near
        ``uint64``: the neighbors of each cell and border.
    """
    left = free
    while left != NONE:
        cell = lowest(left)
        left &= left - ONE
        nodes[cell].cells = near[cell] & free
        nodes[cell].adjacent = near[cell] & free
    groups = NONE
    left = own
    while left != NONE:
        group = left & (~left + ONE)
        name = lowest(group)
        fresh = group
        around = NONE
        while fresh != NONE:
            around |= near[lowest(fresh)]
            fresh &= fresh - ONE
            joined = around & own & ~group
            group |= joined
            fresh |= joined
        left &= ~group
        groups |= bit(name)
        around &= free
        nodes[name].cells = around
        nodes[name].adjacent = around
        while around != NONE:
            nodes[lowest(around)].adjacent |= bit(name)
            around &= around - ONE
    return groups


@compiled
def find_bridges(among: np.uint64, nodes: Any) -> None:
    """Write which nodes have two free cells in common and are not adjacent."""
    left = among
    while left != NONE:
        name = lowest(left)
        left &= left - ONE
        once = NONE
        twice = NONE
        around = nodes[name].cells
        while around != NONE:
            reached = nodes[lowest(around)].adjacent
            around &= around - ONE
            twice |= once & reached
            once |= reached
        nodes[name].bridged = twice & ~nodes[name].adjacent & ~bit(name) & among


@compiled
def name_of(near: Words, own: np.uint64, stone: int) -> int:
    """Return the lowest member of a stone's group."""
    group = bit(stone)
    fresh = group
    while fresh != NONE:
        joined = near[lowest(fresh)] & own & ~group
        fresh &= fresh - ONE
        group |= joined
        fresh |= joined
    return lowest(group)
