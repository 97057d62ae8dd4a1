"""The nodes of connections, and the memory of the search for connections."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.hex.connections.carriers import SCS, VCS, carriers_type
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
    position: Any
    """``position_type(words)[1]``: the position of the connections, for ``after_stone``."""


def position_type(words: int) -> np.dtype[Any]:
    """Return the type of a position with its connections, for sets of ``words`` words."""
    fields: list[Any] = [
        ("own", np.uint64, (words,)),  # the color's stones
        ("free", np.uint64, (words,)),  # the free cells
        ("groups", np.uint64, (words,)),  # the lowest cells of groups that touch no border
        ("border", np.uint64, (words,)),  # the cells at the color's first border
        ("evaluated_moves", np.int64),  # the number of its moves evaluated so far
    ]
    return np.dtype((np.record, fields))


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
        position=np.zeros(1, position_type(words)),
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
