"""H-search from a color's two borders: the AND rule along paths, the OR rule at their ends.

The AND rule: two virtual connections that meet in a node and share no cell make a virtual
connection of their far ends if the node is a group of stones, a semi connection if it is a free
cell. Here one end is always a border, and a step from node to node is an adjacency or a bridge:
less than all connections, quickly found. What the searches from either border find meets in all
nodes in between.
"""

from __future__ import annotations

from typing import Any

from ludograph.games.hex.connections.carriers import add_sc, add_vc, forget
from ludograph.games.hex.connections.nodes import (
    Connections,
    find_bridges,
    find_nodes,
    source_of,
)
from ludograph.rules import compiled
from ludograph.rules.kernels.sets import (
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
    rest,
    single,
    union,
    with_one,
    without,
)

NO_CONNECTION, VIRTUAL, SEMI = range(3)
"""What :func:`connect` has found."""


@compiled
def connect(
    near: Words,
    own: Set,
    free: Set,
    sides: Words,
    moves_first: bool,
    connections: Connections,
) -> tuple[int, Set, Set]:
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
    nothing = empty(own)
    groups, joined = find_nodes(near, own, free, sides, connections.nodes)
    if joined:
        return VIRTUAL, nothing, nothing
    find_bridges(union(groups, free), connections.nodes)
    forget(connections.borders[0])
    for side in range(2):
        follow_paths(groups, free, side, moves_first, connections)
        found, carrier = note_arrivals(side, moves_first, own, connections)
        if found != NO_CONNECTION:
            return found, carrier, nothing
    return meet(groups, free, moves_first, connections)


@compiled
def note_arrivals(
    side: int, moves_first: bool, like: Set, connections: Connections
) -> tuple[int, Set]:
    """Note what leads from one border to the other; tell whether that will do, and its carrier."""
    whole = connections.borders[0]
    reached = connections.ends[side, source_of(like) + 1 - side]
    if reached.vc_count > 0:
        return VIRTUAL, get(reached.vcs[0], like)
    if moves_first and reached.sc_count > 0:
        return SEMI, get(reached.scs[0], like)
    for place in range(reached.sc_count):
        add_sc(whole, get(reached.scs[place], like))
    return NO_CONNECTION, empty(like)


@compiled
def follow_paths(
    groups: Set, free: Set, side: int, moves_first: bool, connections: Connections
) -> None:
    """Find what is connected to one border, up to the other; O(nodes) steps or so."""
    nodes, ends = connections.nodes, connections.ends[side]
    left = union(groups, free)
    while not is_empty(left):
        forget(ends[first(left)])
        left = rest(left)
    source = source_of(left) + side
    forget(ends[source_of(left) + 1 - side])
    if not join_by_bridge(side, left, connections):
        steps = union(get(nodes[source].adjacent, left), get(nodes[source].bridged, left))
        last = go_on(groups, source, left, False, steps, ends, connections, 0)
        follow_queue(groups, side, moves_first, connections, last)


@compiled
def join_by_bridge(side: int, like: Set, connections: Connections) -> bool:
    """Note it if both borders are a bridge apart; tell whether they are."""
    nodes, source = connections.nodes, source_of(like)
    pair = bridge(common(get(nodes[source].cells, like), get(nodes[source + 1].cells, like)))
    if is_empty(pair):
        return False
    add_vc(connections.ends[side, source + 1 - side], pair)
    return True


@compiled
def follow_queue(
    groups: Set, side: int, moves_first: bool, connections: Connections, last: int
) -> None:
    """Continue with the connections that wait, and with those that come of them."""
    nodes, queue, ends = connections.nodes, connections.queue, connections.ends[side]
    source, target = source_of(groups) + side, source_of(groups) + 1 - side
    reached = ends[target]
    goal = get(nodes[target].cells, groups)
    touching = get(nodes[source].adjacent, groups)
    next_one = 0
    while next_one < last:
        step = queue[next_one]
        node, place, semi = step.node, step.place, step.semi
        next_one += 1
        carrier = get(ends[node].scs[place] if semi else ends[node].vcs[place], groups)
        arrive(groups, node, carrier, semi, goal, nodes, reached)
        if reached.vc_count > 0 or (moves_first and reached.sc_count > 0):
            return
        steps = union(get(nodes[node].adjacent, groups), get(nodes[node].bridged, groups))
        steps = without(steps, union(touching, carrier))
        last = go_on(groups, node, carrier, semi, steps, ends, connections, last)


@compiled(inlined=True)
def go_on(
    groups: Set,
    node: int,
    carrier: Set,
    semi: bool,
    steps: Set,
    ends: Any,
    connections: Connections,
    last: int,
) -> int:
    """Go on from a node to others; return where the queue ends then.

    Through a cell only a semi connection leads, and through a group a semi connection goes on as
    one.
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
            queue[last].node = other
            queue[last].place = place
            queue[last].semi = False
            last += 1
        if has(groups, other):
            for place in range(scs, end.sc_count):
                queue[last].node = other
                queue[last].place = place
                queue[last].semi = True
                last += 1
    return last


@compiled(inlined=True)
def arrive(
    groups: Set,
    node: int,
    carrier: Set,
    semi: bool,
    goal: Set,
    nodes: Any,
    reached: Any,
) -> None:
    """Go on from a node to the other border, whose cells are the goal, if it is one step away."""
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
    """Return two of the cells that two nodes share, or none if there are less."""
    others = rest(shared)
    if is_empty(others):
        return others
    return with_one(single(first(shared), shared), first(others))


@compiled
def meet(
    groups: Set, free: Set, moves_first: bool, connections: Connections
) -> tuple[int, Set, Set]:
    """Put together what reaches the nodes from either border; return what :func:`connect` does."""
    whole = connections.borders[0]
    nothing = empty(free)
    left = union(groups, free)
    while not is_empty(left):
        node = first(left)
        left = rest(left)
        if meet_in(node, not has(groups, node), groups, moves_first, connections):
            break
    if whole.vc_count > 0:
        return VIRTUAL, get(whole.vcs[0], free), nothing
    must_play = free
    used = nothing
    for place in range(whole.sc_count):
        carrier = get(whole.scs[place], free)
        if moves_first:
            return SEMI, carrier, nothing
        if not is_within(must_play, carrier):
            used = union(used, carrier)
            must_play = common(must_play, carrier)
    if is_empty(used):
        return NO_CONNECTION, nothing, free
    return SEMI, used, must_play


@compiled
def meet_in(
    node: int, is_cell: bool, like: Set, moves_first: bool, connections: Connections
) -> bool:
    """Put together what reaches one node; tell whether that will do."""
    whole = connections.borders[0]
    one, two = connections.ends[0, node], connections.ends[1, node]
    for place in range(one.vc_count):
        carrier = get(one.vcs[place], like)
        for other in range(two.vc_count):
            second = get(two.vcs[other], like)
            if not meets(carrier, second):
                joined = union(carrier, second)
                if not is_cell:
                    add_vc(whole, joined)
                    return True
                add_sc(whole, with_one(joined, node))
                if moves_first or whole.vc_count > 0:
                    return True
    return not is_cell and (
        meet_halfway(one, two, like, moves_first, whole)
        or meet_halfway(two, one, like, moves_first, whole)
    )


@compiled
def meet_halfway(virtual: Any, semi: Any, like: Set, moves_first: bool, whole: Any) -> bool:
    """Join virtual connections of a group to semi connections of it; tell whether that will do."""
    for place in range(virtual.vc_count):
        carrier = get(virtual.vcs[place], like)
        for other in range(semi.sc_count):
            second = get(semi.scs[other], like)
            if not meets(carrier, second):
                add_sc(whole, union(carrier, second))
                if moves_first or whole.vc_count > 0:
                    return True
    return False
