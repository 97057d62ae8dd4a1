"""The kernel: a proof of who wins by proof numbers, where every answer comes with its *carrier*.

The carrier is a set of free cells on which the winner wins even if the loser owns all others.
If a move of the color to move loses against a carrier, so do all moves outside of it: the moves
left to try are those in all carriers met so far, the *must-play*; when none is left, the carriers
together carry the loss (Hayward, Björnsson, Johanson, Kan, Po, van Rijswijck: "Solving 7 x 7 Hex
with domination, virtual connections, and game-state reduction", TCS 349, 2005). Where the other
color threatens to connect, its threats are such carriers from the start.

A position has two numbers that say how far it seems to be from being proved: *phi* to a win of the
color to move, *delta* to its loss. The search goes on where the least is missing and comes back
when that is no longer so (df-pn; Nagai: "Df-pn algorithm for searching AND/OR trees and its
applications", PhD thesis, University of Tokyo, 2002). A position that was only looked at is as far
from its loss as it has moves to try. To lose, all moves must lose: that counts the hardest and one
for every other (weak proof numbers; Ueda, Hashimoto, Hashimoto, Iida: "Weak proof-number search",
2008), since the same stones in another order would be counted many times in a sum.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving import memory as table
from ludograph.games.hex.solving.bits import NONE, ONE, bit, lowest
from ludograph.games.hex.solving.connections import Numbers, Sets
from ludograph.games.hex.solving.grid import Grid
from ludograph.games.hex.solving.inferior import fill, ring_code
from ludograph.games.hex.solving.looks import assess, look
from ludograph.games.hex.solving.memory import (
    INFINITE,
    OPEN,
    PROOF,
    cells_at,
    find,
    key_of,
    remember,
    remember_open,
    winner_at,
)
from ludograph.games.hex.solving.stack import (
    CAPTURED,
    CHOOSING,
    CHOSEN,
    COLOR,
    COUNT,
    DELTA,
    DELTA_LIMIT,
    DONE,
    ENTERED,
    ENTERING,
    FILL,
    FLAGS,
    FOLD,
    KEY,
    LEAVING,
    LEVEL,
    MODE,
    MUST,
    NARROW,
    NODES,
    PHI,
    PHI_LIMIT,
    PLACE,
    PRUNE,
    STONES,
    TURNED,
    USED,
    WINNER,
    Stack,
)
from ludograph.rules import compiled

TABLE_MUST, TABLE_USED = table.MUST, table.USED

SLACK = 4
"""A move is left for the second best when it is worse by one part in so many."""


@compiled
def refute(stack: Stack, level: int, move: int, carrier: np.uint64) -> None:
    """Note that a move loses against a carrier."""
    frame = stack.frames[level]
    frame[MUST] &= ~bit(move)
    if stack.progress[FLAGS] & NARROW:
        frame[MUST] &= carrier
    frame[USED] |= carrier


@compiled
def prune(ring: Numbers, killers: npt.NDArray[np.int8], frame: Sets, other: int) -> None:
    """Take out the moves that the other color can answer so that they are dead.

    If such a move won, so would another: after the answer its own color is to move again, and the
    other has a stone more. The answers are carriers of what is left out.
    """
    left = frame[MUST]
    while left != NONE:
        move = lowest(left)
        left &= left - ONE
        place = killers[other, ring_code(ring, move, frame[STONES], frame[STONES + 1])]
        if place >= 0:
            frame[MUST] &= ~bit(move)
            frame[USED] |= bit(ring[move, place])


@compiled
def settle(grid: Grid, stack: Stack) -> bool:
    """Fill a position in and tell whether that, the table and a look decide it."""
    progress = stack.progress
    flags, level = progress[FLAGS], progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    frame = stack.frames[level]
    count = grid.ring.shape[0]
    frame[CAPTURED] = NONE
    frame[CAPTURED + 1] = NONE
    if flags & FILL:
        frame[STONES], frame[STONES + 1], frame[CAPTURED], frame[CAPTURED + 1] = fill(
            grid.ring,
            grid.near,
            grid.dead,
            frame[STONES],
            frame[STONES + 1],
            ~NONE if level == 0 else grid.near[stack.counts[level - 1, CHOSEN]],
        )
    key, turned = key_of(frame[STONES], frame[STONES + 1], color, count, flags & FOLD != 0)
    frame[KEY] = key
    stack.counts[level, TURNED] = turned
    place = find(stack.memory, key)
    if place < 0:
        winner, carrier, must = assess(
            grid.near,
            grid.borders,
            frame[STONES + color],
            frame[STONES + 1 - color],
            color,
            True,
            count,
            flags,
            stack.sets,
            stack.numbers,
        )
    else:
        winner = winner_at(stack.memory, place)
        column = TABLE_USED if winner == OPEN else PROOF
        carrier = cells_at(stack.memory, place, column, turned, count)
        must = cells_at(stack.memory, place, TABLE_MUST, turned, count)
    if winner != OPEN:
        progress[WINNER] = winner
        stack.carrier[0, 0] = carrier
        return True
    frame[MUST] = must
    frame[USED] = carrier
    return False


@compiled
def enter(grid: Grid, stack: Stack) -> None:
    """Settle a position if a look at it and its moves will do, else list the moves."""
    progress = stack.progress
    progress[NODES] += 1
    level = progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    frame = stack.frames[level]
    counts = stack.counts[level]
    counts[ENTERED] = progress[NODES]
    progress[MODE] = LEAVING
    if settle(grid, stack):
        return
    if progress[FLAGS] & PRUNE:
        prune(grid.ring, grid.killers, frame, 1 - color)
    listed = 0
    left = frame[MUST]
    while left != NONE:
        move = lowest(left)
        left &= left - ONE
        black = frame[STONES] | (bit(move) if color == BLACK else NONE)
        white = frame[STONES + 1] | (bit(move) if color == WHITE else NONE)
        winner, carrier, phi, delta = look(grid, stack, black, white, move, 1 - color)
        if winner == color:
            progress[WINNER] = winner
            stack.carrier[0, 0] = carrier | bit(move)
            counts[CHOSEN] = move
            return
        if winner != OPEN:
            refute(stack, level, move, carrier)
            left &= frame[MUST]
            continue
        stack.order[level, listed] = move
        stack.phis[level, listed] = phi
        stack.deltas[level, listed] = delta
        listed += 1
    counts[COUNT] = listed
    progress[MODE] = CHOOSING


@compiled
def choose(stack: Stack) -> None:
    """Go down to the most promising move, or leave: with a loss, or because it gets too far."""
    progress = stack.progress
    level = progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    frame = stack.frames[level]
    counts = stack.counts[level]
    order, phis, deltas = stack.order[level], stack.phis[level], stack.deltas[level]
    best = -1
    least = second = INFINITE
    hardest = 0
    listed = 0
    for place in range(counts[COUNT]):
        move, phi, delta = order[place], phis[place], deltas[place]
        if frame[MUST] & bit(move) == NONE:
            continue
        order[listed], phis[listed], deltas[listed] = move, phi, delta
        hardest = max(hardest, phi)
        if delta < least:
            second = least
            least = delta
            best = listed
        elif delta < second:
            second = delta
        listed += 1
    counts[COUNT] = listed
    progress[MODE] = LEAVING
    if listed == 0:
        progress[WINNER] = 1 - color
        stack.carrier[0, 0] = frame[USED]
        return
    all_lose = min(hardest + listed - 1, INFINITE - 1)
    if least >= counts[PHI_LIMIT] or all_lose >= counts[DELTA_LIMIT]:
        progress[WINNER] = OPEN
        progress[PHI] = least
        progress[DELTA] = all_lose
        return
    move = order[best]
    counts[PLACE] = best
    counts[CHOSEN] = move
    below = stack.frames[level + 1]
    below[STONES] = frame[STONES]
    below[STONES + 1] = frame[STONES + 1]
    below[STONES + color] |= bit(move)
    limits = stack.counts[level + 1]
    limits[PHI_LIMIT] = counts[DELTA_LIMIT] - listed + 1
    limits[DELTA_LIMIT] = min(counts[PHI_LIMIT], second + second // SLACK + 1)
    progress[LEVEL] = level + 1
    progress[MODE] = ENTERING


@compiled
def leave(grid: Grid, stack: Stack) -> None:
    """Remember a position and tell the one above."""
    progress = stack.progress
    level = progress[LEVEL]
    color = progress[COLOR] ^ (level & 1)
    winner = progress[WINNER]
    carrier = stack.carrier[0, 0]
    frame = stack.frames[level]
    count = grid.ring.shape[0]
    turned = stack.counts[level, TURNED] != 0
    if winner == OPEN:
        phi, delta = progress[PHI], progress[DELTA]
        remember_open(stack.memory, frame[KEY], turned, count, phi, delta, frame[MUST], frame[USED])
        place = stack.counts[level - 1, PLACE]
        stack.phis[level - 1, place] = phi
        stack.deltas[level - 1, place] = delta
        progress[LEVEL] = level - 1
        progress[MODE] = CHOOSING
        return
    work = 1 + progress[NODES] - stack.counts[level, ENTERED]
    remember(stack.memory, frame[KEY], turned, count, winner, carrier, work)
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
