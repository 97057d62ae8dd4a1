"""Depth-first search for a solution of a given length, which learns from refuted zones.

A *level* is a zone with a number of moves left, and the state of the search of its moves. Levels
are numbered by the moves left. Each move from a level leads to a solution, or to a zone that is
refuted by a known nogood, by the lower bound or by a search of its own level. The nogood of each
refuted zone is added to the level's *blamed* set, extended by the rules *finish* and *choice* of
:mod:`ludograph.games.flood.solo.nogoods`. When all moves are refuted, this set is a nogood for the
level's own zone; the search stores it and adds it to the blamed set of the level above.

The search tries moves that the bound does not refute in the order of their bounds, and with equal
bounds the largest zones first. Moves with small bounds often lead to solutions, and large zones
give nogoods that refute many zones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludograph.games.flood.solo.moves import Scratch, Zone, play_and_finish, touch
from ludograph.games.flood.solo.nogoods import (
    Nogoods,
    bound_after,
    explain,
    find_nogood,
    keep_nogood,
)
from ludograph.games.flood.solo.puzzle import Graph, add, join, size_of
from ludograph.rules import compiled, copy, fill
from ludograph.rules.kernels.bits import bit_count
from ludograph.rules.kernels.sets import Words

# The results of ``search``.
REFUTED = 0  # there is no solution of this length
SOLVED = 1
PAUSED = 2  # the work of the call is done

COLORS = 32
"""The most colors of a game."""

FRAME = np.dtype(
    (
        np.record,
        [
            ("above", np.int64),  # the level before the last choice, or -1
            ("left", np.int64),  # the colors left, a bit each
            ("gaining", np.int64),  # the colors that gain regions, a bit each
            ("untried", np.int64),  # the gaining colors that are still to be searched, a bit each
            ("solved", np.int64),  # 1 if ``choice`` ends a solution, otherwise 0
            ("choice", np.int64),  # the color that is searched now
            ("count", np.int64),  # the number of colors finished after the choice
            ("finished", np.int64, (COLORS,)),  # a region of each of these colors
            ("smallest_size", np.int64),  # the size of the smallest blamed nogood
            ("ranks", np.int64, (COLORS,)),  # the order of the search by color, the lowest first
        ],
    )
)


PROGRESS = np.dtype((np.record, [("level", np.int64), ("nodes", np.int64)]))


class Levels(NamedTuple):
    """The levels from the first zone to the zone that is searched now, by the moves left."""

    progress: Any
    """``PROGRESS[1]``: the level that is searched, or the last one of a solution; the number of
    nodes, which are tried moves that gain regions."""
    frames: Any
    """``FRAME[levels]``: the state of the search of each level."""
    held: Words
    """``uint64[levels, width]``: the zone of each level."""
    near: Words
    """``uint64[levels, width]``: the zone of each level and the regions that touch it."""
    blamed: Words
    """``uint64[levels, width]``: the union of the nogoods of refuted moves, see the rule
    *choice*."""
    smallest: Words
    """``uint64[levels, width]``: the smallest of these nogoods."""


def make_levels(count: int, width: int) -> Levels:
    """Return room for the levels of 0 to ``count - 1`` moves left."""
    sets = np.zeros((4, count, width), np.uint64)
    return Levels(np.zeros(1, PROGRESS), np.zeros(count, FRAME), *sets)


def level_bytes(width: int) -> int:
    """Return the memory of a level in bytes."""
    return 4 * 8 * width + FRAME.itemsize


class Level(NamedTuple):
    """The sets of one level, as views of :class:`Levels`."""

    zone: Zone
    blamed: Words
    """``uint64[width]``"""
    smallest: Words
    """``uint64[width]``"""


@compiled
def level_at(levels: Levels, budget: int) -> Level:
    """Return the sets of the level with this number of moves left."""
    zone = Zone(levels.held[budget], levels.near[budget])
    return Level(zone, levels.blamed[budget], levels.smallest[budget])


@compiled
def search(graph: Graph, scratch: Scratch, levels: Levels, nogoods: Nogoods, work: int) -> int:
    """Continue a search until it ends or has counted ``work`` more nodes.

    Before the first call, ``open_level`` must open the first level.

    Returns
    -------
    int
        ``REFUTED``, ``SOLVED``, or ``PAUSED`` if another call can continue the search.
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
            remaining = budget - 1 - frame.count
            # Nogoods of the moves before it may refute the zone now.
            place = find_nogood(nogoods, remaining, scratch.after.held)
            if place < 0:
                open_level(graph, scratch, levels, nogoods, remaining, left, budget)
            else:
                blame(graph, scratch, frame, level, nogoods.sets[remaining, place])
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
    """Play the untried color with the lowest rank; return the colors left after it, a bit each."""
    best = -1
    for color in range(graph.masks.shape[0]):
        if (frame.untried >> color) & 1 and (best < 0 or frame.ranks[color] < frame.ranks[best]):
            best = color
    frame.choice = best
    frame.untried ^= 1 << best
    return make_move(graph, scratch, frame, level)


@compiled
def make_move(graph: Graph, scratch: Scratch, frame: Any, level: Level) -> int:
    """Play a level's choice into ``scratch.after``; return the colors left, or -1 for no gain.

    It writes the number of colors finished after it, and a region of each, to ``frame``.
    """
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
    """Open the level of ``scratch.after`` with ``budget`` moves left, and try all its moves.

    Parameters
    ----------
    left
        The colors left in this zone, a bit each.
    above
        The level before, or -1.
    """
    frame, level = levels.frames[budget], level_at(levels, budget)
    copy(scratch.after.held, level.zone.held)
    copy(scratch.after.near, level.zone.near)
    fill(level.blamed, 0)
    frame.above = above
    frame.left = left
    frame.gaining = 0
    frame.untried = 0
    frame.solved = 0
    frame.smallest_size = graph.rows.size
    for color in range(graph.masks.shape[0]):
        if (left >> color) & 1 and not frame.solved:
            frame.choice = color
            try_choice(graph, scratch, frame, level, nogoods, budget)
    levels.progress[0].level = budget
    levels.progress[0].nodes += bit_count(frame.gaining)


@compiled
def try_choice(
    graph: Graph, scratch: Scratch, frame: Any, level: Level, nogoods: Nogoods, budget: int
) -> None:
    """Try a level's choice: it solves the board, is refuted by nogood or bound, or gets a rank."""
    left = make_move(graph, scratch, frame, level)
    if left < 0:
        return
    frame.gaining |= 1 << frame.choice
    remaining = budget - 1 - frame.count
    if left == 0 and remaining >= 0:
        frame.solved = 1
        return
    is_open = bit_count(left) <= remaining
    if is_open:
        place = find_nogood(nogoods, remaining, scratch.after.held)
        if place >= 0:
            blame(graph, scratch, frame, level, nogoods.sets[remaining, place])
            return
    bound = bound_after(graph, scratch, left, remaining + 1)
    if bound <= remaining:
        size = size_of(scratch.after.held)
        frame.ranks[frame.choice] = (bound - remaining) * graph.rows.size - size
        frame.untried |= 1 << frame.choice
        return
    explain(graph, scratch, bound, remaining + 1, scratch.nogood)
    if is_open:
        keep_nogood(nogoods, remaining, scratch.nogood)
    blame(graph, scratch, frame, level, scratch.nogood)


@compiled
def blame(graph: Graph, scratch: Scratch, frame: Any, level: Level, nogood: Words) -> None:
    """Add the nogood of the zone after a level's choice to the level's blamed set.

    It applies the rule *finish* for each color finished after the choice, then the rule *choice*.
    """
    reason = scratch.nogood
    copy(nogood, reason)
    for place in range(frame.count):
        add(reason, frame.finished[place])
    size = size_of(reason)
    if size < frame.smallest_size:
        frame.smallest_size = size
        copy(reason, level.smallest)
    join(reason, level.blamed)
    apply_choice_rule(graph, scratch, reason, frame.choice, level.blamed)


@compiled
def complete(graph: Graph, scratch: Scratch, frame: Any, level: Level) -> None:
    """Complete a level's blamed set, by the rule *choice*, for the colors that gain nothing here.

    For each of these colors the rule uses the smallest of the blamed nogoods.
    """
    idle = frame.left & ~frame.gaining
    for color in range(graph.masks.shape[0]):
        if (idle >> color) & 1:
            apply_choice_rule(graph, scratch, level.smallest, color, level.blamed)


@compiled
def apply_choice_rule(
    graph: Graph, scratch: Scratch, reason: Words, color: int, nogood: Words
) -> None:
    """Add the neighbors of the regions of a color in ``reason`` to ``nogood``.

    A zone that misses ``nogood`` cannot gain these regions by this color.
    """
    for word in range(reason.size):
        scratch.gained[word] = reason[word] & graph.masks[color, word]
    touch(graph, scratch.gained, nogood)
