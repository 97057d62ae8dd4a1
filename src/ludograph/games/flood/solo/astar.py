"""A*: a shortest solution, proven, unless time or memory end first.

Nodes are zones in which no color can be finished (those are played at once). They wait on one stack
per bound (moves made + lower bound of the rest); the least bound leaves first, of those the latest.

Two rules keep the tree small. A zone is kept once, by its shortest way; if another way is as short,
the colors worth trying after it are added, since those depend on the last move (see
``worth_trying``). And nothing is kept whose bound is not below the best solution known.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.flood.solo.bitsets import Words, bit_count, signed
from ludograph.games.flood.solo.nodes import (
    BELOW,
    CHOICE,
    DEPTH,
    PARENT,
    SLOTS,
    TRIED,
    WAITING,
    Nodes,
    Numbers,
    find,
    push,
)
from ludograph.games.flood.solo.puzzle import Puzzle
from ludograph.games.flood.solo.step import (
    ZONE_AFTER,
    bound_after,
    enter,
    finish_colors,
    play_color,
    worth_trying,
)
from ludograph.rules import compiled

Counters = npt.NDArray[np.int64]

# Slots of ``counters``.
USED = 0  # nodes in the pool
BEST = 1  # moves of the best solution known
BEST_NODE = 2  # where the search found it: the node before its last choice, or -1
BEST_CHOICE = 3
FLOOR = 4  # no solution shorter than BEST has fewer moves
EXPANDED = 5
COUNTERS = 6

# What a call of ``search`` ends with.
DONE = 0  # the best solution known is a shortest one
PAUSED = 1  # the budget is spent
FULL = 2  # the pool is


@compiled
def search(
    puzzle: Puzzle,
    nodes: Nodes,
    heads: Numbers,
    counters: Counters,
    sets: Words,
    budget: int,
) -> int:
    """Go on with a search until it is done, the pool is full or ``budget`` nodes were expanded.

    Parameters
    ----------
    heads
        ``uint32[moves]``: per bound 1 + the top of its stack, or 0; longer than the best solution.
    sets
        The scratch of :mod:`ludograph.games.flood.solo.step`.

    Returns
    -------
    int
        ``DONE``, ``PAUSED`` or ``FULL``; after the last two the search can go on.
    """
    spans, masks, rows, links = puzzle.spans, puzzle.masks, puzzle.rows, puzzle.links
    bits, first_near = puzzle.bits, puzzle.near
    zones, records, table = nodes.zones, nodes.records, nodes.table
    width = first_near.size
    colors = spans.size >> 1
    room = records.size // SLOTS - colors
    last = counters[EXPANDED] + budget
    while counters[FLOOR] < counters[BEST]:
        node = signed(heads[counters[FLOOR]]) - 1
        if node < 0:
            counters[FLOOR] += 1
            continue
        if counters[EXPANDED] >= last:
            return PAUSED
        if counters[USED] > room:
            return FULL
        counters[EXPANDED] += 1
        record = node * SLOTS
        heads[counters[FLOOR]] = records[record + BELOW]
        todo = signed(records[record + WAITING]) & ~signed(records[record + TRIED])
        records[record + TRIED] = records[record + WAITING]
        left = enter(spans, masks, rows, links, bits, first_near, sets, zones, node * width)
        todo &= left
        for color in range(colors):
            if (todo >> color) & 1 and play_color(
                spans, masks, rows, links, bits, width, sets, color
            ):
                waiting = worth_trying(spans, masks, width, sets, color, left)
                rest = finish_colors(spans, masks, rows, links, bits, width, sets, left)
                depth = signed(records[record + DEPTH]) + 1 + bit_count(left ^ rest)
                if rest != left:
                    waiting = rest  # the color before these was not free to stand elsewhere
                if rest == 0 and depth < counters[BEST]:
                    counters[BEST] = depth
                    counters[BEST_NODE] = node
                    counters[BEST_CHOICE] = color
                limit = counters[BEST] - depth
                if rest == 0 or bit_count(rest) >= limit:
                    continue
                slot = find(zones, table, width, sets, ZONE_AFTER * width)
                if table[slot] != 0 and not reached_sooner(
                    records, heads, signed(table[slot]) - 1, depth, waiting, counters[FLOOR]
                ):
                    continue
                if waiting == 0:
                    continue
                moves = bound_after(spans, masks, rows, links, bits, width, sets, rest, limit)
                if moves < limit:
                    fresh = counters[USED]
                    counters[USED] += 1
                    for word in range(width):
                        zones[fresh * width + word] = sets[ZONE_AFTER * width + word]
                    at = fresh * SLOTS
                    records[at + PARENT] = node
                    records[at + CHOICE] = color
                    records[at + DEPTH] = depth
                    records[at + WAITING] = waiting
                    records[at + TRIED] = 0
                    table[slot] = fresh + 1
                    push(records, heads, fresh, max(counters[FLOOR], depth + moves))
    counters[FLOOR] = counters[BEST]
    return DONE


@compiled
def reached_sooner(
    records: Numbers, heads: Numbers, known: int, depth: int, waiting: int, floor: int
) -> bool:
    """Tell whether a node's zone was now reached in fewer moves: it is replaced then.

    Reached in as many moves, the node gets the colors that are worth trying after this way.
    """
    at = known * SLOTS
    if depth < signed(records[at + DEPTH]):
        return True
    before = signed(records[at + WAITING])
    if depth == signed(records[at + DEPTH]) and waiting & ~before != 0:
        if records[at + TRIED] == records[at + WAITING]:
            push(records, heads, known, floor)
        records[at + WAITING] = before | waiting
    return False


def best_choices(counters: Counters, nodes: Nodes) -> list[int]:
    """Return the choices of the best solution; empty if the search has not found it."""
    node = int(counters[BEST_NODE])
    if node < 0:
        return []
    choices = [int(counters[BEST_CHOICE])]
    while node > 0:
        choices.append(int(nodes.records[node * SLOTS + CHOICE]))
        node = int(nodes.records[node * SLOTS + PARENT])
    return choices[::-1]
