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

The first three rules explain a lower bound (see :mod:`ludograph.games.flood.solo.bound`), the last
one a zone with all moves refuted (see :mod:`ludograph.games.flood.solo.search`). Learning nogoods
from failures is a method of constraint solving (Dechter 1990; Schiex and Verfaillie 1994).

The memory is bounded: there is a limit of nogoods per number of moves. Nogoods hold for the whole
puzzle. The search tests recently used ones first; when there is no place for a new nogood, it
replaces one that was not used recently.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.flood.solo.bitsets import Words, disjoint
from ludograph.rules import compiled, copy

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
