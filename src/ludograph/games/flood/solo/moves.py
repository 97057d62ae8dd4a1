"""Zones and their moves: enter a zone, play a color, play every color that can be finished.

Let ``m(S)`` be the fewest moves from a zone ``S``. Two facts carry all that the solvers do.

* *More is never worse*: if ``S`` is part of ``T`` then ``m(T) <= m(S)``, since the moves that
  finish ``S`` finish ``T`` as well.
* *Finish what can be finished*: if all free regions of a color touch ``S``, some shortest solution
  begins with that color. Take any shortest solution; the color is in it, for its regions are free.
  Bring its first use to the front: after every later move the zone holds at least what it held
  before, and the number of moves is the same.

So a color that can be finished counts one move and is taken: this is exact, and the searches play
it without looking at anything else. Forbidden colors do not enter: as long as no free region has
one, the game is the same without them, and otherwise nothing can be finished at all, see
:func:`ludograph.games.flood.solo.solution.is_solvable`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.flood.solo.bitsets import SIX, THREE, Words, clear, within
from ludograph.games.flood.solo.puzzle import Graph, IntArray, Puzzle
from ludograph.rules import compiled, copy
from ludograph.rules.kernels.bits import NONE, ONE, TWO, lowest


class Zone(NamedTuple):
    """A zone that moves are played from, in place."""

    held: Words
    """``uint64[width]``: the regions taken."""
    near: Words
    """``uint64[width]``: those and all that touches the zone."""


class Scratch(NamedTuple):
    """Room for what the kernels of one search write on the way."""

    after: Zone
    """The zone after a color and those that could be finished."""
    bound: Zone
    """Where the count of a bound has come to."""
    gained: Words
    """``uint64[width]``: what a move took."""
    nogood: Words
    """``uint64[width]``: what refuted a zone."""
    steps: IntArray
    """``int32[regions + 1]``: what was counted, see ``finish`` and ``bound_after``."""


def make_zone(puzzle: Puzzle) -> Zone:
    """Return room for a zone."""
    return Zone(*np.zeros((2, puzzle.width), np.uint64))


def make_scratch(puzzle: Puzzle) -> Scratch:
    """Return room for one search."""
    steps = np.zeros(puzzle.regions + 1, np.int32)
    gained, nogood = np.zeros((2, puzzle.width), np.uint64)
    return Scratch(make_zone(puzzle), make_zone(puzzle), gained, nogood, steps)


@compiled
def touch(graph: Graph, gained: Words, near: Words) -> None:
    """Add to a near set the neighbors of what was gained."""
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
    """Play a color, in place; return the lowest region gained, or -1. ``gained`` is scratch."""
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

    The lowest region that each gains is written to ``steps``, from place ``at`` on.
    """
    color = 0
    while left >> color:
        if (left >> color) & 1 and within(graph.masks[color], zone.near):
            steps[at] = play(graph, zone, color, gained)
            at += 1
            left ^= 1 << color
            color = -1  # the others may touch the zone now
        color += 1
    return left


@compiled
def colors_left(graph: Graph, held: Words) -> int:
    """Return the colors (a bit each) that a zone has not finished."""
    left = 0
    for color in range(graph.masks.shape[0]):
        if not within(graph.masks[color], held):
            left |= 1 << color
    return left


@compiled
def enter(graph: Graph, start: Words, zone: Zone, held: Words) -> int:
    """Make a zone the one to play from; return the colors left."""
    copy(held, zone.held)
    copy(start, zone.near)
    touch(graph, held, zone.near)
    return colors_left(graph, held)


@compiled
def play_and_finish(graph: Graph, scratch: Scratch, zone: Zone, left: int, color: int) -> int:
    """Play a color from a zone and what it lets finish, into ``scratch.after``.

    A region of each color finished is in ``scratch.steps`` then.

    Returns
    -------
    int
        The colors left, or -1 if the color gained nothing.
    """
    after = scratch.after
    copy(zone.held, after.held)
    copy(zone.near, after.near)
    if play(graph, after, color, scratch.gained) < 0:
        return -1
    return finish(graph, after, left, scratch.gained, scratch.steps, 0)


def start_zone(puzzle: Puzzle, scratch: Scratch) -> tuple[int, int]:
    """Make ``scratch.after`` where a search starts, once all that can be finished is.

    Returns
    -------
    left, moves
        The colors left and the moves made.
    """
    scratch.after.held[:] = 0
    scratch.after.near[:] = puzzle.start
    everything = (1 << puzzle.palette.size) - 1
    left = finish(puzzle.graph, scratch.after, everything, scratch.gained, scratch.steps, 0)
    return int(left), (everything ^ int(left)).bit_count()


@compiled
def unfold(puzzle: Puzzle, zone: Zone, gained: Words, choices: IntArray, out: IntArray) -> int:
    """Write all moves of a solution from its choices, with the colors finished in between.

    Before the first choice and after each, colors that can be finished are; they are not choices.

    Returns
    -------
    int
        The number of moves.
    """
    graph = puzzle.graph
    clear(zone.held)
    copy(puzzle.start, zone.near)
    left = (1 << graph.masks.shape[0]) - 1
    moves = 0
    for place in range(-1, choices.size):
        if place >= 0:
            play(graph, zone, choices[place], gained)
            out[moves] = choices[place]
            moves += 1
        color = 0
        while left >> color:
            if (left >> color) & 1 and within(graph.masks[color], zone.near):
                play(graph, zone, color, gained)
                out[moves] = color
                moves += 1
                left ^= 1 << color
                color = -1
            color += 1
    return moves
