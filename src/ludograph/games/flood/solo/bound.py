"""A lower bound of the moves that a zone needs, and its explanation.

If no color can be finished, any first move takes only regions that touch the zone, so
``m(S) >= 1 + m(S with all regions that touch it)``. The bound counts such steps and moves that
finish a color, and, at the end, one move for each color left. The bound is known from Aaron
Puchert's solver for Flood-It; this code uses only the idea.

The explanation of a bound is a *nogood*, see :mod:`ludograph.games.flood.solo.nogoods`.
"""

from __future__ import annotations

from ludograph.games.flood.solo.bitsets import Words, add, clear
from ludograph.games.flood.solo.moves import Scratch, Zone, colors_left, finish, touch
from ludograph.games.flood.solo.puzzle import Graph
from ludograph.rules import compiled, copy
from ludograph.rules.kernels.bits import NONE, bit_count, lowest

LAYER = -1
"""The step of a bound in which the zone takes all regions that touch it."""


@compiled
def bound_after(graph: Graph, scratch: Scratch, left: int, limit: int) -> int:
    """Return a lower bound of the moves of a solution from the zone ``scratch.after``.

    The count stops when it reaches ``limit``. It writes its steps to ``scratch.steps``: ``LAYER``,
    or a region of a color that is finished. After the last step it adds a move for each color left.

    Parameters
    ----------
    left
        The colors left in this zone, a bit each.
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
    """Write a nogood for ``limit - 1`` moves that the zone of the last ``bound_after`` misses.

    Parameters
    ----------
    bound
        The result of the last call of ``bound_after``, at least ``limit``.
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
    """Return a free region of a color, if possible one that does not touch the zone.

    ``mask`` is the set of the color's regions; one of them must be free.
    """
    found = 0
    for word in range(mask.size):
        far = mask[word] & ~zone.near[word]
        free = mask[word] & ~zone.held[word]
        if far != NONE:
            return (word << 6) + lowest(far)
        if free != NONE:
            found = (word << 6) + lowest(free)
    return found
