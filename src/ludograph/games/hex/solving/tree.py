"""The kernel: a depth-first proof of who wins, in which every answer comes with its *carrier*.

The carrier is a set of free cells on which the winner wins even if the loser owns all others.
If a move of the color to move loses against a carrier, so do all moves outside of it: the moves
left to try are those in all carriers met so far, the *must-play*; when none is left, the carriers
together carry the loss (Hayward, Björnsson, Johanson, Kan, Po, van Rijswijck: "Solving 7 x 7 Hex
with domination, virtual connections, and game-state reduction", TCS 349, 2005). Where the other
color threatens to connect, its threats are such carriers from the start. Moves are tried in the
order of how few answers they leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.bits import NONE, ONE, bit, lowest, population
from ludograph.games.hex.solving.connections import (
    CONNECTED,
    NOTHING,
    Numbers,
    Sets,
    connect,
    make_numbers,
    make_sets,
    name_of,
)
from ludograph.games.hex.solving.grid import Grid
from ludograph.games.hex.solving.inferior import fill
from ludograph.games.hex.solving.memory import Memory, key_of, make_memory, recall, remember
from ludograph.rules import compiled

FILL, CONNECT, NARROW, FOLD = 1, 2, 4, 8
"""What may be left out, for tests: dead and captured cells; sure connections; the must-play of
carriers; positions turned by 180° taken for one."""
EVERYTHING = FILL | CONNECT | NARROW | FOLD

STONES = 0  # of black, then of white, the borders and what was filled in included
CAPTURED = 2  # of black, then of white: what a win of the color has to count among its cells
MUST = 4  # the moves still to try
USED = 5  # the carriers that narrowed them
FRAME = 6

COUNT, NEXT, CHOSEN = range(3)
"""Columns of ``counts``: moves in order, the next to try, the one being tried."""

MODE, LEVEL, NODES, COLOR, FLAGS, WINNER = range(6)
"""Slots of ``progress``. COLOR is to move at level 0."""

WORD = 64
"""Cells in a set, at most."""

ENTERING, CHOOSING, LEAVING, DONE = range(4)
OPEN = -1


class Stack(NamedTuple):
    """One proof under way: a level per stone."""

    frames: Sets
    """``uint64[levels, 6]``"""
    order: Numbers
    """``int64[levels, cells]``: moves, the most promising first."""
    counts: Numbers
    """``int64[levels, 3]``"""
    carrier: Sets
    """``uint64[1, 1]``: of the answer on its way up."""
    sets: Sets
    numbers: Numbers
    memory: Memory
    progress: Numbers


def make_stack(cells: int, bits: int) -> Stack:
    """Return a stack with a table of ``2 ** bits`` entries."""
    return Stack(
        frames=np.zeros((cells + 2, FRAME), np.uint64),
        order=np.zeros((cells + 2, cells), np.int64),
        counts=np.zeros((cells + 2, 3), np.int64),
        carrier=np.zeros((1, 1), np.uint64),
        sets=make_sets(),
        numbers=make_numbers(),
        memory=make_memory(bits),
        progress=np.zeros(6, np.int64),
    )


@compiled
def assess(
    near: Sets,
    borders: Sets,
    own: np.uint64,
    theirs: np.uint64,
    color: int,
    count: int,
    flags: int,
    sets: Sets,
    numbers: Numbers,
) -> tuple[int, np.uint64, np.uint64]:
    """Look at a position without moving.

    Returns
    -------
    winner
        A color or ``OPEN``.
    carrier
        Of the winner; or of what threatens the color to move.
    must
        If open, the cells where it has to move.
    """
    free = ((ONE << np.uint64(count)) - ONE) & ~(own | theirs)
    if flags & CONNECT == 0:
        for one in range(2):
            stones = own if one == color else theirs
            border = lowest(borders[one])
            if name_of(near, stones, border) == name_of(near, stones, border + 1):
                return one, NONE, NONE
        return OPEN, NONE, free
    found, carrier, _ = connect(near, own, free, borders[color], True, sets, numbers)
    if found != NOTHING:
        return color, carrier, NONE
    found, carrier, must = connect(near, theirs, free, borders[1 - color], False, sets, numbers)
    if found == CONNECTED or must == NONE:
        return 1 - color, carrier, NONE
    return OPEN, carrier, must


@compiled
def look(
    grid: Grid, stack: Stack, black: np.uint64, white: np.uint64, color: int
) -> tuple[int, np.uint64, np.uint64]:
    """Assess a position by its stones: by what is remembered, filled in and connected."""
    flags = stack.progress[FLAGS]
    count = grid.ring.shape[0]
    black_captured = NONE
    white_captured = NONE
    if flags & FILL:
        black, white, black_captured, white_captured = fill(grid.ring, grid.dead, black, white)
    key, turned = key_of(black, white, color, count, flags & FOLD != 0)
    winner, carrier = recall(stack.memory, key, turned, count)
    must = NONE
    if winner == OPEN:
        own, theirs = (black, white) if color == BLACK else (white, black)
        winner, carrier, must = assess(
            grid.near, grid.borders, own, theirs, color, count, flags, stack.sets, stack.numbers
        )
    if winner == BLACK:
        carrier |= black_captured
    elif winner == WHITE:
        carrier |= white_captured
    return winner, carrier, must


@compiled
def refute(stack: Stack, level: int, move: int, carrier: np.uint64) -> None:
    """Note that a move loses against a carrier."""
    frame = stack.frames[level]
    frame[MUST] &= ~bit(move)
    if stack.progress[FLAGS] & NARROW:
        frame[MUST] &= carrier
    frame[USED] |= carrier


@compiled
def enter(grid: Grid, stack: Stack) -> None:
    """Settle a position if a look at it and its moves will do, else put the moves in order."""
    progress = stack.progress
    progress[NODES] += 1
    flags = progress[FLAGS]
    level = progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    frame = stack.frames[level]
    count = grid.ring.shape[0]
    frame[CAPTURED] = NONE
    frame[CAPTURED + 1] = NONE
    if flags & FILL:
        frame[STONES], frame[STONES + 1], frame[CAPTURED], frame[CAPTURED + 1] = fill(
            grid.ring, grid.dead, frame[STONES], frame[STONES + 1]
        )
    winner, carrier, must = assess(
        grid.near,
        grid.borders,
        frame[STONES + color],
        frame[STONES + 1 - color],
        color,
        count,
        flags,
        stack.sets,
        stack.numbers,
    )
    progress[MODE] = LEAVING
    if winner != OPEN:
        progress[WINNER] = winner
        stack.carrier[0, 0] = carrier
        return
    frame[MUST] = must
    frame[USED] = carrier
    order = stack.order[level]
    scores = stack.order[level + 1]  # not used before this position's moves are in order
    listed = 0
    left = must
    while left != NONE:
        move = lowest(left)
        left &= left - ONE
        black = frame[STONES] | (bit(move) if color == BLACK else NONE)
        white = frame[STONES + 1] | (bit(move) if color == WHITE else NONE)
        winner, carrier, must = look(grid, stack, black, white, 1 - color)
        if winner == color:
            progress[WINNER] = winner
            stack.carrier[0, 0] = carrier | bit(move)
            stack.counts[level, CHOSEN] = move
            return
        if winner != OPEN:
            refute(stack, level, move, carrier)
            left &= frame[MUST]
            continue
        score = WORD * population(must) - population(carrier)
        place = listed
        while place > 0 and scores[place - 1] > score:
            scores[place] = scores[place - 1]
            order[place] = order[place - 1]
            place -= 1
        scores[place] = score
        order[place] = move
        listed += 1
    stack.counts[level, COUNT] = listed
    stack.counts[level, NEXT] = 0
    progress[MODE] = CHOOSING


@compiled
def choose(stack: Stack) -> None:
    """Go down to the next move that must be tried, or leave with a loss."""
    progress = stack.progress
    level = progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    frame = stack.frames[level]
    counts = stack.counts[level]
    while counts[NEXT] < counts[COUNT]:
        move = stack.order[level, counts[NEXT]]
        counts[NEXT] += 1
        if frame[MUST] & bit(move) != NONE:
            counts[CHOSEN] = move
            below = stack.frames[level + 1]
            below[STONES] = frame[STONES]
            below[STONES + 1] = frame[STONES + 1]
            below[STONES + color] |= bit(move)
            progress[LEVEL] = level + 1
            progress[MODE] = ENTERING
            return
    progress[WINNER] = 1 - color
    stack.carrier[0, 0] = frame[USED]
    progress[MODE] = LEAVING


@compiled
def leave(grid: Grid, stack: Stack) -> None:
    """Remember a settled position and tell the one above."""
    progress = stack.progress
    level = progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    winner = progress[WINNER]
    carrier = stack.carrier[0, 0]
    frame = stack.frames[level]
    count = grid.ring.shape[0]
    fold = progress[FLAGS] & FOLD != 0
    key, turned = key_of(frame[STONES], frame[STONES + 1], color, count, fold)
    remember(stack.memory, key, turned, count, winner, carrier)
    carrier |= frame[CAPTURED + winner]
    stack.carrier[0, 0] = carrier
    if level == 0:
        progress[MODE] = DONE
        return
    level -= 1
    progress[LEVEL] = level
    move = stack.counts[level, CHOSEN]
    if winner == color:  # the one above has moved in vain
        refute(stack, level, move, carrier)
        progress[MODE] = CHOOSING
    else:
        stack.carrier[0, 0] = carrier | bit(move)


@compiled
def search(grid: Grid, stack: Stack, budget: int) -> None:
    """Search on through no more than so many positions; ``progress[MODE]`` is DONE at the end."""
    progress = stack.progress
    last = progress[NODES] + budget
    while progress[MODE] != DONE:
        if progress[MODE] == ENTERING:
            if progress[NODES] == last:
                return
            enter(grid, stack)
        elif progress[MODE] == CHOOSING:
            choose(stack)
        else:
            leave(grid, stack)
