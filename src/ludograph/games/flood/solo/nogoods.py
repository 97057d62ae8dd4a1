"""Nogoods: sets of regions without which no zone is finished in a given number of moves.

A set ``U`` is a *nogood* for ``b`` moves if every zone ``T`` that misses it (has none of its
regions) needs more: ``m(T) > b``. One nogood refutes many zones, each by a few machine words, and
this is where the search has its speed from. Nogoods are made by four rules; ``N(X)`` is what
touches ``X``:

* *Colors*: any ``b + 1`` regions of different colors are a nogood for ``b``, since a move takes
  one color. For ``b = -1`` the empty set is one.
* *Finish*: let ``U`` be a nogood for ``b - 1`` without regions of color ``c``. Then ``U`` with one
  region of that color is a nogood for ``b``. For if ``T`` misses it, a solution from ``T`` has a
  move ``c``; without it, it solves ``T`` with all regions of that color, which misses ``U``.
* *Layer*: if ``U`` is a nogood for ``b - 1``, then ``U`` with ``N(U)`` is one for ``b``: what
  misses it misses ``U`` after any move.
* *Choice*: for each color ``c`` let ``U(c)`` be a nogood for ``b - 1``. Then all of them together,
  with ``N(regions of U(c) that have color c)`` for each, are a nogood for ``b``: what misses this
  set cannot gain a region of ``U(c)`` by color ``c``, and so misses ``U(c)`` after it.

The first three explain a lower bound (see :mod:`ludograph.games.flood.solo.bound`), the last one a
zone all moves of which are refuted (see :mod:`ludograph.games.flood.solo.search`). Learning nogoods
from what failed is a method of constraint solving (Dechter 1990; Schiex and Verfaillie 1994).

What is kept is bounded: a number of nogoods per number of moves. They are true once and for all;
those that were of use lately are asked first, and a new one takes the place of one that was not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.flood.solo.bitsets import Words, disjoint
from ludograph.rules import compiled, copy

KEPT = 256
"""Nogoods per number of moves: more refute more zones, and take longer to ask."""


SHELF = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),  # how many nogoods there are
            ("hand", np.int64),  # where the next one goes when there is no free place
        ],
    )
)


class Nogoods(NamedTuple):
    """What was learned: ``sets[b, i]`` is a nogood for ``b`` moves."""

    sets: Words
    """``uint64[budgets, kept, width]``"""
    shelves: Any
    """``SHELF[budgets]``"""


def make_nogoods(budgets: int, kept: int, width: int) -> Nogoods:
    """Return room for nogoods for 0 to ``budgets - 1`` moves, ``kept`` (two or more) of each."""
    return Nogoods(
        np.empty((budgets, kept, width), np.uint64),
        np.zeros(budgets, SHELF),
    )


def enlarge(nogoods: Nogoods, budgets: int, kept: int) -> Nogoods:
    """Return room for more moves, and for a number of nogoods of each, with what is known."""
    larger = make_nogoods(budgets, kept, nogoods.sets.shape[2])
    before = nogoods.sets.shape[0]
    common = min(kept, nogoods.sets.shape[1])
    larger.sets[:before, :common] = nogoods.sets[:, :common]
    larger.shelves["count"][:before] = np.minimum(nogoods.shelves["count"], common)
    return larger


@compiled
def find_nogood(nogoods: Nogoods, budget: int, zone: Words) -> int:
    """Return the place of a nogood for ``budget`` moves that a zone misses, or -1.

    The one found moves halfway to the front.
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
    """Keep a nogood for ``budget`` moves; when all places are taken, in the rear half."""
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
