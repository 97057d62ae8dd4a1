"""What a color can connect for sure: the two rules of H-search, from one border on.

A *connection* holds even if the other color moves first, a *threat* holds if one may move first;
its carrier is the set of free cells that are needed. Two rules make all of them (Anshelevich: "A
hierarchical approach to computer Hex", Artificial Intelligence 134, 2002): connections that meet
in a stone and share nothing make a connection, those that meet in a free cell a threat; threats
that have no cell in common make a connection. Here one end is always a border, where a search
starts, and a step from node to node is a touch or a bridge: less than all, quickly found. What the
searches from either border find meets in all nodes in between.

A node is a free cell or a group of own stones, named by its lowest cell or border.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, bit, lowest

Sets = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

NODES = 64
CONNECTIONS = 8
"""Connections kept per node."""
THREATS = 16
"""Threats kept per node."""

# Columns of ``sets``.
HOOD = 0  # the free cells at a node
TOUCHING = 1  # the nodes at a node
BRIDGED = 2  # the nodes a bridge away
FIRST = 3  # connections from one end, then threats from it, then both from the other end
SIDE = CONNECTIONS + THREATS
COLUMNS = FIRST + 2 * SIDE

# Columns of ``numbers``.
CONNECTION_COUNT, THREAT_COUNT = 0, 2
QUEUE_NODE, QUEUE_COLUMN = 4, 5

WHOLE = NODES - 1
"""Stands for what joins both borders."""

NOTHING, CONNECTED, THREATENED = 0, 1, 2


def make_sets() -> Sets:
    """Return room for the sets of all nodes."""
    return np.zeros((NODES, COLUMNS), np.uint64)


def make_numbers() -> Numbers:
    """Return room for counts and for the queue of new connections."""
    return np.zeros((NODES * CONNECTIONS, 6), np.int64)


@compiled
def find_nodes(near: Sets, own: np.uint64, free: np.uint64, sets: Sets) -> np.uint64:
    """Write the neighbors of all nodes; return the groups, each as its lowest member."""
    left = free
    while left != NONE:
        cell = lowest(left)
        left &= left - ONE
        sets[cell, HOOD] = near[cell] & free
        sets[cell, TOUCHING] = near[cell] & free
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
        sets[name, HOOD] = around
        sets[name, TOUCHING] = around
        while around != NONE:
            sets[lowest(around), TOUCHING] |= bit(name)
            around &= around - ONE
    return groups


@compiled
def find_bridges(nodes: np.uint64, sets: Sets) -> None:
    """Write which nodes have two free cells in common and do not touch."""
    left = nodes
    while left != NONE:
        node = lowest(left)
        left &= left - ONE
        hood = sets[node, HOOD]
        once = NONE
        twice = NONE
        around = hood
        while around != NONE:
            reached = sets[lowest(around), TOUCHING]
            around &= around - ONE
            twice |= once & reached
            once |= reached
        sets[node, BRIDGED] = twice & ~sets[node, TOUCHING] & ~bit(node) & nodes


@compiled
def add_connection(
    sets: Sets, numbers: Numbers, side: int, last: int, node: int, carrier: np.uint64
) -> int:
    """Keep a connection unless a better one is known; return the new end of the queue."""
    count = numbers[node, CONNECTION_COUNT + side]
    first = FIRST + side * SIDE
    for place in range(first, first + count):
        if sets[node, place] & ~carrier == NONE:
            return last
    if count == CONNECTIONS:
        return last
    sets[node, first + count] = carrier
    numbers[node, CONNECTION_COUNT + side] = count + 1
    numbers[last, QUEUE_NODE] = node
    numbers[last, QUEUE_COLUMN] = first + count
    return last + 1


@compiled
def add_threat(
    sets: Sets, numbers: Numbers, side: int, last: int, node: int, carrier: np.uint64
) -> int:
    """Keep a threat unless a better one is known, and the connections that it completes."""
    first = FIRST + side * SIDE
    for place in range(first, first + numbers[node, CONNECTION_COUNT + side]):
        if sets[node, place] & ~carrier == NONE:
            return last
    first += CONNECTIONS
    count = numbers[node, THREAT_COUNT + side]
    for place in range(first, first + count):
        if sets[node, place] & ~carrier == NONE:
            return last
    common = carrier
    union = carrier
    for place in range(first, first + count):
        other = sets[node, place]
        if other & carrier == NONE:
            last = add_connection(sets, numbers, side, last, node, other | carrier)
        elif common & ~other != NONE:
            union |= other
            common &= other
            if common == NONE:
                last = add_connection(sets, numbers, side, last, node, union)
    if count < THREATS:
        sets[node, first + count] = carrier
        numbers[node, THREAT_COUNT + side] = count + 1
    return last


@compiled
def connect(
    near: Sets,
    own: np.uint64,
    free: np.uint64,
    borders: np.uint64,
    moves_first: bool,
    sets: Sets,
    numbers: Numbers,
) -> tuple[int, np.uint64, np.uint64]:
    """Look for a sure connection of a color's two borders, from both of them.

    Parameters
    ----------
    moves_first
        Whether a threat is enough, because the color is to move.

    Returns
    -------
    found
        ``CONNECTED``, ``THREATENED`` or ``NOTHING``.
    carrier
        If connected, or threatened and to move, the cells that this needs. If threatened by the
        color that is not to move, the cells of all threats that are needed to tell ``common``.
    common
        In this last case the cells that all threats need: the other must move there.
    """
    groups = find_nodes(near, own, free, sets)
    target = lowest(borders)
    source = lowest(borders & (borders - ONE))
    if groups & borders != borders:  # a border is not the lowest of its group: find its name
        target = name_of(near, own, target)
        source = name_of(near, own, source)
        if target == source:
            return CONNECTED, NONE, NONE
    find_bridges(groups | free, sets)
    numbers[WHOLE, CONNECTION_COUNT] = 0
    numbers[WHOLE, THREAT_COUNT] = 0
    for side in range(2):
        start, end = (source, target) if side == 0 else (target, source)
        reach(groups, free, start, end, moves_first, side, sets, numbers)
        if numbers[end, CONNECTION_COUNT + side] > 0:
            return CONNECTED, sets[end, FIRST + side * SIDE], NONE
        if moves_first and numbers[end, THREAT_COUNT + side] > 0:
            return THREATENED, sets[end, FIRST + side * SIDE + CONNECTIONS], NONE
        for place in range(numbers[end, THREAT_COUNT + side]):
            threat = sets[end, FIRST + side * SIDE + CONNECTIONS + place]
            add_threat(sets, numbers, 0, 0, WHOLE, threat)
    meet(groups, free, source, target, moves_first, sets, numbers)
    if numbers[WHOLE, CONNECTION_COUNT] > 0:
        return CONNECTED, sets[WHOLE, FIRST], NONE
    common = free
    union = NONE
    for place in range(numbers[WHOLE, THREAT_COUNT]):
        threat = sets[WHOLE, FIRST + CONNECTIONS + place]
        if moves_first:
            return THREATENED, threat, NONE
        if common & ~threat != NONE:
            union |= threat
            common &= threat
    if union == NONE:
        return NOTHING, NONE, free
    return THREATENED, union, common


@compiled
def meet(
    groups: np.uint64,
    free: np.uint64,
    source: int,
    target: int,
    moves_first: bool,
    sets: Sets,
    numbers: Numbers,
) -> None:
    """Put together what reaches a node from either border."""
    left = (groups | free) & ~(bit(source) | bit(target))
    while left != NONE:
        node = lowest(left)
        left &= left - ONE
        here = bit(node)
        through = NONE if groups & here != NONE else here
        for place in range(FIRST, FIRST + numbers[node, CONNECTION_COUNT]):
            carrier = sets[node, place]
            for other in range(FIRST + SIDE, FIRST + SIDE + numbers[node, CONNECTION_COUNT + 1]):
                if carrier & sets[node, other] == NONE:
                    whole = carrier | sets[node, other] | through
                    if through == NONE:
                        add_connection(sets, numbers, 0, 0, WHOLE, whole)
                        return
                    add_threat(sets, numbers, 0, 0, WHOLE, whole)
                    if moves_first or numbers[WHOLE, CONNECTION_COUNT] > 0:
                        return
        if through != NONE:
            continue
        for side in range(2):
            first = FIRST + side * SIDE
            start = FIRST + (1 - side) * SIDE + CONNECTIONS
            for place in range(first, first + numbers[node, CONNECTION_COUNT + side]):
                carrier = sets[node, place]
                for other in range(start, start + numbers[node, THREAT_COUNT + 1 - side]):
                    if carrier & sets[node, other] == NONE:
                        add_threat(sets, numbers, 0, 0, WHOLE, carrier | sets[node, other])
                        if moves_first or numbers[WHOLE, CONNECTION_COUNT] > 0:
                            return


@compiled
def reach(
    groups: np.uint64,
    free: np.uint64,
    source: int,
    target: int,
    moves_first: bool,
    side: int,
    sets: Sets,
    numbers: Numbers,
) -> None:
    """Find what is connected to one border, up to the other; O(nodes) steps or so."""
    nodes = groups | free
    left = nodes
    while left != NONE:
        node = lowest(left)
        left &= left - ONE
        numbers[node, CONNECTION_COUNT + side] = 0
        numbers[node, THREAT_COUNT + side] = 0
    first = 0
    last = add_connection(sets, numbers, side, 0, source, NONE)
    while first < last:
        node = numbers[first, QUEUE_NODE]
        carrier = sets[node, numbers[first, QUEUE_COLUMN]]
        first += 1
        here = bit(node)
        through = NONE if groups & here != NONE else here
        steps = (sets[node, TOUCHING] | sets[node, BRIDGED]) & ~carrier & ~bit(source)
        while steps != NONE:
            other = lowest(steps)
            there = bit(other)
            steps &= steps - ONE
            whole = carrier | through
            if sets[node, TOUCHING] & there == NONE:
                shared = sets[node, HOOD] & sets[other, HOOD] & ~carrier
                rest = shared & (shared - ONE)
                if rest == NONE:
                    continue
                whole |= (shared ^ rest) | (rest & (~rest + ONE))
            if through == NONE:
                last = add_connection(sets, numbers, side, last, other, whole)
            else:
                last = add_threat(sets, numbers, side, last, other, whole)
            if other == target:
                if numbers[target, CONNECTION_COUNT + side] > 0:
                    return
                if moves_first and numbers[target, THREAT_COUNT + side] > 0:
                    return


@compiled
def name_of(near: Sets, own: np.uint64, stone: int) -> int:
    """Return the lowest member of a stone's group."""
    group = bit(stone)
    fresh = group
    while fresh != NONE:
        joined = near[lowest(fresh)] & own & ~group
        fresh &= fresh - ONE
        group |= joined
        fresh |= joined
    return lowest(group)
