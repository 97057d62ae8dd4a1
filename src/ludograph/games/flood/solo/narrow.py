"""Moves and lower bound on a board of one block: at most 256 free regions, all in registers.

The same functions for boards of any size are in :mod:`ludograph.games.flood.solo.wide`; why the
bound is one stands in :mod:`ludograph.games.flood.solo.step`.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.flood.solo.bitsets import (
    BLOCK,
    NONE,
    ONE,
    Block,
    Words,
    has_any,
    join,
    load,
    lowest,
    meet,
    population,
    without,
)
from ludograph.rules import compiled


@compiled
def grow(bits: Words, gained: Block, near: Block) -> Block:
    """Return the near set with the neighbors of what was gained."""
    near = grow_word(bits, 0, gained[0], near)
    near = grow_word(bits, 64, gained[1], near)
    near = grow_word(bits, 128, gained[2], near)
    return grow_word(bits, 192, gained[3], near)


@compiled
def grow_word(bits: Words, first: int, gained: np.uint64, near: Block) -> Block:
    """Do so for the regions of one word, the lowest of which is ``first``."""
    while gained != NONE:
        near = join(near, load(bits, BLOCK * (first + lowest(gained))))
        gained &= gained - ONE
    return near


@compiled
def finish(
    masks: Words, bits: Words, zone: Block, near: Block, left: int
) -> tuple[Block, Block, int]:
    """Play every color that one move can finish, as long as there is one.

    Returns
    -------
    zone, near, left
        What they are then; each color no longer left was one move.
    """
    todo = left
    while todo != 0:
        color = lowest(np.uint64(todo))
        todo &= todo - 1
        mask = load(masks, BLOCK * color)
        if not has_any(without(mask, near)):
            near = grow(bits, without(mask, zone), near)
            zone = join(zone, mask)
            left ^= 1 << color
            todo = left  # the others may touch the zone now
    return zone, near, left


@compiled
def bound(masks: Words, bits: Words, zone: Block, near: Block, left: int, limit: int) -> int:
    """Return moves that every solution needs; at ``limit`` the count may stop."""
    moves = 0
    while left != 0:
        before = left
        zone, near, left = finish(masks, bits, zone, near, left)
        moves += population(np.uint64(before ^ left))
        rest = population(np.uint64(left))
        if left == 0 or moves + rest >= limit:
            return moves + rest
        gained = without(near, zone)
        zone = near
        near = grow(bits, gained, near)
        moves += 1
    return moves


@compiled
def play(
    masks: Words, bits: Words, zone: Block, near: Block, color: int
) -> tuple[Block, Block, bool]:
    """Return zone and near set after a color, and whether it gained anything."""
    gained = without(meet(load(masks, BLOCK * color), near), zone)
    return join(zone, gained), grow(bits, gained, near), has_any(gained)
