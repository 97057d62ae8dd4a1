"""The nodes between which connections lead, and the memory of the search for them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.hex.connections.carriers import SCS, VCS, carriers_type
from ludograph.rules import compiled
from ludograph.rules.kernels.sets import (
    WORD,
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
    with_one,
    without,
    without_one,
)

STEP = np.dtype((np.record, [("node", np.int64), ("place", np.int64), ("semi", np.bool_)]))
"""A virtual connection that paths go on from: the node that it reaches, its place there."""


class Connections(NamedTuple):
    """The connections of one color in one position, and what it takes to find them.

    A cell, or a group by its lowest one, is the node of that number. The last two nodes, see
    :func:`source_of`, are a color's borders, each with the stones that are joined to it.
    """

    nodes: Any
    """``node_type(words)[nodes]``"""
    ends: Any
    """``carriers_type(words)[2, nodes]``: of one border and each node, of the other border and each
    node."""
    borders: Any
    """``carriers_type(words)[1]``: of both borders."""
    queue: Any
    """``STEP[nodes * (VCS + SCS)]``"""
    position: Any
    """``position_type(words)[1]``"""


def position_type(words: int) -> np.dtype[Any]:
    """Return what is noted of a position with its connections; ``words`` is the size of a set."""
    fields: list[Any] = [
        ("own", np.uint64, (words,)),  # the color's stones
        ("free", np.uint64, (words,)),  # the free cells
        ("groups", np.uint64, (words,)),  # the groups that touch no border, each as its lowest cell
        ("border", np.uint64, (words,)),  # the cells at the color's first border
        ("asked", np.int64),  # questions about its moves so far
    ]
    return np.dtype((np.record, fields))


def node_type(words: int) -> np.dtype[Any]:
    """Return what is known of a node; ``words`` is the size of a set."""
    fields: list[Any] = [
        ("cells", np.uint64, (words,)),  # the free cells adjacent to it
        ("adjacent", np.uint64, (words,)),  # the nodes adjacent to it, but for borders
        ("bridged", np.uint64, (words,)),  # the nodes a bridge away, but for borders
    ]
    return np.dtype((np.record, fields))


def make_connections(words: int) -> Connections:
    """Return room for the connections of any position; ``words`` is the size of a set of cells."""
    nodes = WORD * words + 2
    return Connections(
        nodes=np.zeros(nodes, node_type(words)),
        ends=np.zeros((2, nodes), carriers_type(words)),
        borders=np.zeros(1, carriers_type(words)),
        queue=np.zeros(nodes * (VCS + SCS), STEP),
        position=np.zeros(1, position_type(words)),
    )


@compiled(inlined=True)
def source_of(like: Set) -> int:
    """Return the node of a color's first border; that of the second one is the next."""
    return WORD * len(like)


@compiled
def grow(near: Words, seeds: Set, own: Set) -> Set:
    """Return the stones that are joined to some of them."""
    group = fresh = seeds
    while not is_empty(fresh):
        joined = without(common(get(near[first(fresh)], own), own), group)
        fresh = union(rest(fresh), joined)
        group = union(group, joined)
    return group


@compiled
def around(near: Words, group: Set) -> Set:
    """Return the cells adjacent to some cells."""
    cells = empty(group)
    while not is_empty(group):
        cells = union(cells, get(near[first(group)], group))
        group = rest(group)
    return cells


@compiled
def find_nodes(near: Words, own: Set, free: Set, sides: Words, nodes: Any) -> tuple[Set, bool]:
    """Write what is adjacent to each node.

    Returns
    -------
    groups
        The groups that touch no border, each as its lowest cell.
    joined
        Whether the borders are joined already; then nothing is written.
    """
    groups = empty(own)
    top, bottom = get(sides[0], own), get(sides[1], own)
    above = grow(near, common(own, top), own)
    if meets(above, bottom):
        return groups, True
    below = grow(near, common(own, bottom), own)
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
        group = grow(near, single(name, own), own)
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
    """Write which nodes have two free cells in common and are not adjacent."""
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
    """Write which nodes are a bridge away from one."""
    once = twice = empty(among)
    cells = get(nodes[name].cells, among)
    while not is_empty(cells):
        reached = get(nodes[first(cells)].adjacent, among)
        cells = rest(cells)
        twice = union(twice, common(once, reached))
        once = union(once, reached)
    twice = common(twice, among)
    put(nodes[name].bridged, without(twice, get(nodes[name].adjacent, among)))
