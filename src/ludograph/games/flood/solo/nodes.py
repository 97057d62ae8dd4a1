"""The memory of A*: a pool of nodes, a hash table to find their zones, a stack of nodes per bound.

Numbers are kept in rows of ``uint32``, so that 32 colors fit a bit set and a node a cache line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.flood.solo.bitsets import Words, digest, same_words, signed
from ludograph.rules import compiled

Numbers = npt.NDArray[np.uint32]

# Slots of a node's row in ``records``.
PARENT = 0
CHOICE = 1  # the color that led here from there
DEPTH = 2  # moves made, colors finished included
WAITING = 3  # a bit per color that may follow
TRIED = 4  # those that have been; the node is on a stack while the two differ
BELOW = 5  # 1 + the next node on the stack, or 0
SLOTS = 6


class Nodes(NamedTuple):
    """A pool of nodes that the search fills from the front; node 0 is where it starts."""

    zones: Words
    """``uint64[capacity * width]``"""
    records: Numbers
    """``uint32[capacity * 6]``"""
    table: Numbers
    """``uint32[2 * capacity or more, a power of two]``: 1 + a node, or 0."""


def make_nodes(capacity: int, width: int) -> Nodes:
    """Return an empty pool."""
    return Nodes(
        np.empty(capacity * width, np.uint64),
        np.empty(capacity * SLOTS, np.uint32),
        np.zeros(1 << (2 * capacity - 1).bit_length(), np.uint32),
    )


def node_bytes(width: int) -> int:
    """Return the memory of a node, with its share of a table that is at its emptiest."""
    return 8 * width + 4 * SLOTS + 4 * 4


def enlarge(nodes: Nodes, used: int, width: int, capacity: int) -> Nodes:
    """Return a larger pool with the same nodes."""
    larger = make_nodes(capacity, width)
    larger.zones[: used * width] = nodes.zones[: used * width]
    larger.records[: used * SLOTS] = nodes.records[: used * SLOTS]
    fill_table(larger.zones, larger.table, width, used)
    return larger


@compiled
def find(zones: Words, table: Numbers, width: int, sets: Words, zone: int) -> int:
    """Return the table's slot that holds the zone at ``sets[zone]``, or where it belongs."""
    last = table.size - 1
    slot = signed(digest(sets, zone, width) & np.uint64(last))
    while table[slot] != 0:
        node = signed(table[slot]) - 1
        if same_words(zones, node * width, sets, zone, width):
            return slot
        slot = (slot + 1) & last
    return slot


@compiled
def fill_table(zones: Words, table: Numbers, width: int, used: int) -> None:
    """Enter all nodes; of two with one zone the later one counts, which has the shorter way."""
    for node in range(used):
        table[find(zones, table, width, zones, node * width)] = node + 1


@compiled
def push(records: Numbers, heads: Numbers, node: int, bound: int) -> None:
    """Put a node on the stack of its bound."""
    records[node * SLOTS + BELOW] = heads[bound]
    heads[bound] = node + 1
