"""Connections wait by the size of their carriers; they are kept unless a better one is known.

What the rules make of connections needs at least the cells of each. So those with the smallest
carriers are taken first, as in Dijkstra's search for shortest paths: what comes later never makes
one that is kept superfluous, and where the work is bounded it is the largest that are missed.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.connections.room import AT_NODE, POOL, Connections
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, population

VIRTUAL, SEMI = 0, 1
NOTHING = -1

SIX = np.uint64(6)
LOW = np.uint64(63)


@compiled
def clear(room: Connections) -> None:
    """Forget all connections."""
    progress = room.progress
    progress.top = 0
    progress.least = 0
    progress.kept = 0
    for size in range(room.buckets.size):
        room.buckets[size] = NOTHING
    for kind in range(2):
        for pair in range(room.pairs.shape[1]):
            room.pairs[kind, pair] = NOTHING
        for node in range(room.groups.size):
            room.degrees[kind, node] = 0


@compiled(inlined=True)
def holds(room: Connections, index: int, cell: int) -> bool:
    """Tell whether a node is a cell of a carrier."""
    place = np.uint64(cell)
    return (
        cell < room.colors.size
        and (room.carriers[index, place >> SIX] >> (place & LOW)) & ONE != NONE
    )


@compiled(inlined=True)
def add_cell(room: Connections, index: int, cell: int) -> None:
    """Put a cell into a carrier."""
    place = np.uint64(cell)
    room.carriers[index, place >> SIX] |= ONE << (place & LOW)


@compiled(inlined=True)
def are_disjoint(room: Connections, one: int, other: int) -> bool:
    """Tell whether two carriers have no cell in common."""
    both = NONE
    for word in range(len(room.words)):
        both |= room.carriers[one, word] & room.carriers[other, word]
    return both == NONE


@compiled(inlined=True)
def is_within(room: Connections, one: int, other: int) -> bool:
    """Tell whether a carrier is part of another, or the same."""
    more = NONE
    for word in range(len(room.words)):
        more |= room.carriers[one, word] & ~room.carriers[other, word]
    return more == NONE


@compiled(inlined=True)
def start(room: Connections, one: int, other: int, kind: int, key: int) -> None:
    """Write a connection to the top of the pool; its carrier is written there already."""
    index = room.progress.top
    made = room.pool[index]
    made.one = one
    made.other = other
    made.semi = kind
    made.key = key
    size = 0
    for word in range(len(room.words)):
        size += population(room.carriers[index, word])
    made.size = size


@compiled
def is_known(room: Connections, index: int) -> bool:
    """Tell whether a connection is superfluous: part of it will do, or enough are kept."""
    made = room.pool[index]
    pair = made.one * room.groups.size + made.other
    if made.semi == VIRTUAL:
        return has_part(room, VIRTUAL, pair, index, room.limits.virtual)
    everything = room.pool.size
    return has_part(room, VIRTUAL, pair, index, everything) or has_part(
        room, SEMI, pair, index, room.limits.semi
    )


@compiled
def has_part(room: Connections, kind: int, pair: int, index: int, limit: int) -> bool:
    """Tell whether a pair has so many connections of a kind, or one that is part of another."""
    count = 0
    other = room.pairs[kind, pair]
    while other != NOTHING:
        if is_within(room, other, index):
            return True
        other = room.pool[other].sibling
        count += 1
    return count >= limit


@compiled
def offer(room: Connections, index: int) -> None:
    """Let the connection at the top of the pool wait, unless it is superfluous."""
    if index + 2 >= POOL or is_known(room, index):
        return
    made = room.pool[index]
    made.waiting = room.buckets[made.size]
    room.buckets[made.size] = index
    room.progress.least = min(room.progress.least, made.size)
    room.progress.top = index + 1


@compiled
def take(room: Connections) -> int:
    """Return the smallest connection that waits and is not superfluous, or ``NOTHING``."""
    progress = room.progress
    while progress.least < room.buckets.size:
        index = room.buckets[progress.least]
        if index == NOTHING:
            progress.least += 1
            continue
        room.buckets[progress.least] = room.pool[index].waiting
        if not is_known(room, index):
            return index
    return NOTHING


@compiled
def keep(room: Connections, index: int) -> None:
    """Keep a connection."""
    made = room.pool[index]
    kind = made.semi
    pair = made.one * room.groups.size + made.other
    made.sibling = room.pairs[kind, pair]
    room.pairs[kind, pair] = index
    room.progress.kept += 1
    keep_at(room, made.one, kind, index)
    keep_at(room, made.other, kind, index)


@compiled
def keep_at(room: Connections, node: int, kind: int, index: int) -> None:
    """List a connection at one of its nodes."""
    count = room.degrees[kind, node]
    if count < AT_NODE:
        room.at[kind, node, count] = index
        room.degrees[kind, node] = count + 1
