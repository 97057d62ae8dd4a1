"""Nogoods: sets of regions that prove, for zones without these regions, a number of moves.

A set ``U`` is a *nogood* for ``b`` moves if every zone ``T`` that *misses* it, having none of its
regions, needs more moves: ``m(T) > b``, see :mod:`ludograph.games.flood.solo.moves`. One nogood
refutes many zones, and the test takes a few machine words; this makes the search fast. Four rules
make nogoods; ``N(X)`` is the set of regions that touch ``X``:

* *Colors*: any ``b + 1`` regions of different colors are a nogood for ``b``, since a move takes
  one color. For ``b = -1`` the empty set is a nogood.
* *Finish*: let ``U`` be a nogood for ``b - 1`` without regions of color ``c``. Then ``U`` with one
  region of that color is a nogood for ``b``. Proof: let ``T`` miss it. A solution from ``T``
  contains a move ``c``. Without this move it is a solution from ``T`` with all regions of color
  ``c``, a zone that misses ``U`` and so needs at least ``b`` moves.
* *Layer*: if ``U`` is a nogood for ``b - 1``, then the union of ``U`` and ``N(U)`` is a nogood for
  ``b``: a zone that misses this union misses ``U`` after any move.
* *Choice*: for each color ``c`` let ``U(c)`` be a nogood for ``b - 1``. Then the union of all
  ``U(c)`` and all ``N(regions of U(c) with color c)`` is a nogood for ``b``: a zone that misses
  this union cannot gain a region of ``U(c)`` by color ``c``, and so misses ``U(c)`` after it.

The first three rules explain a lower bound, the last one a zone with all moves refuted (see
:mod:`ludograph.games.flood.solo.search`). Learning nogoods from failures is a method of constraint
solving (Dechter 1990; Schiex and Verfaillie 1994).

The memory is bounded: there is a limit of nogoods per number of moves. Nogoods hold for the whole
puzzle. The search tests recently used ones first; when there is no place for a new nogood, it
replaces one that was not used recently.

The lower bound: if no color can be finished, any first move takes only regions that touch the zone,
so ``m(S) >= 1 + m(S with all regions that touch it)``. The bound counts such steps and moves that
finish a color, and, at the end, one move for each color left. The bound is known from Aaron
Puchert's solver for Flood-It; this code uses only the idea.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.flood.solo.moves import Scratch, Zone, colors_left, finish, touch
from ludograph.games.flood.solo.puzzle import Graph, add, disjoint
from ludograph.rules import compiled, copy, fill
from ludograph.rules.kernels.bits import NONE, bit_count, lowest
from ludograph.rules.kernels.sets import Words

KEPT = 256
"""The most nogoods per number of moves: more would refute more zones, and take longer to test."""


SHELF = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),  # the number of nogoods
            ("hand", np.int64),  # the place, in the rear half, of the next one if all are taken
        ],
    )
)


class Nogoods(NamedTuple):
    """The nogoods learned by a search."""

    sets: Words
    """``uint64[budgets, kept, width]``: ``sets[b, i]`` is a nogood for ``b`` moves."""
    shelves: Any
    """``SHELF[budgets]``: the used places, by the number of moves."""


def make_nogoods(budgets: int, kept: int, width: int) -> Nogoods:
    """Return room for nogoods for 0 to ``budgets - 1`` moves, ``kept`` for each number of moves.

    ``kept`` must be at least 2; ``width`` is the number of words of a set.
    """
    return Nogoods(
        np.empty((budgets, kept, width), np.uint64),
        np.zeros(budgets, SHELF),
    )


def enlarge(nogoods: Nogoods, budgets: int, kept: int) -> Nogoods:
    """Return room for more moves, with ``kept`` nogoods for each, and with the known nogoods."""
    larger = make_nogoods(budgets, kept, nogoods.sets.shape[2])
    before = nogoods.sets.shape[0]
    common = min(kept, nogoods.sets.shape[1])
    larger.sets[:before, :common] = nogoods.sets[:, :common]
    larger.shelves["count"][:before] = np.minimum(nogoods.shelves["count"], common)
    return larger


@compiled
def find_nogood(nogoods: Nogoods, budget: int, zone: Words) -> int:
    """Return the place of a nogood for ``budget`` moves that a zone misses, or -1.

    The found nogood moves halfway to the front.
    """
    sets = nogoods.sets[budget]
    for place in range(nogoods.shelves[budget].count):
        if disjoint(sets[place], zone):
            better = place >> 1
            for word in range(zone.size):
                sets[place, word], sets[better, word] = sets[better, word], sets[place, word]
            return better
    return -1


@compiled
def keep_nogood(nogoods: Nogoods, budget: int, nogood: Words) -> None:
    """Store a nogood for ``budget`` moves; if no place is free, replace one in the rear half."""
    kept = nogoods.sets.shape[1]
    shelf = nogoods.shelves[budget]
    place = shelf.count
    if place < kept:
        shelf.count += 1
    else:
        half = kept >> 1
        place = half + shelf.hand
        shelf.hand = (shelf.hand + 1) % (kept - half)
    copy(nogood, nogoods.sets[budget, place])


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
    fill(nogood, 0)
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
