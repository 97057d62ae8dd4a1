"""A lower bound of the moves that a zone needs, and the reason for it.

When no color can be finished, the first move, whatever it is, takes a part of what touches the
zone, so ``m(S) >= 1 + m(S with all that touches it)``. This and finishing what can be finished in
turn, until the colors left are as many as the moves that matter, give a lower bound. The bound is
known in the field from Aaron Puchert's solver for Flood-It; this is written from the idea alone.

What the bound is owed to is a *nogood*, see :mod:`ludograph.games.flood.solo.nogoods`.
"""

from __future__ import annotations

from ludograph.games.flood.solo.bitsets import Words, add, clear
from ludograph.games.flood.solo.moves import Scratch, Zone, colors_left, finish, touch
from ludograph.games.flood.solo.puzzle import Graph
from ludograph.rules import compiled, copy
from ludograph.rules.kernels.bits import NONE, bit_count, lowest

LAYER = -1
"""The step of a bound that takes all that touches the zone."""


@compiled
def bound_after(graph: Graph, scratch: Scratch, left: int, limit: int) -> int:
    """Return a number of moves that every solution needs from ``scratch.after``.

    The count stops where it reaches ``limit``. Each move but one for each color left then is a step
    in ``scratch.steps``: ``LAYER``, or a region of the color that is finished.
    """
    zone, gained = scratch.bound, scratch.gained
    copy(scratch.after.held, zone.held)
    copy(scratch.after.near, zone.near)
    moves = 0
    while moves + bit_count(left) < limit and left != 0:
        before = left
        left = finish(graph, zone, left, gained, scratch.steps, moves)
        moves += bit_count(before ^ left)
        if left != 0:
            for word in range(gained.size):
                gained[word] = zone.near[word] & ~zone.held[word]
                zone.held[word] = zone.near[word]
            touch(graph, gained, zone.near)
            scratch.steps[moves] = LAYER
            moves += 1
    return moves + bit_count(left)


@compiled
def explain(graph: Graph, scratch: Scratch, bound: int, limit: int, nogood: Words) -> None:
    """Write a nogood for ``limit - 1`` moves that the zone of ``bound_after`` misses.

    Parameters
    ----------
    bound
        What ``bound_after`` has just returned, at least ``limit``.
    """
    zone, gained = scratch.bound, scratch.gained
    left = colors_left(graph, zone.held)
    step = bound - bit_count(left)
    wanted = limit - step
    clear(nogood)
    for color in range(graph.masks.shape[0]):
        if (left >> color) & 1 and wanted > 0:
            add(nogood, free_region(graph.masks[color], zone))
            wanted -= 1
    while step > 0:
        step -= 1
        if scratch.steps[step] == LAYER:
            copy(nogood, gained)
            touch(graph, gained, nogood)
        else:
            add(nogood, scratch.steps[step])


@compiled
def free_region(mask: Words, zone: Zone) -> int:
    """Return a region of a color that is not in a zone, if possible one that does not touch it."""
    found = 0
    for word in range(mask.size):
        far = mask[word] & ~zone.near[word]
        free = mask[word] & ~zone.held[word]
        if far != NONE:
            return (word << 6) + lowest(far)
        if free != NONE:
            found = (word << 6) + lowest(free)
    return found
