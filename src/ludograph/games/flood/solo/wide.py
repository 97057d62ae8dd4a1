"""Moves and lower bound on a board of any size: the same functions as in ``narrow``, over arrays.

A set is the row of ``width`` words that begins at a given place of ``sets``. Arrays are passed one
by one: a tuple of arrays would be counted as used and unused again in every loop.
"""

from __future__ import annotations

from ludograph.games.flood.solo.bitsets import NONE, ONE, Words, bit_count, lowest
from ludograph.games.flood.solo.puzzle import IntArray
from ludograph.rules import compiled


@compiled
def grow(
    rows: IntArray,
    links: IntArray,
    bits: Words,
    sets: Words,
    gained: int,
    begin: int,
    end: int,
    near: int,
) -> None:
    """Add to the near set the neighbors of what was gained in words ``begin`` to ``end``."""
    for word in range(begin, end):
        rest = sets[gained + word]
        while rest != NONE:
            region = (word << 6) + lowest(rest)
            rest &= rest - ONE
            for pair in range(rows[region], rows[region + 1]):
                sets[near + links[pair]] |= bits[pair]


@compiled
def play(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    width: int,
    sets: Words,
    zone: int,
    near: int,
    gained: int,
    color: int,
) -> bool:
    """Play a color, in place; tell whether it gained anything. ``gained`` is scratch."""
    begin, end = spans[2 * color], spans[2 * color + 1]
    together = NONE
    for word in range(begin, end):
        fresh = masks[color * width + word] & sets[near + word] & ~sets[zone + word]
        sets[gained + word] = fresh
        sets[zone + word] |= fresh
        together |= fresh
    grow(rows, links, bits, sets, gained, begin, end, near)
    return together != NONE


@compiled
def lacks(spans: IntArray, masks: Words, width: int, sets: Words, held: int, color: int) -> bool:
    """Tell whether a color has regions that are not in a set."""
    for word in range(spans[2 * color], spans[2 * color + 1]):
        if masks[color * width + word] & ~sets[held + word] != NONE:
            return True
    return False


@compiled
def finish(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    width: int,
    sets: Words,
    zone: int,
    near: int,
    gained: int,
    left: int,
) -> int:
    """Play every color that one move can finish, in place; return the colors left."""
    color = 0
    while color < spans.size >> 1:
        if (left >> color) & 1 and not lacks(spans, masks, width, sets, near, color):
            play(spans, masks, rows, links, bits, width, sets, zone, near, gained, color)
            left ^= 1 << color
            color = -1  # the others may touch the zone now
        color += 1
    return left


@compiled
def bound(
    spans: IntArray,
    masks: Words,
    rows: IntArray,
    links: IntArray,
    bits: Words,
    width: int,
    sets: Words,
    zone: int,
    near: int,
    gained: int,
    left: int,
    limit: int,
) -> int:
    """Return moves that every solution needs; at ``limit`` the count may stop.

    Overwrites the sets at ``zone``, ``near`` and ``gained``.
    """
    moves = 0
    while left != 0:
        before = left
        left = finish(spans, masks, rows, links, bits, width, sets, zone, near, gained, left)
        moves += bit_count(before ^ left)
        rest = bit_count(left)
        if left == 0 or moves + rest >= limit:
            return moves + rest
        for word in range(width):
            sets[gained + word] = sets[near + word] & ~sets[zone + word]
            sets[zone + word] = sets[near + word]
        grow(rows, links, bits, sets, gained, 0, width, near)
        moves += 1
    return moves
