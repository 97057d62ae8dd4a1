"""Depth-first search for a solution of a given length, which learns from what it refutes.

A *level* is a zone entered with a number of moves left, with what was tried from it; levels are
numbered by the moves left. Each move from a level leads to a solution, or to a zone that is refuted
by a nogood known, by the lower bound or by a search of its own. The nogood of each is *blamed* on
the level: when all moves are refuted, what was blamed makes the level's nogood, which is kept and
blamed on the level above.

Moves that the bound leaves over are tried in the order of that bound, the largest zones first:
small bounds promise solutions, large zones general nogoods.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.flood.solo.bitsets import Words, add, clear, join, size_of
from ludograph.games.flood.solo.bound import bound_after, explain
from ludograph.games.flood.solo.moves import Scratch, Zone, play_and_finish, touch
from ludograph.games.flood.solo.nogoods import Nogoods, find_nogood, keep_nogood
from ludograph.games.flood.solo.puzzle import Graph
from ludograph.rules import compiled, copy
from ludograph.rules.kernels.bits import bit_count

# What a call of ``search`` ends with.
REFUTED = 0  # there is no solution of this length
SOLVED = 1
PAUSED = 2  # the work is spent

COLORS = 32
"""The most that a game can have."""

FRAME = np.dtype(
    (
        np.record,
        [
            ("above", np.int64),  # the level that the zone was reached from, or -1
            ("left", np.int64),  # the colors left, a bit each
            ("gaining", np.int64),  # those that gain something
            ("untried", np.int64),  # those of them that are still to be searched
            ("solved", np.int64),  # whether ``choice`` ends a solution
            ("choice", np.int64),  # the color that is searched
            ("count", np.int64),  # how many colors were finished after it
            ("finished", np.int64, (COLORS,)),  # a region of each
            ("size", np.int64),  # the size of the smallest nogood blamed
            ("ranks", np.int64, (COLORS,)),  # the color of the lowest rank is searched first
        ],
    )
)


PROGRESS = np.dtype((np.record, [("level", np.int64), ("nodes", np.int64)]))


class Levels(NamedTuple):
    """The zones from the first one to the one that is searched, by the moves left."""

    progress: Any
    """``PROGRESS[1]``: the level that is searched, or where a solution ends; zones looked at."""
    frames: Any
    """``FRAME[levels]``"""
    held: Words
    """``uint64[levels, width]``: the zones."""
    near: Words
    """``uint64[levels, width]``: with what touches them."""
    blamed: Words
    """``uint64[levels, width]``: all nogoods of the moves from there, see the rule *choice*."""
    smallest: Words
    """``uint64[levels, width]``: the smallest of these nogoods."""


def make_levels(count: int, width: int) -> Levels:
    """Return room for the levels of 0 to ``count - 1`` moves left."""
    sets = np.zeros((4, count, width), np.uint64)
    return Levels(np.zeros(1, PROGRESS), np.zeros(count, FRAME), *sets)


def level_bytes(width: int) -> int:
    """Return the memory of a level."""
    return 4 * 8 * width + FRAME.itemsize


class Level(NamedTuple):
    """The sets of one of them."""

    zone: Zone
    blamed: Words
    smallest: Words


@compiled
def level_at(levels: Levels, budget: int) -> Level:
    """Return the sets of the level with this number of moves left."""
    zone = Zone(levels.held[budget], levels.near[budget])
    return Level(zone, levels.blamed[budget], levels.smallest[budget])


@compiled
def search(graph: Graph, scratch: Scratch, levels: Levels, nogoods: Nogoods, work: int) -> int:
    """Go on with a search until it is done or ``work`` zones were looked at.

    The first level is opened with ``open_level``.

    Returns
    -------
    int
        ``REFUTED``, ``SOLVED`` or ``PAUSED``, after which the search can go on.
    """
    progress = levels.progress[0]
    last = progress.nodes + work
    while progress.nodes < last:
        budget = progress.level
        frame, level = levels.frames[budget], level_at(levels, budget)
        if frame.solved:
            return SOLVED
        if frame.untried:
            left = make_next_move(graph, scratch, frame, level)
            below = budget - 1 - frame.count
            place = find_nogood(nogoods, below, scratch.after.held)  # its siblings taught it
            if place < 0:
                open_level(graph, scratch, levels, nogoods, below, left, budget)
            else:
                blame(graph, scratch, frame, level, nogoods.sets[below, place])
        else:
            complete(graph, scratch, frame, level)
            keep_nogood(nogoods, budget, level.blamed)
            above = frame.above
            progress.level = above
            if above < 0:
                return REFUTED
            blame(graph, scratch, levels.frames[above], level_at(levels, above), level.blamed)
    return PAUSED


@compiled
def make_next_move(graph: Graph, scratch: Scratch, frame: Any, level: Level) -> int:
    """Make the most promising of the moves left over; return the colors left after it."""
    best = -1
    for color in range(graph.masks.shape[0]):
        if (frame.untried >> color) & 1 and (best < 0 or frame.ranks[color] < frame.ranks[best]):
            best = color
    frame.choice = best
    frame.untried ^= 1 << best
    return make_move(graph, scratch, frame, level)


@compiled
def make_move(graph: Graph, scratch: Scratch, frame: Any, level: Level) -> int:
    """Play a level's choice into ``scratch.after``; return the colors left, or -1 for no gain."""
    left = play_and_finish(graph, scratch, level.zone, frame.left, frame.choice)
    frame.count = bit_count(frame.left ^ left) if left >= 0 else 0
    for place in range(frame.count):
        frame.finished[place] = scratch.steps[place]
    return left


@compiled
def open_level(
    graph: Graph,
    scratch: Scratch,
    levels: Levels,
    nogoods: Nogoods,
    budget: int,
    left: int,
    above: int,
) -> None:
    """Enter the zone at ``scratch.after`` with these moves left and look at all its moves."""
    frame, level = levels.frames[budget], level_at(levels, budget)
    copy(scratch.after.held, level.zone.held)
    copy(scratch.after.near, level.zone.near)
    clear(level.blamed)
    frame.above = above
    frame.left = left
    frame.gaining = 0
    frame.untried = 0
    frame.solved = 0
    frame.size = graph.rows.size
    for color in range(graph.masks.shape[0]):
        if (left >> color) & 1 and not frame.solved:
            frame.choice = color
            look_at(graph, scratch, frame, level, nogoods, budget)
    levels.progress[0].level = budget
    levels.progress[0].nodes += bit_count(frame.gaining)


@compiled
def look_at(
    graph: Graph, scratch: Scratch, frame: Any, level: Level, nogoods: Nogoods, budget: int
) -> None:
    """Look at a level's choice: it solves the board, is refuted at once, or gets a rank."""
    left = make_move(graph, scratch, frame, level)
    if left < 0:
        return
    frame.gaining |= 1 << frame.choice
    below = budget - 1 - frame.count
    if left == 0 and below >= 0:
        frame.solved = 1
        return
    is_open = bit_count(left) <= below
    if is_open:
        place = find_nogood(nogoods, below, scratch.after.held)
        if place >= 0:
            blame(graph, scratch, frame, level, nogoods.sets[below, place])
            return
    bound = bound_after(graph, scratch, left, below + 1)
    if bound <= below:
        size = size_of(scratch.after.held)
        frame.ranks[frame.choice] = (bound - below) * graph.rows.size - size
        frame.untried |= 1 << frame.choice
        return
    explain(graph, scratch, bound, below + 1, scratch.nogood)
    if is_open:
        keep_nogood(nogoods, below, scratch.nogood)
    blame(graph, scratch, frame, level, scratch.nogood)


@compiled
def blame(graph: Graph, scratch: Scratch, frame: Any, level: Level, nogood: Words) -> None:
    """Blame a nogood for the zone after a level's choice: the rules *finish* and *choice*."""
    reason = scratch.nogood
    copy(nogood, reason)
    for place in range(frame.count):
        add(reason, frame.finished[place])
    size = size_of(reason)
    if size < frame.size:
        frame.size = size
        copy(reason, level.smallest)
    join(reason, level.blamed)
    keep_off(graph, scratch, reason, frame.choice, level.blamed)


@compiled
def complete(graph: Graph, scratch: Scratch, frame: Any, level: Level) -> None:
    """Blame what the rule *choice* asks for the colors that gain nothing here."""
    idle = frame.left & ~frame.gaining
    for color in range(graph.masks.shape[0]):
        if (idle >> color) & 1:
            keep_off(graph, scratch, level.smallest, color, level.blamed)


@compiled
def keep_off(graph: Graph, scratch: Scratch, reason: Words, color: int, nogood: Words) -> None:
    """Add to a nogood what touches the regions of a color in another: none is gained without."""
    for word in range(reason.size):
        scratch.gained[word] = reason[word] & graph.masks[color, word]
    touch(graph, scratch.gained, nogood)
