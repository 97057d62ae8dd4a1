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
    SOURCE,
    TARGET,
    Connections,
    find_bridges,
    find_nodes,
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
    sides: Words,
    moves_first: bool,
    connections: Connections,
) -> tuple[int, np.uint64, np.uint64]:
    """Look for a connection of a color's two borders, from both of them.

    Parameters
    ----------
    near
        ``uint64``: the neighbors of each cell.
    own, free
        The color's stones; the free cells.
    sides
        ``uint64[2]``: the cells at its borders.
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
    groups, joined = find_nodes(near, own, free, sides, connections.nodes)
    if joined:
        return VIRTUAL, NONE, NONE
    find_bridges(groups | free, connections.nodes)
    whole = connections.borders[0]
    forget(whole)
    for side in range(2):
        ends = connections.ends[side]
        follow_paths(groups, free, SOURCE + side, TARGET - side, moves_first, ends, connections)
        reached = ends[TARGET - side]
        if reached.vc_count > 0:
            return VIRTUAL, reached.vcs[0], NONE
        if moves_first and reached.sc_count > 0:
            return SEMI, reached.scs[0], NONE
        for place in range(reached.sc_count):
            add_sc(whole, reached.scs[place])
    meet(groups, free, moves_first, connections)
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
    reached = ends[target]
    forget(reached)
    pair = bridge(nodes[source].cells & nodes[target].cells)
    if pair != NONE:
        add_vc(reached, pair)
        return
    touching = nodes[source].adjacent
    steps = touching | nodes[source].bridged
    first, last = 0, go_on(groups, source, NONE, False, steps, ends, connections, 0)
    while first < last:
        node, place, semi = queue[first].node, queue[first].place, queue[first].semi
        first += 1
        carrier = ends[node].scs[place] if semi else ends[node].vcs[place]
        arrive(groups, node, carrier, semi, nodes[target].cells, nodes, reached)
        if reached.vc_count > 0 or (moves_first and reached.sc_count > 0):
            return
        steps = (nodes[node].adjacent | nodes[node].bridged) & ~(touching | carrier)
        last = go_on(groups, node, carrier, semi, steps, ends, connections, last)


@compiled
def go_on(
    groups: np.uint64,
    node: int,
    carrier: np.uint64,
    semi: bool,
    steps: np.uint64,
    ends: Any,
    connections: Connections,
    last: int,
) -> int:
    """Go on from a node to others; return where the queue ends then.

    Through a cell only a semi connection leads, and through a group a semi connection goes on as
    one.
    """
    nodes, queue = connections.nodes, connections.queue
    through = NONE if node >= SOURCE else bit(node) & ~groups
    while steps != NONE:
        other = lowest(steps)
        steps &= steps - ONE
        longer = carrier | through
        if nodes[node].adjacent & bit(other) == NONE:
            pair = bridge(nodes[node].cells & nodes[other].cells & ~carrier)
            if pair == NONE:
                continue
            longer |= pair
        end = ends[other]
        vcs, scs = end.vc_count, end.sc_count
        if through == NONE and not semi:
            add_vc(end, longer)
        else:
            add_sc(end, longer)
        for place in range(vcs, end.vc_count):
            queue[last].node = other
            queue[last].place = place
            queue[last].semi = False
            last += 1
        if groups & bit(other) != NONE:
            for place in range(scs, end.sc_count):
                queue[last].node = other
                queue[last].place = place
                queue[last].semi = True
                last += 1
    return last


@compiled
def arrive(
    groups: np.uint64,
    node: int,
    carrier: np.uint64,
    semi: bool,
    goal: np.uint64,
    nodes: Any,
    reached: Any,
) -> None:
    """Go on from a node to the other border, whose cells are the goal, if it is one step away."""
    through = bit(node) & ~groups
    longer = carrier | through
    if goal & bit(node) == NONE:
        pair = bridge(nodes[node].cells & goal & ~carrier)
        if pair == NONE:
            return
        longer |= pair
    if through == NONE and not semi:
        add_vc(reached, longer)
    else:
        add_sc(reached, longer)


@compiled
def bridge(shared: np.uint64) -> np.uint64:
    """Return two of the cells that two nodes share, or none if there are less."""
    rest = shared & (shared - ONE)
    if rest == NONE:
        return NONE
    return (shared ^ rest) | (rest & (~rest + ONE))


@compiled
def meet(
    groups: np.uint64,
    free: np.uint64,
    moves_first: bool,
    connections: Connections,
) -> None:
    """Put together what reaches a node from either border."""
    whole = connections.borders[0]
    left = groups | free
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
