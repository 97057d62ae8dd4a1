"""Random positions as nodes and neighbors, and what the kernels keep of them."""

import numpy as np

from ludograph import hex
from ludograph.games.hex import BLACK, NOBODY, WHITE, hex_board
from ludograph.games.hex.connections.room import make_connections

WIDE = {"free_pairs": 999, "group_pairs": 999, "virtual": 999, "semi": 999, "kept": 20_000}
"""Limits that small boards don't reach."""


def make_room(kind, m, **limits):
    setup = hex.position(hex_board(m, kind), pie=False).setup
    return setup, make_connections(setup, **limits)


def scatter(rng, room, stones):
    """Put down so many stones of both colors, in turns."""
    room.colors[:] = NOBODY
    cells = rng.permutation(room.colors.size)[:stones]
    room.colors[cells[::2]] = BLACK
    room.colors[cells[1::2]] = WHITE


def network(setup, room, color):
    """The neighbors of each node of a color, and which nodes are free cells, from the stones.

    To be asked after the kernel has named the groups.
    """
    cells = room.colors.size
    free = set(np.flatnonzero(room.colors == NOBODY).tolist())
    group = {cell: int(room.groups[cell]) for cell in range(cells) if room.groups[cell] >= 0}
    neighbors = {node: set() for node in {*group.values(), cells, cells + 1}}
    for cell in free:
        vertex = int(setup.free[cell])
        around = setup.neighbors[setup.offsets[vertex] : setup.offsets[vertex + 1]].tolist()
        near = {group[int(room.cell_of[v])] for v in around if int(room.cell_of[v]) in group}
        near |= {cells + side for side in (0, 1) if setup.touches[vertex] >> 2 * color + side & 1}
        for node in near:
            neighbors[cell].add(node)
            neighbors[node].add(cell)
    return neighbors, free


def cells_of(words):
    return frozenset(
        64 * place + bit
        for place, word in enumerate(words.tolist())
        for bit in range(64)
        if word >> bit & 1
    )


def kept(room):
    """Every connection kept: its nodes, whether it is virtual, its carrier."""
    seen = set()
    for kind in (0, 1):
        for node in range(room.groups.size):
            seen |= set(room.at[kind, node, : room.degrees[kind, node]].tolist())
    for index in seen:
        made = room.pool[index]
        yield int(made.one), int(made.other), not made.semi, cells_of(room.carriers[index])
