"""The nodes that connections lead between: free cells, groups of own stones, the two borders."""

from __future__ import annotations

from ludograph.games.hex.connections.queue import VIRTUAL, offer, start
from ludograph.games.hex.connections.room import Connections
from ludograph.games.hex.setup import NOBODY, HexSetup
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE


@compiled
def find_groups(setup: HexSetup, room: Connections, color: int) -> bool:
    """Name each node's group; tell whether the color has joined its borders. O(links)."""
    cells = setup.free.size
    groups = room.groups
    for cell in range(cells):
        groups[cell] = cell if room.colors[cell] == NOBODY else -1
    groups[cells] = cells
    groups[cells + 1] = cells + 1
    for side in range(2):
        waiting = 0
        for cell in range(cells):
            touched = (setup.touches[setup.free[cell]] >> (2 * color + side)) & 1
            if touched and room.colors[cell] == color and groups[cell] < 0:
                groups[cell] = cells + side
                room.stack[waiting] = cell
                waiting += 1
        spread(setup, room, color, waiting)
    for cell in range(cells):
        touched = setup.touches[setup.free[cell]] >> (2 * color + 1) & 1
        if groups[cell] == cells and touched:
            return True
    for cell in range(cells):
        if room.colors[cell] == color and groups[cell] < 0:
            groups[cell] = cell
            room.stack[0] = cell
            spread(setup, room, color, 1)
    return False


@compiled
def spread(setup: HexSetup, room: Connections, color: int, waiting: int) -> None:
    """Give the group of the cells on the stack to all own stones that hang on them."""
    while waiting > 0:
        waiting -= 1
        cell = room.stack[waiting]
        vertex = setup.free[cell]
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = room.cell_of[setup.neighbors[slot]]
            if room.colors[near] == color and room.groups[near] < 0:
                room.groups[near] = room.groups[cell]
                room.stack[waiting] = near
                waiting += 1


@compiled
def offer_adjacent(setup: HexSetup, room: Connections, color: int) -> None:
    """Begin with the nodes that are adjacent: they are connected, and need no cell for it."""
    cells = setup.free.size
    for cell in range(cells):
        if room.colors[cell] != NOBODY:
            continue
        vertex = setup.free[cell]
        for side in range(2):
            if setup.touches[vertex] >> (2 * color + side) & 1:
                offer_empty(room, cell, cells + side)
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = room.cell_of[setup.neighbors[slot]]
            group = room.groups[near]
            if group >= 0 and (room.colors[near] == color or near > cell):
                offer_empty(room, cell, group)


@compiled
def offer_empty(room: Connections, one: int, other: int) -> None:
    """Offer a virtual connection without a carrier."""
    index = room.progress.top
    for word in range(len(room.words)):
        room.carriers[index, word] = NONE
    start(room, min(one, other), max(one, other), VIRTUAL, -1)
    offer(room, index)
