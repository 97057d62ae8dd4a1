"""The rules by which connections are made of others.

The AND rule: two virtual connections that meet in a node and share no cell make a connection of
their far ends, a virtual one if the node is a group of stones, a semi connection if it is a free
cell, which a stone makes a group. Through a group a virtual and a semi connection make a semi one.

The OR rule: semi connections of two nodes with no cell in common to all of them make a virtual
connection: whichever cell the other color takes, one of them is left.
"""

from __future__ import annotations

from ludograph.games.hex.connections.queue import (
    NOTHING,
    SEMI,
    VIRTUAL,
    add_cell,
    are_disjoint,
    holds,
    offer,
    start,
)
from ludograph.games.hex.connections.room import DEPTH, Connections
from ludograph.games.hex.setup import NOBODY
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, population


@compiled
def combine(room: Connections, index: int) -> None:
    """Apply the AND rule to a connection and all that are kept at either of its nodes."""
    made = room.pool[index]
    cells = room.colors.size
    for end in range(2):
        middle = made.one if end == 0 else made.other
        far = made.other if end == 0 else made.one
        if middle >= cells:  # what hangs on one border already need not go through it
            continue
        if room.colors[middle] == NOBODY:
            if made.semi == VIRTUAL:
                combine_at(room, index, middle, far, VIRTUAL, SEMI, True)
        else:
            combine_at(room, index, middle, far, VIRTUAL, made.semi, False)
            if made.semi == VIRTUAL:
                combine_at(room, index, middle, far, SEMI, SEMI, False)


@compiled
def combine_at(
    room: Connections, index: int, middle: int, far: int, kind: int, result: int, through: bool
) -> None:
    """Apply the AND rule in one node to a connection and those of a kind that are kept there.

    Parameters
    ----------
    result
        The kind of what is made.
    through
        Whether the node is a free cell.
    """
    cells, progress = room.colors.size, room.progress
    size = room.pool[index].size + (1 if through else 0)
    progress.work += room.degrees[kind, middle]
    for place in range(room.degrees[kind, middle]):
        other = room.at[kind, middle, place]
        second = room.pool[other]
        end = second.other if second.one == middle else second.one
        if (
            end == far
            or size + second.size > most_cells(room, far, end)
            or not are_disjoint(room, index, other)
            or holds(room, other, far)
            or holds(room, index, end)
        ):
            continue
        top = progress.top
        for word in range(len(room.words)):
            room.carriers[top, word] = room.carriers[index, word] | room.carriers[other, word]
        key = middle
        if through:
            add_cell(room, top, middle)
        else:
            key = max(room.pool[index].key, second.key)
        start(room, min(far, end), max(far, end), result, key)
        if far >= cells and end >= cells:
            join_borders(room, top)
            if progress.won:
                return
        else:
            offer(room, top)


@compiled(inlined=True)
def most_cells(room: Connections, one: int, other: int) -> int:
    """Return how many cells a connection of two nodes may need."""
    cells = room.colors.size
    if one >= cells or other >= cells:
        return cells
    free = 1 if room.colors[one] == NOBODY else 0
    free += 1 if room.colors[other] == NOBODY else 0
    if free == 0:
        return cells
    return room.limits.group_pairs if free == 1 else room.limits.free_pairs


@compiled
def join_borders(room: Connections, index: int) -> None:
    """Note a connection of the two borders."""
    made, progress = room.pool[index], room.progress
    if made.semi == VIRTUAL:
        for word in range(len(room.words)):
            room.used[word] = room.carriers[index, word]
        progress.won = 1
        progress.key = NOTHING
        return
    if progress.semis == 0:
        progress.key = made.key
        for word in range(len(room.words)):
            room.needed[word] = room.carriers[index, word]
            room.used[word] = room.carriers[index, word]
    progress.semis += 1
    fewer = NONE
    left = NONE
    for word in range(len(room.words)):
        fewer |= room.needed[word] & ~room.carriers[index, word]
        left |= room.needed[word] & room.carriers[index, word]
    if fewer != NONE:
        for word in range(len(room.words)):
            room.needed[word] &= room.carriers[index, word]
            room.used[word] |= room.carriers[index, word]
    if left == NONE:
        progress.won = 1
        progress.key = NOTHING


@compiled
def unite(room: Connections, index: int) -> None:
    """Apply the OR rule to a semi connection and those that are kept of its nodes.

    Sets of at most ``DEPTH`` are tried in which each takes a cell out of what is common to all.
    """
    made = room.pool[index]
    first = room.pairs[SEMI, made.one * room.groups.size + made.other]
    for word in range(len(room.words)):
        room.common[0, word] = room.carriers[index, word]
        room.union[0, word] = room.carriers[index, word]
    depth = 1
    room.places[1] = first
    while depth > 0:
        other = room.places[depth]
        if other == NOTHING:
            depth -= 1
            continue
        room.places[depth] = room.pool[other].sibling
        left = NONE
        fewer = NONE
        for word in range(len(room.words)):
            before = room.common[depth - 1, word]
            common = before & room.carriers[other, word]
            room.common[depth, word] = common
            room.union[depth, word] = room.union[depth - 1, word] | room.carriers[other, word]
            left |= common
            fewer |= before ^ common
        if left == NONE:
            offer_union(room, depth, made.one, made.other)
        elif fewer != NONE and depth + 1 < DEPTH:
            room.places[depth + 1] = room.places[depth]
            depth += 1


@compiled
def offer_union(room: Connections, depth: int, one: int, other: int) -> None:
    """Offer the virtual connection that the OR rule has found, if it is not too large."""
    size = 0
    top = room.progress.top
    for word in range(len(room.words)):
        room.carriers[top, word] = room.union[depth, word]
        size += population(room.union[depth, word])
    if size <= most_cells(room, one, other):
        start(room, one, other, VIRTUAL, NOTHING)
        offer(room, top)
