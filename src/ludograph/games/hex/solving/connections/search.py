"""H-search from a color's two borders: the AND rule along paths, the OR rule where they end.

The AND rule: two virtual connections that meet in a node and share no cell make a virtual
connection of their far ends if the node is a group of stones, a semi connection if it is a free
cell. Here one end is always a border, and a step from node to node is an adjacency or a bridge:
less than all connections, quickly found. What the searches from either border find meets in all
nodes in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.games.hex.solving.connections.carriers import add_sc, add_vc, forget
from ludograph.games.hex.solving.connections.nodes import (
    Connections,
    find_bridges,
    find_nodes,
    name_of,
)
from ludograph.games.hex.solving.grid import Words
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, bit, lowest

NO_CONNECTION, VIRTUAL, SEMI = range(3)
"""What :func:`connect` has found."""


@compiled
def connect(
    near: Words,
    own: np.uint64,
    free: np.uint64,
    borders: np.uint64,
    moves_first: bool,
    connections: Connections,
) -> tuple[int, np.uint64, np.uint64]:
    """Look for a connection of a color's two borders, from both of them.

    Parameters
    ----------
    near
        ``uint64``: the neighbors of each cell and border.
    own, free
        The color's stones and borders; the free cells.
    moves_first
        Whether a semi connection is enough, because the color is to move.

    Returns
    -------
    found
        ``VIRTUAL``, ``SEMI`` or ``NO_CONNECTION``.
    carrier
        Of the connection found. Of the color that is not to move, the cells of all semi connections
        that are needed to tell ``must_play``.
    must_play
        In this last case the cells that all semi connections need: the other must move there. All
        free cells if there is no connection.
    """
    groups = find_nodes(near, own, free, connections.nodes)
    target = lowest(borders)
    source = lowest(borders & (borders - ONE))
    if groups & borders != borders:  # a border is not the lowest of its group: find its name
        target = name_of(near, own, target)
        source = name_of(near, own, source)
        if target == source:
            return VIRTUAL, NONE, NONE
    find_bridges(groups | free, connections.nodes)
    whole = connections.borders[0]
    forget(whole)
    for side in range(2):
        start, end = (source, target) if side == 0 else (target, source)
        follow_paths(groups, free, start, end, moves_first, connections.ends[side], connections)
        reached = connections.ends[side, end]
        if reached.vc_count > 0:
            return VIRTUAL, reached.vcs[0], NONE
        if moves_first and reached.sc_count > 0:
            return SEMI, reached.scs[0], NONE
        for place in range(reached.sc_count):
            add_sc(whole, reached.scs[place])
    meet(groups, free, source, target, moves_first, connections)
    if whole.vc_count > 0:
        return VIRTUAL, whole.vcs[0], NONE
    must_play = free
    union = NONE
    for place in range(whole.sc_count):
        carrier = whole.scs[place]
        if moves_first:
            return SEMI, carrier, NONE
        if must_play & ~carrier != NONE:
            union |= carrier
            must_play &= carrier
    if union == NONE:
        return NO_CONNECTION, NONE, free
    return SEMI, union, must_play


@compiled
def follow_paths(
    groups: np.uint64,
    free: np.uint64,
    source: int,
    target: int,
    moves_first: bool,
    ends: Any,
    connections: Connections,
) -> None:
    """Find what is connected to one border, up to the other; O(nodes) steps or so."""
    nodes, queue = connections.nodes, connections.queue
    left = groups | free
    while left != NONE:
        forget(ends[lowest(left)])
        left &= left - ONE
    add_vc(ends[source], NONE)
    queue[0].node = source
    queue[0].place = 0
    first, last = 0, 1
    while first < last:
        node = queue[first].node
        carrier = ends[node].vcs[queue[first].place]
        first += 1
        here = bit(node)
        through = NONE if groups & here != NONE else here
        steps = (nodes[node].adjacent | nodes[node].bridged) & ~carrier & ~bit(source)
        while steps != NONE:
            other = lowest(steps)
            steps &= steps - ONE
            longer = carrier | through
            if nodes[node].adjacent & bit(other) == NONE:
                shared = nodes[node].cells & nodes[other].cells & ~carrier
                rest = shared & (shared - ONE)
                if rest == NONE:
                    continue
                longer |= (shared ^ rest) | (rest & (~rest + ONE))
            reached = ends[other]
            before = reached.vc_count
            if through == NONE:
                add_vc(reached, longer)
            else:
                add_sc(reached, longer)
            for place in range(before, reached.vc_count):
                queue[last].node = other
                queue[last].place = place
                last += 1
            if other == target and (reached.vc_count > 0 or (moves_first and reached.sc_count > 0)):
                return


@compiled
def meet(
    groups: np.uint64,
    free: np.uint64,
    source: int,
    target: int,
    moves_first: bool,
    connections: Connections,
) -> None:
    """Put together what reaches a node from either border."""
    whole = connections.borders[0]
    left = (groups | free) & ~(bit(source) | bit(target))
    while left != NONE:
        node = lowest(left)
        left &= left - ONE
        here = bit(node)
        through = NONE if groups & here != NONE else here
        one, two = connections.ends[0, node], connections.ends[1, node]
        for place in range(one.vc_count):
            carrier = one.vcs[place]
            for other in range(two.vc_count):
                if carrier & two.vcs[other] == NONE:
                    joined = carrier | two.vcs[other] | through
                    if through == NONE:
                        add_vc(whole, joined)
                        return
                    add_sc(whole, joined)
                    if moves_first or whole.vc_count > 0:
                        return
        if through == NONE and (
            meet_halfway(one, two, moves_first, whole) or meet_halfway(two, one, moves_first, whole)
        ):
            return


@compiled
def meet_halfway(virtual: Any, semi: Any, moves_first: bool, whole: Any) -> bool:
    """Join virtual connections of a group to semi connections of it; tell whether that will do."""
    for place in range(virtual.vc_count):
        carrier = virtual.vcs[place]
        for other in range(semi.sc_count):
            if carrier & semi.scs[other] == NONE:
                add_sc(whole, carrier | semi.scs[other])
                if moves_first or whole.vc_count > 0:
                    return True
    return False
