"""H-search after a move, for its color: only new connections are searched.

The connections before the move are found once for all moves of a position. A connection whose
carrier contains none of the cells taken by the move still holds. A connection to a cell or group
that has become part of a larger group is a connection to this group. So the rules are applied only
from such groups, and from nodes that are one step away from a border only after the move
(incremental updates, as in Henderson: "Playing and solving the game of Hex", PhD thesis, University
of Alberta, 2010).
"""

from __future__ import annotations

from typing import Any

from ludograph.games.hex.connections.carriers import add_sc, add_vc, clear
from ludograph.games.hex.connections.search import (
    NO_CONNECTION,
    VIRTUAL,
    Connections,
    bridge_borders,
    connect,
    extend_queue,
    extend_to_border,
    extend_to_nodes,
    find_bridges,
    find_nodes,
    join_borders,
    search_from_border,
    source_of,
    store_border_connections,
)
from ludograph.rules import compiled
from ludograph.rules.kernels.growth import reachable
from ludograph.rules.kernels.sets import (
    Set,
    Words,
    common,
    empty,
    first,
    get,
    is_empty,
    meets,
    put,
    rest,
    single,
    union,
    without,
)

UPDATE_FROM = 4
"""The number of evaluated moves of a position at which the connections before its moves are found.
This takes as long as the evaluation of a move, so it does not pay for fewer moves; often the table
already has most moves."""


@compiled
def connect_after(
    near: Words,
    own: Set,
    free: Set,
    added: Set,
    lost: Set,
    sides: Words,
    before: Connections,
    connections: Connections,
) -> tuple[int, Set, Set]:
    """Return the result of :func:`connect` for the color that has moved, by an update if possible.

    Parameters
    ----------
    own, free
        The color's stones and the free cells after the move.
    added, lost
        The cells that have become the color's or the other color's by the move.
    before
        The connections before the move; the next move of the same position uses them again.
    """
    if not can_update(near, without(own, added), union(free, union(added, lost)), sides, before):
        return connect(near, own, free, sides, False, connections)
    nothing = empty(own)
    groups, joined = find_nodes(near, own, free, sides, connections.nodes)
    if joined:
        return VIRTUAL, nothing, nothing
    find_bridges(union(groups, free), connections.nodes)
    clear(connections.borders[0])
    for side in range(2):
        copy_intact_connections(groups, free, added, lost, side, before, connections)
        if not bridge_borders(side, own, connections):
            tail = queue_grown_groups(near, own, groups, lost, sides, side, before, connections)
            tail = queue_new_first_steps(groups, free, side, before, connections, tail)
            add_new_last_steps(groups, free, side, before, connections)
            extend_queue(groups, side, False, connections, tail)
        found, carrier = store_border_connections(side, False, own, connections)
        if found != NO_CONNECTION:
            return found, carrier, nothing
    return join_borders(groups, free, False, connections)


@compiled
def can_update(near: Words, own: Set, free: Set, sides: Words, before: Connections) -> bool:
    """Count the evaluated moves of a position, and tell whether its connections are known.

    They are found at move number ``UPDATE_FROM``.

    Parameters
    ----------
    own, free
        The stones of the color that moves and the free cells, before the move.
    """
    position = before.position[0]
    if (
        own != get(position.own, own)
        or free != get(position.free, own)
        or get(sides[0], own) != get(position.border, own)
    ):
        put(position.own, own)
        put(position.free, free)
        put(position.border, get(sides[0], own))
        position.evaluated_moves = 0
    position.evaluated_moves += 1
    if position.evaluated_moves == UPDATE_FROM:
        groups, _ = find_nodes(near, own, free, sides, before.nodes)
        put(position.groups, groups)
        find_bridges(union(groups, free), before.nodes)
        for side in range(2):
            search_from_border(groups, free, side, False, before)
    return position.evaluated_moves >= UPDATE_FROM


@compiled
def copy_intact_connections(
    groups: Set,
    free: Set,
    added: Set,
    lost: Set,
    side: int,
    before: Connections,
    connections: Connections,
) -> None:
    """Copy the connections of one border whose carriers contain no taken cell."""
    known, ends = before.ends[side], connections.ends[side]
    target = source_of(free) + 1 - side
    taken = union(added, lost)
    left = union(groups, free)
    while not is_empty(left):
        node = first(left)
        left = rest(left)
        copy_intact_carriers(known[node], taken, ends[node])
    copy_intact_carriers(known[target], taken, ends[target])


@compiled
def copy_intact_carriers(known: Any, taken: Set, end: Any) -> None:
    """Copy the connections of a pair of ends whose carriers contain no taken cell."""
    count = 0
    for place in range(known.vc_count):
        carrier = get(known.vcs[place], taken)
        if not meets(carrier, taken):
            put(end.vcs[count], carrier)
            count += 1
    end.vc_count = count
    count = 0
    for place in range(known.sc_count):
        carrier = get(known.scs[place], taken)
        if not meets(carrier, taken):
            put(end.scs[count], carrier)
            count += 1
    end.sc_count = count


@compiled
def queue_grown_groups(
    near: Words,
    own: Set,
    groups: Set,
    lost: Set,
    sides: Words,
    side: int,
    before: Connections,
    connections: Connections,
) -> int:
    """Queue the connections to groups with new stones; return the end of the queue.

    A group gets the connections of its members; their carriers no longer need the new stones.
    """
    position = before.position[0]
    nodes_before = union(get(position.groups, own), get(position.free, own))
    known, ends = before.ends[side], connections.ends[side]
    left = added = without(own, get(position.own, own))
    tail = 0
    while not is_empty(left):
        group = reachable(near, single(first(left), own), own)
        left = without(left, group)
        members = common(group, nodes_before)
        if meets(group, get(sides[1 - side], own)):
            merge_connections(members, added, lost, known, ends[source_of(own) + 1 - side])
        elif not meets(group, get(sides[side], own)):
            name = first(group)
            merge_connections(members, added, lost, known, ends[name])
            tail = queue_group(name, members, groups, side, before, connections, tail)
    return tail


@compiled
def merge_connections(members: Set, added: Set, lost: Set, known: Any, end: Any) -> None:
    """Add the connections of nodes that have become one group."""
    while not is_empty(members):
        member = known[first(members)]
        members = rest(members)
        for place in range(member.vc_count):
            carrier = get(member.vcs[place], added)
            if not meets(carrier, lost):
                add_vc(end, without(carrier, added))
        for place in range(member.sc_count):
            carrier = get(member.scs[place], added)
            if not meets(carrier, lost):
                add_sc(end, without(carrier, added))


@compiled
def queue_group(
    name: int,
    members: Set,
    groups: Set,
    side: int,
    before: Connections,
    connections: Connections,
    tail: int,
) -> int:
    """Queue the connections to a new group, also by bridges that none of its members had.

    Return the end of the queue.
    """
    ends, queue, nodes = connections.ends[side], connections.queue, connections.nodes
    end = ends[name]
    for place in range(end.vc_count):
        queue[tail].node = name
        queue[tail].place = place
        queue[tail].semi = False
        tail += 1
    for place in range(end.sc_count):
        queue[tail].node = name
        queue[tail].place = place
        queue[tail].semi = True
        tail += 1
    fresh = get(nodes[name].bridged, groups)
    while not is_empty(members):
        fresh = without(fresh, steps_from(first(members), groups, before))
        members = rest(members)
    step = single(name, groups)
    while not is_empty(fresh):
        node = first(fresh)
        fresh = rest(fresh)
        for place in range(ends[node].vc_count):
            carrier = get(ends[node].vcs[place], groups)
            tail = extend_to_nodes(groups, node, carrier, False, step, ends, connections, tail)
    return tail


@compiled(inlined=True)
def steps_from(node: int, template: Set, connections: Connections) -> Set:
    """Return the nodes that are one step away from a node."""
    neighbors = connections.nodes[node]
    return union(get(neighbors.adjacent, template), get(neighbors.bridged, template))


@compiled
def queue_new_first_steps(
    groups: Set,
    free: Set,
    side: int,
    before: Connections,
    connections: Connections,
    tail: int,
) -> int:
    """Queue the steps from the border to nodes that are one step away from it only after the move.

    Other connections to nodes that are adjacent to the border now are removed, since they need
    more cells. Return the end of the queue.
    """
    ends, source = connections.ends[side], source_of(free) + side
    left = get(connections.nodes[source].adjacent, free)
    left = without(left, get(before.nodes[source].adjacent, free))
    bridged = get(connections.nodes[source].bridged, free)
    steps = union(left, without(bridged, get(before.nodes[source].bridged, free)))
    while not is_empty(left):
        clear(ends[first(left)])
        left = rest(left)
    return extend_to_nodes(groups, source, left, False, steps, ends, connections, tail)


@compiled
def add_new_last_steps(
    groups: Set, free: Set, side: int, before: Connections, connections: Connections
) -> None:
    """Extend virtual connections to the other border, from nodes one step away from it only now."""
    ends, nodes = connections.ends[side], connections.nodes
    target = source_of(free) + 1 - side
    goal = get(nodes[target].cells, free)
    left = steps_from(target, free, connections)
    left = without(left, steps_from(target, free, before))
    while not is_empty(left):
        node = first(left)
        left = rest(left)
        for place in range(ends[node].vc_count):
            carrier = get(ends[node].vcs[place], free)
            extend_to_border(groups, node, carrier, False, goal, nodes, ends[target])
