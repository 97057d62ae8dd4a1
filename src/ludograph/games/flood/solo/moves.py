"""Zones and their moves: enter a zone, play a color, play every color that can be finished.

Let ``m(S)`` be the fewest moves that make the whole board one zone, from a zone ``S``. The solvers
use two facts.

* *A larger zone is never worse*: if ``T`` contains ``S``, then ``m(T) <= m(S)``, because every
  solution from ``S`` is one from ``T``.
* *Finish a color at once*: if all free regions of a color touch ``S``, some shortest solution
  begins with that color. Proof: take any shortest solution; it contains the color, since the color
  has free regions. Move its first use to the front: after every later move the zone contains at
  least the regions that it contained before, and the number of moves is the same.

So the searches play a color that can be finished at once, without alternatives, and count one move;
this loses no solution. Forbidden colors do not matter here: if a free region has a forbidden color,
there is no solution (see :func:`ludograph.games.flood.solo.beam.is_solvable`); otherwise all
colors left may be played.

A *choice* is a move that does not finish a color in this way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.flood.solo.puzzle import SIX, THREE, Graph, IntArray, Puzzle, within
from ludograph.rules import compiled, copy
from ludograph.rules.kernels.bits import NONE, ONE, TWO, lowest
from ludograph.rules.kernels.sets import Words


class Zone(NamedTuple):
    """A zone; moves change it in place."""

    held: Words
    """``uint64[width]``: the regions of the zone."""
    near: Words
    """``uint64[width]``: the regions of the zone, and the regions that touch it."""


class Scratch(NamedTuple):
    """Working memory for the kernels of one search."""

    after: Zone
    """The zone after a choice and after the colors that it allows to finish."""
    bound: Zone
    """The zone in the count of a lower bound."""
    gained: Words
    """``uint64[width]``: the regions that a move took."""
    nogood: Words
    """``uint64[width]``: the nogood that refuted a zone."""
    steps: IntArray
    """``int32[regions + 1]``: the steps that ``finish`` and ``bound_after`` write."""


def make_zone(puzzle: Puzzle) -> Zone:
    """Return an empty zone."""
    return Zone(*np.zeros((2, puzzle.width), np.uint64))


def make_scratch(puzzle: Puzzle) -> Scratch:
    """Return the working memory for one search."""
    steps = np.zeros(puzzle.regions + 1, np.int32)
    gained, nogood = np.zeros((2, puzzle.width), np.uint64)
    return Scratch(make_zone(puzzle), make_zone(puzzle), gained, nogood, steps)


@compiled
def touch(graph: Graph, gained: Words, near: Words) -> None:
    """Add the neighbors of gained regions to a near set."""
    for word in range(gained.size):
        rest = gained[word]
        while rest != NONE:
            region = (np.uint64(word) << SIX) + np.uint64(lowest(rest))
            rest &= rest - ONE
            pair = graph.rows[region]
            while pair < graph.rows[region + ONE]:
                block, at = graph.blocks[pair], pair << TWO
                near[block] |= graph.bits[at]
                near[block + ONE] |= graph.bits[at + ONE]
                near[block + TWO] |= graph.bits[at + TWO]
                near[block + THREE] |= graph.bits[at + THREE]
                pair += ONE


@compiled
def play(graph: Graph, zone: Zone, color: int, gained: Words) -> int:
    """Play a color, in place; return the lowest region gained, or -1.

    ``gained`` contains the regions gained afterwards.
    """
    first = -1
    for word in range(gained.size):
        fresh = graph.masks[color, word] & zone.near[word] & ~zone.held[word]
        gained[word] = fresh
        zone.held[word] |= fresh
        if first < 0 and fresh != NONE:
            first = (word << 6) + lowest(fresh)
    touch(graph, gained, zone.near)
    return first


@compiled
def finish(graph: Graph, zone: Zone, left: int, gained: Words, steps: IntArray, at: int) -> int:
    """Play every color that one move can finish, in place; return the colors left.

    It writes the lowest region that each color gains to ``steps``, from place ``at`` on.

    Parameters
    ----------
    left
        The colors left before, a bit each.
    gained
        Working memory.
    """
    color = 0
    while left >> color:
        if (left >> color) & 1 and within(graph.masks[color], zone.near):
            steps[at] = play(graph, zone, color, gained)
            at += 1
            left ^= 1 << color
            color = -1  # start again: the regions of lower colors may touch the zone now
        color += 1
    return left


@compiled
def colors_left(graph: Graph, held: Words) -> int:
    """Return the colors (a bit each) with regions outside a zone."""
    left = 0
    for color in range(graph.masks.shape[0]):
        if not within(graph.masks[color], held):
            left |= 1 << color
    return left


@compiled
def enter(graph: Graph, start: Words, zone: Zone, held: Words) -> int:
    """Set a zone to the regions ``held``; return the colors left, a bit each.

    ``start`` contains the regions that touch the zone at the start of the puzzle.
    """
    copy(held, zone.held)
    copy(start, zone.near)
    touch(graph, held, zone.near)
    return colors_left(graph, held)


@compiled
def play_and_finish(graph: Graph, scratch: Scratch, zone: Zone, left: int, color: int) -> int:
    """Play a color from a zone, and then all colors that can be finished.

    It writes the resulting zone to ``scratch.after``, and a region of each color finished after the
    first to ``scratch.steps``. ``zone`` does not change.

    Returns
    -------
    int
        The colors left, a bit each, or -1 if the color gained nothing.
    """
    after = scratch.after
    copy(zone.held, after.held)
    copy(zone.near, after.near)
    if play(graph, after, color, scratch.gained) < 0:
        return -1
    return finish(graph, after, left, scratch.gained, scratch.steps, 0)


def start_zone(puzzle: Puzzle, scratch: Scratch) -> tuple[int, int]:
    """Set ``scratch.after`` to the first zone of a search: the start, with colors finished.

    Returns
    -------
    left, moves
        The colors left, a bit each, and the number of moves made.
    """
    scratch.after.held[:] = 0
    scratch.after.near[:] = puzzle.start
    everything = (1 << puzzle.palette.size) - 1
    left = finish(puzzle.graph, scratch.after, everything, scratch.gained, scratch.steps, 0)
    return int(left), (everything ^ int(left)).bit_count()
