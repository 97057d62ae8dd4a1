"""One step of a search: enter a zone, play a color and what it lets finish, bound what remains.

Why the bound is a bound. Let ``m(S)`` be the fewest moves from a zone ``S``.

* *More is never worse*: if ``S`` is part of ``T`` then ``m(T) <= m(S)``, since the moves that
  finish ``S`` finish ``T`` as well.
* *Finish what can be finished*: if all free regions of a color touch ``S``, some shortest solution
  begins with that color. Take any shortest solution; the color is in it, for its regions are free.
  Bring its first use to the front: after every later move the zone holds at least what it held
  before, and the number of moves is the same.

So a color that can be finished counts one move and is taken: this is exact, and the searches play
it without looking at anything else. When there is none, the first move, whatever it is, takes a
part of what touches the zone, so ``m(S) >= 1 + m(S with all that touches it)``. Both in turn,
until nothing is free, give a lower bound. Forbidden colors do not enter: as long as no free region
has one, the game is the same without them, and otherwise nothing can be finished at all, see
:func:`ludograph.games.flood.solo.solution.is_solvable`.

The bound is known in the field from Aaron Puchert's solver for Flood-It; this is written from the
idea alone.

All sets are rows of one scratch array; each kernel takes the arrays of a ``Puzzle`` one by one.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.solo import narrow, wide
from ludograph.games.flood.solo.bitsets import NONE, Words, load, store
from ludograph.games.flood.solo.puzzle import IntArray, Puzzle
from ludograph.rules import compiled

# Rows of the scratch array ``sets``, each ``width`` words.
ZONE, NEAR = 0, 1  # the zone that was entered
ZONE_AFTER, NEAR_AFTER = 2, 3  # and after a color
ZONE_BOUND, NEAR_BOUND, GAINED = 4, 5, 6
ROWS = 7


def make_scratch(puzzle: Puzzle) -> Words:
    """Return room for the sets of one search, ``uint64[7 * width]``."""
    return np.zeros(ROWS * puzzle.width, np.uint64)


def start_zone(puzzle: Puzzle, sets: Words) -> tuple[Words, int, int]:
    """Return where a search starts, once all that can be finished is.

    Returns
    -------
    zone, moves, bound
        ``uint64[width]``, the moves made for it, and a lower bound of those of any solution.
    """
    spans, masks, rows, links, bits = puzzle[1:6]
    width = puzzle.width
    after = slice(ZONE_AFTER * width, (ZONE_AFTER + 1) * width)
    sets[after] = 0
    sets[NEAR_AFTER * width : (NEAR_AFTER + 1) * width] = puzzle.near
    everything = (1 << puzzle.palette.size) - 1
    left = int(finish_colors(spans, masks, rows, links, bits, width, sets, everything))
    moves = (everything ^ left).bit_count()
    rest = bound_after(spans, masks, rows, links, bits, width, sets, left, puzzle.regions + 1)
    return sets[after].copy(), moves, moves + int(rest)


@compiled
def enter(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    first_near: Words,
    sets: Words,
    zones: Words,
    at: int,
) -> int:
    """Make the zone at ``zones[at:at + width]`` the one to play from; return the colors left."""
    width = first_near.size
    near = NEAR * width
    for word in range(width):
        sets[word] = zones[at + word]
        sets[near + word] = first_near[word]
    if links.size == 0:
        store(sets, near, narrow.grow(bits, load(sets, 0), load(sets, near)))
    else:
        wide.grow(rows, links, bits, sets, 0, 0, width, near)
    left = 0
    for color in range(spans.size >> 1):
        if wide.lacks(spans, masks, width, sets, 0, color):
            left |= 1 << color
    return left


@compiled
def play_color(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    width: int,
    sets: Words,
    color: int,
) -> bool:
    """Play a color from the zone entered, into the rows behind it; tell whether it gained."""
    zone, near = ZONE_AFTER * width, NEAR_AFTER * width
    if links.size == 0:
        zone_block, near_block, gained = narrow.play(
            masks, bits, load(sets, 0), load(sets, NEAR * width), color
        )
        store(sets, zone, zone_block)
        store(sets, near, near_block)
        return gained
    for word in range(width):
        sets[zone + word] = sets[word]
        sets[near + word] = sets[NEAR * width + word]
    return wide.play(
        spans, masks, rows, links, bits, width, sets, zone, near, GAINED * width, color
    )


@compiled
def finish_colors(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    width: int,
    sets: Words,
    left: int,
) -> int:
    """After a color, play every one that can be finished; return the colors left."""
    zone, near = ZONE_AFTER * width, NEAR_AFTER * width
    if links.size == 0:
        zone_block, near_block, left = narrow.finish(
            masks, bits, load(sets, zone), load(sets, near), left
        )
        store(sets, zone, zone_block)
        store(sets, near, near_block)
        return left
    return wide.finish(
        spans, masks, rows, links, bits, width, sets, zone, near, GAINED * width, left
    )


@compiled
def bound_after(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    width: int,
    sets: Words,
    left: int,
    limit: int,
) -> int:
    """Return a number of moves that every solution needs after the color played.

    The count may stop at ``limit``. The zone after the color stays as it is.
    """
    zone, near = ZONE_AFTER * width, NEAR_AFTER * width
    if links.size == 0:
        return narrow.bound(masks, bits, load(sets, zone), load(sets, near), left, limit)
    for word in range(width):
        sets[ZONE_BOUND * width + word] = sets[zone + word]
        sets[NEAR_BOUND * width + word] = sets[near + word]
    return wide.bound(
        spans,
        masks,
        rows,
        links,
        bits,
        width,
        sets,
        ZONE_BOUND * width,
        NEAR_BOUND * width,
        GAINED * width,
        left,
        limit,
    )


@compiled
def worth_trying(
    spans: IntArray,
    masks: Words,
    width: int,
    sets: Words,
    color: int,
    left: int,
) -> int:
    """Return the colors (a bit each) that may follow a color which finished none.

    After color ``c`` a lower color that gains just what it would have gained before ``c`` need not
    be tried: the other order holds at least as much after both. So of all shortest solutions, the
    first in the order of their colors is left.
    """
    before, after = NEAR * width, NEAR_AFTER * width
    colors = left & ~((1 << (color + 1)) - 1)
    for lower in range(color):
        for word in range(spans[2 * lower], spans[2 * lower + 1]):
            if masks[lower * width + word] & sets[after + word] & ~sets[before + word] != NONE:
                colors |= 1 << lower
                break
    return colors & left


@compiled
def unfold(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    first_near: Words,
    sets: Words,
    choices: IntArray,
    out: IntArray,
) -> int:
    """Write all moves of a solution from its choices, with the colors finished in between.

    Before the first choice and after each, colors that can be finished are; they are not choices.

    Returns
    -------
    int
        The number of moves.
    """
    width = first_near.size
    after = ZONE_AFTER * width
    for word in range(width):
        sets[after + word] = NONE
        sets[NEAR_AFTER * width + word] = first_near[word]
    left = (1 << (spans.size >> 1)) - 1
    moves = 0
    for place in range(-1, choices.size):
        if place >= 0:
            enter(spans, masks, rows, links, bits, first_near, sets, sets, after)
            play_color(spans, masks, rows, links, bits, width, sets, choices[place])
            out[moves] = choices[place]
            moves += 1
        color = 0
        while color < spans.size >> 1:
            one = left & (1 << color)
            if one != 0 and finish_colors(spans, masks, rows, links, bits, width, sets, one) == 0:
                out[moves] = color
                moves += 1
                left ^= one
                color = -1
            color += 1
    return moves
