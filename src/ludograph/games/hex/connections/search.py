"""H-search from a color's borders: nodes, the AND rule along paths, the OR rule at their ends.

The AND rule: two virtual connections that meet in a node and share no cell make a connection of
their other ends: a virtual connection if the node is a group of stones, a semi connection if it is
a free cell. Here one end is always a border, and a step from node to node is an adjacency or a
bridge. This does not find all connections, but it is fast. At the end the connections from both
borders are joined in all nodes between them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.hex.connections.carriers import SCS, VCS, add_sc, add_vc, carriers_type, clear
from ludograph.rules import compiled
from ludograph.rules.kernels.growth import around, reachable
from ludograph.rules.kernels.sets import (
    WORD,
    Set,
    Words,
    common,
    empty,
    first,
    get,
    has,
    is_empty,
    is_within,
    meets,
    put,
    rest,
    single,
    union,
    with_one,
    without,
    without_one,
)

STEP = np.dtype((np.record, [("node", np.int64), ("place", np.int64), ("semi", np.bool_)]))
"""A connection in the queue of the search: its node; its place among the node's virtual or, if
``semi``, semi connections."""


class Connections(NamedTuple):
    """The connections of one color in one position, and the memory of the search for them.

    The number of a node is that of its cell; for a group, that of the group's lowest cell. The last
    two nodes, see :func:`source_of`, are the color's borders, each with the stones connected to it.
    """

    nodes: Any
    """``node_type(words)[nodes]``: the surroundings of each node."""
    ends: Any
    """``carriers_type(words)[2, nodes]``: the connections of each border with each node."""
    borders: Any
    """``carriers_type(words)[1]``: the connections of one border with the other."""
    queue: Any
    """``STEP[nodes * (VCS + SCS)]``: the connections from which the search continues."""


def node_type(words: int) -> np.dtype[Any]:
    """Return the type of a node's surroundings, for sets of ``words`` words."""
    fields: list[Any] = [
        ("cells", np.uint64, (words,)),  # the adjacent free cells
        ("adjacent", np.uint64, (words,)),  # the adjacent nodes, without borders
        ("bridged", np.uint64, (words,)),  # the nodes a bridge apart, without borders
    ]
    return np.dtype((np.record, fields))


def make_connections(words: int) -> Connections:
    """Return memory for the connections of any position, for sets of ``words`` words."""
    nodes = WORD * words + 2
    return Connections(
        nodes=np.zeros(nodes, node_type(words)),
        ends=np.zeros((2, nodes), carriers_type(words)),
        borders=np.zeros(1, carriers_type(words)),
        queue=np.zeros(nodes * (VCS + SCS), STEP),
    )


@compiled(inlined=True)
def source_of(template: Set) -> int:
    """Return the node of a color's first border; the next number is that of the second border."""
    return WORD * len(template)


@compiled
def find_nodes(near: Words, own: Set, free: Set, sides: Words, nodes: Any) -> tuple[Set, bool]:
    """Write the cells and the nodes adjacent to each node.

    Returns
    -------
    groups
        The lowest cells of the groups that touch no border.
    joined
        Whether the borders are joined already; then nothing is written.
    """
    groups = empty(own)
    top, bottom = get(sides[0], own), get(sides[1], own)
    above = reachable(near, top, own)
    if meets(above, bottom):
        return groups, True
    below = reachable(near, bottom, own)
    left = free
    while not is_empty(left):
        cell = first(left)
        left = rest(left)
        cells = common(get(near[cell], own), free)
        put(nodes[cell].cells, cells)
        put(nodes[cell].adjacent, cells)
    source = source_of(own)
    for side in range(2):
        border, joined = (top, above) if side == 0 else (bottom, below)
        cells = common(union(border, around(near, joined)), free)
        put(nodes[source + side].cells, cells)
        put(nodes[source + side].adjacent, cells)
    left = without(own, union(above, below))
    while not is_empty(left):
        name = first(left)
        group = reachable(near, single(name, own), own)
        left = without(left, group)
        groups = with_one(groups, name)
        cells = common(around(near, group), free)
        put(nodes[name].cells, cells)
        put(nodes[name].adjacent, cells)
        while not is_empty(cells):
            adjacent = nodes[first(cells)].adjacent
            put(adjacent, with_one(get(adjacent, own), name))
            cells = rest(cells)
    return groups, False


@compiled
def find_bridges(among: Set, nodes: Any) -> None:
    """Write the nodes a bridge apart: they have two common free cells and are not adjacent.

    ``among`` contains all nodes except the borders.
    """
    left = among
    while not is_empty(left):
        name = first(left)
        left = rest(left)
        write_bridges(name, without_one(among, name), nodes)
    source = source_of(among)
    write_bridges(source, among, nodes)
    write_bridges(source + 1, among, nodes)


@compiled
def write_bridges(name: int, among: Set, nodes: Any) -> None:
    """Write the nodes, among some, that are a bridge apart from one node."""
    once = twice = empty(among)
    cells = get(nodes[name].cells, among)
    while not is_empty(cells):
        reached = get(nodes[first(cells)].adjacent, among)
        cells = rest(cells)
        twice = union(twice, common(once, reached))
        once = union(once, reached)
    twice = common(twice, among)
    put(nodes[name].bridged, without(twice, get(nodes[name].adjacent, among)))


NO_CONNECTION, VIRTUAL, SEMI = range(3)
"""The results of :func:`connect`."""


@compiled
def connect(
    near: Words,
    own: Set,
    free: Set,
    sides: Words,
    moves_first: bool,
    connections: Connections,
) -> tuple[int, Set, Set]:
    """Search for a connection of a color's two borders, from both of them.

    Parameters
    ----------
    near
        ``uint64[cells, words]``: the neighbors of each cell.
    own, free
        The color's stones; the free cells.
    sides
        ``uint64[2, words]``: the cells at each of its borders.
    moves_first
        Whether the color is to move, so that a semi connection is enough.
    connections
        The memory of the search; afterwards the connections.

    Returns
    -------
    found
        ``VIRTUAL``, ``SEMI`` or ``NO_CONNECTION``.
    carrier
        The carrier of the connection. For semi connections of a color that is not to move, it is
        the union of the carriers that determine ``must_play``.
    must_play
        The must-play region of the other color: for semi connections of a color that is not to
        move, the common cells of their carriers. Without a connection these are all free cells;
        otherwise it is empty.
    """
    nothing = empty(own)
    groups, joined = find_nodes(near, own, free, sides, connections.nodes)
    if joined:
        return VIRTUAL, nothing, nothing
    find_bridges(union(groups, free), connections.nodes)
    clear(connections.borders[0])
    for side in range(2):
        search_from_border(groups, free, side, moves_first, connections)
        found, carrier = store_border_connections(side, moves_first, own, connections)
        if found != NO_CONNECTION:
            return found, carrier, nothing
    return join_borders(groups, free, moves_first, connections)


@compiled
def store_border_connections(
    side: int, moves_first: bool, template: Set, connections: Connections
) -> tuple[int, Set]:
    """Store the connections from one border to the other; return one that suffices, with carrier.

    The first value is ``NO_CONNECTION`` if none suffices.
    """
    across = connections.borders[0]
    reached = connections.ends[side, source_of(template) + 1 - side]
    if reached.vc_count > 0:
        return VIRTUAL, get(reached.vcs[0], template)
    if moves_first and reached.sc_count > 0:
        return SEMI, get(reached.scs[0], template)
    for place in range(reached.sc_count):
        add_sc(across, get(reached.scs[place], template))
    return NO_CONNECTION, empty(template)


@compiled
def search_from_border(
    groups: Set, free: Set, side: int, moves_first: bool, connections: Connections
) -> None:
    """Find the connections of one border with all nodes and with the other border.

    It stops when a connection of both borders suffices. It takes about O(nodes) steps.
    """
    nodes, queue, ends = connections.nodes, connections.queue, connections.ends[side]
    source, target = source_of(groups) + side, source_of(groups) + 1 - side
    reached = ends[target]
    left = union(groups, free)
    while not is_empty(left):
        clear(ends[first(left)])
        left = rest(left)
    clear(reached)
    goal = get(nodes[target].cells, groups)
    pair = bridge(common(get(nodes[source].cells, groups), goal))
    if not is_empty(pair):
        add_vc(reached, pair)
        return
    touching = get(nodes[source].adjacent, groups)
    steps = union(touching, get(nodes[source].bridged, groups))
    tail = extend_to_nodes(groups, source, left, False, steps, ends, connections, 0)
    next_one = 0
    while next_one < tail:
        step = queue[next_one]
        node, place, semi = step.node, step.place, step.semi
        next_one += 1
        carrier = get(ends[node].scs[place] if semi else ends[node].vcs[place], groups)
        extend_to_border(groups, node, carrier, semi, goal, nodes, reached)
        if reached.vc_count > 0 or (moves_first and reached.sc_count > 0):
            return
        steps = union(get(nodes[node].adjacent, groups), get(nodes[node].bridged, groups))
        steps = without(steps, union(touching, carrier))
        tail = extend_to_nodes(groups, node, carrier, semi, steps, ends, connections, tail)


@compiled(inlined=True)
def extend_to_nodes(
    groups: Set,
    node: int,
    carrier: Set,
    semi: bool,
    steps: Set,
    ends: Any,
    connections: Connections,
    tail: int,
) -> int:
    """Extend a connection from a node to others; return the end of the queue.

    Through a free cell the longer connection is a semi connection. Through a group it has the kind
    of the shorter one.

    Parameters
    ----------
    carrier, semi
        The carrier of the connection to ``node``; whether it is a semi connection.
    steps
        The other nodes, which are adjacent or a bridge apart.
    """
    nodes, queue = connections.nodes, connections.queue
    is_cell = node < source_of(groups) and not has(groups, node)
    needed = with_one(carrier, node) if is_cell else carrier
    adjacent, cells = get(nodes[node].adjacent, groups), get(nodes[node].cells, groups)
    while not is_empty(steps):
        other = first(steps)
        steps = rest(steps)
        longer = needed
        if not has(adjacent, other):
            shared = common(cells, get(nodes[other].cells, groups))
            pair = bridge(without(shared, carrier))
            if is_empty(pair):
                continue
            longer = union(longer, pair)
        end = ends[other]
        vcs, scs = end.vc_count, end.sc_count
        if not is_cell and not semi:
            add_vc(end, longer)
        else:
            add_sc(end, longer)
        for place in range(vcs, end.vc_count):
            queue[tail].node = other
            queue[tail].place = place
            queue[tail].semi = False
            tail += 1
        if has(groups, other):
            for place in range(scs, end.sc_count):
                queue[tail].node = other
                queue[tail].place = place
                queue[tail].semi = True
                tail += 1
    return tail


@compiled(inlined=True)
def extend_to_border(
    groups: Set,
    node: int,
    carrier: Set,
    semi: bool,
    goal: Set,
    nodes: Any,
    reached: Any,
) -> None:
    """Extend a connection from a node to the other border, if this is one step away.

    Parameters
    ----------
    goal
        The cells at the other border.
    reached
        The connections of both borders, to which the longer one is added.
    """
    is_cell = not has(groups, node)
    longer = with_one(carrier, node) if is_cell else carrier
    if not has(goal, node):
        pair = bridge(without(common(get(nodes[node].cells, goal), goal), carrier))
        if is_empty(pair):
            return
        longer = union(longer, pair)
    if not is_cell and not semi:
        add_vc(reached, longer)
    else:
        add_sc(reached, longer)


@compiled
def bridge(shared: Set) -> Set:
    """Return two of the cells that two nodes share, or an empty set if there are fewer."""
    others = rest(shared)
    if is_empty(others):
        return others
    return with_one(single(first(shared), shared), first(others))


@compiled
def join_borders(
    groups: Set, free: Set, moves_first: bool, connections: Connections
) -> tuple[int, Set, Set]:
    """Join the connections from both borders in all nodes; return the result of :func:`connect`."""
    across = connections.borders[0]
    nothing = empty(free)
    left = union(groups, free)
    while not is_empty(left):
        node = first(left)
        left = rest(left)
        if join_at_node(node, not has(groups, node), groups, moves_first, connections):
            break
    if across.vc_count > 0:
        return VIRTUAL, get(across.vcs[0], free), nothing
    must_play = free
    used = nothing
    for place in range(across.sc_count):
        carrier = get(across.scs[place], free)
        if moves_first:
            return SEMI, carrier, nothing
        if not is_within(must_play, carrier):
            used = union(used, carrier)
            must_play = common(must_play, carrier)
    if is_empty(used):
        return NO_CONNECTION, nothing, free
    return SEMI, used, must_play


@compiled
def join_at_node(
    node: int, is_cell: bool, template: Set, moves_first: bool, connections: Connections
) -> bool:
    """Join the connections from both borders in one node; tell whether a joined one suffices."""
    across = connections.borders[0]
    one, two = connections.ends[0, node], connections.ends[1, node]
    for place in range(one.vc_count):
        carrier = get(one.vcs[place], template)
        for other in range(two.vc_count):
            second = get(two.vcs[other], template)
            if not meets(carrier, second):
                joined = union(carrier, second)
                if not is_cell:
                    add_vc(across, joined)
                    return True
                add_sc(across, with_one(joined, node))
                if moves_first or across.vc_count > 0:
                    return True
    return not is_cell and (
        join_virtual_with_semi(one, two, template, moves_first, across)
        or join_virtual_with_semi(two, one, template, moves_first, across)
    )


@compiled
def join_virtual_with_semi(
    virtual: Any, semi: Any, template: Set, moves_first: bool, across: Any
) -> bool:
    """Join virtual connections of a group with semi connections; tell whether one suffices."""
    for place in range(virtual.vc_count):
        carrier = get(virtual.vcs[place], template)
        for other in range(semi.sc_count):
            second = get(semi.scs[other], template)
            if not meets(carrier, second):
                add_sc(across, union(carrier, second))
                if moves_first or across.vc_count > 0:
                    return True
    return False
