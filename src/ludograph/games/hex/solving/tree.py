"""How a proof of Hex looks at a position: every answer comes with its *carrier*.

The carrier is a set of free cells on which the winner wins even if the loser owns all others.
If a move of the color to move loses against a carrier, so do all moves outside of it: the moves
left to try are those in all carriers met so far, the *must-play*; when none is left, the carriers
together carry the loss (Hayward, Björnsson, Johanson, Kan, Po, van Rijswijck: "Solving 7 x 7 Hex
with domination, virtual connections, and game-state reduction", TCS 349, 2005). Where the other
color threatens to connect, its threats are such carriers from the start.

The search itself is that of :mod:`ludograph.search.proof.dfpn`, with colors for seats.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.grid import Grid
from ludograph.games.hex.solving.inferior import fill_in, ring_code
from ludograph.games.hex.solving.looks import OPEN, assess, look, winner_by
from ludograph.games.hex.solving.memory import MUST, USED, cells_at, key_of, store_cells
from ludograph.games.hex.solving.room import FILL, FOLD, NARROW, PRUNE, HexRoom
from ludograph.rules import compiled, implements, register
from ludograph.rules.kernels.bits import NONE, ONE, bit, lowest
from ludograph.search.proof import game
from ludograph.search.proof.stack import ProofStack, list_move, return_loss, return_win
from ludograph.search.proof.table import find, numbers_at


@implements(game.expand, Grid)
def hex_expand(setup: Grid, room: HexRoom, stack: ProofStack, level: int) -> bool:
    """Settle a position if a look at it and its moves will do, else list the moves."""
    color = stack.frames[level].seat
    last = -1 if level == 0 else stack.frames[level - 1].move
    stack.frames[level].move = -1
    winner = settle(setup, room, color, level, last)
    if winner != OPEN:
        if winner == color:
            return_win(stack)
        else:
            return_loss(stack)
        return True
    if room.flags[0] & PRUNE:
        prune(setup, room, level, 1 - color)
    left = room.must[level]
    while left != NONE:
        move = lowest(left)
        left &= left - ONE
        black = room.stones[level, BLACK] | (bit(move) if color == BLACK else NONE)
        white = room.stones[level, WHITE] | (bit(move) if color == WHITE else NONE)
        phi, delta, carrier = look(setup, room, black, white, move, 1 - color)
        if delta == 0:
            room.carrier[0] = carrier | bit(move)
            stack.frames[level].move = move
            return_win(stack)
            return True
        if phi == 0:
            rule_out(room, level, move, carrier)
            left &= room.must[level]
        else:
            list_move(stack, level, move, phi, delta)
    keep_must_play(room, stack, level)
    return False


@compiled
def settle(grid: Grid, room: HexRoom, color: int, level: int, last: int) -> int:
    """Fill a position in; return who wins if that, the table or a look tells, or ``OPEN``.

    Parameters
    ----------
    last
        The move that led here, or -1.
    """
    flags = room.flags[0]
    count = grid.ring.shape[0]
    black, white = room.stones[level, BLACK], room.stones[level, WHITE]
    black_captured = white_captured = NONE
    if flags & FILL:
        changed = ~NONE if last < 0 else grid.near[last]
        black, white, black_captured, white_captured = fill_in(grid, black, white, changed)
        room.stones[level, BLACK] = black
        room.stones[level, WHITE] = white
    room.captured[level, BLACK] = black_captured
    room.captured[level, WHITE] = white_captured
    key, turned = key_of(black, white, color, count, flags & FOLD != 0)
    room.keys[level] = key
    room.turned[level] = turned
    place = find(room.memory, key)
    if place < 0:
        own, theirs = (black, white) if color == BLACK else (white, black)
        winner, carrier, must = assess(grid, room, own, theirs, color, True)
    else:
        phi, delta = numbers_at(room.memory, place)
        winner = winner_by(phi, delta, color)
        carrier = cells_at(room.memory, place, USED, turned, count)
        must = cells_at(room.memory, place, MUST, turned, count)
    if winner != OPEN:
        room.carrier[0] = carrier
    room.must[level] = must
    room.used[level] = carrier
    return winner


@compiled
def prune(grid: Grid, room: HexRoom, level: int, other: int) -> None:
    """Take out the moves that the other color can answer so that they are dead.

    If such a move won, so would another: after the answer its own color is to move again, and the
    other has a stone more. The answers are carriers of what is left out.
    """
    black, white = room.stones[level, BLACK], room.stones[level, WHITE]
    left = room.must[level]
    while left != NONE:
        move = lowest(left)
        left &= left - ONE
        place = grid.killers[other, ring_code(grid, move, black, white)]
        if place >= 0:
            room.must[level] &= ~bit(move)
            room.used[level] |= bit(grid.ring[move, place])


@compiled
def rule_out(room: HexRoom, level: int, move: int, carrier: np.uint64) -> None:
    """Note that a move loses against a carrier."""
    room.must[level] &= ~bit(move)
    if room.flags[0] & NARROW:
        room.must[level] &= carrier
    room.used[level] |= carrier


@compiled
def keep_must_play(room: HexRoom, stack: ProofStack, level: int) -> None:
    """Keep those of the moves listed that are still to be tried; without any the node is lost."""
    moves, phis, deltas = stack.moves[level], stack.phis[level], stack.deltas[level]
    kept = 0
    for place in range(stack.frames[level].count):
        move, phi, delta = moves[place], phis[place], deltas[place]
        if room.must[level] & bit(move) != NONE:
            moves[kept], phis[kept], deltas[kept] = move, phi, delta
            kept += 1
    stack.frames[level].count = kept
    if kept == 0:
        room.carrier[0] = room.used[level]


@implements(game.descend, Grid)
def hex_descend(setup: Grid, room: HexRoom, stack: ProofStack, level: int) -> None:  # noqa: ARG001
    """Put the stone down."""
    color = stack.frames[level].seat
    below = level + 1
    room.stones[below, BLACK] = room.stones[level, BLACK]
    room.stones[below, WHITE] = room.stones[level, WHITE]
    room.stones[below, color] |= bit(stack.frames[level].move)
    stack.frames[below].seat = 1 - color


@implements(game.remember, Grid)
def hex_remember(setup: Grid, room: HexRoom, stack: ProofStack, level: int) -> None:
    """Store a position; a carrier on its way up gets what was captured."""
    progress, frame = stack.progress[0], stack.frames[level]
    winner = winner_by(progress.phi, progress.delta, frame.seat)
    must, used = room.must[level], room.used[level]
    if winner != OPEN:
        must, used = NONE, room.carrier[0]
        room.carrier[0] |= room.captured[level, winner]
    store_cells(
        room.memory,
        room.keys[level],
        room.turned[level] != 0,
        setup.ring.shape[0],
        progress.phi,
        progress.delta,
        must,
        used,
        1 + progress.nodes - frame.entered,
    )


@implements(game.confirm, Grid)
def hex_confirm(setup: Grid, room: HexRoom, stack: ProofStack, level: int) -> None:  # noqa: ARG001
    """Count the winning move among the cells of the win."""
    room.carrier[0] |= bit(stack.frames[level].move)


@implements(game.refute, Grid)
def hex_refute(setup: Grid, room: HexRoom, stack: ProofStack, level: int) -> None:  # noqa: ARG001
    """Leave out the move, and all that lose on the same cells."""
    rule_out(room, level, stack.frames[level].move, room.carrier[0])
    keep_must_play(room, stack, level)


register(Grid, hex_expand, hex_descend, hex_remember, hex_confirm, hex_refute)
