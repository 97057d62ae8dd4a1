"""What a position tells without a search: it is known, or its sure connections decide it."""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.bits import NONE, ONE, lowest, population
from ludograph.games.hex.solving.connections import (
    CONNECTED,
    NOTHING,
    Numbers,
    Sets,
    connect,
    name_of,
)
from ludograph.games.hex.solving.grid import Grid
from ludograph.games.hex.solving.inferior import fill
from ludograph.games.hex.solving.memory import (
    OPEN,
    PROOF,
    cells_at,
    find,
    key_of,
    numbers_at,
    remember,
    remember_open,
    winner_at,
)
from ludograph.games.hex.solving.stack import CONNECT, FILL, FLAGS, FOLD, Stack
from ludograph.rules import compiled


@compiled
def assess(
    near: Sets,
    borders: Sets,
    own: np.uint64,
    theirs: np.uint64,
    color: int,
    threatening: bool,
    count: int,
    flags: int,
    sets: Sets,
    numbers: Numbers,
) -> tuple[int, np.uint64, np.uint64]:
    """Tell what the sure connections say of a position.

    Parameters
    ----------
    threatening
        Whether the color to move may be able to connect at once. Where it has got no stone since
        the other color moved, that move has left it no threat.

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
    if threatening:
        found, carrier, _ = connect(near, own, free, borders[color], True, sets, numbers)
        if found != NOTHING:
            return color, carrier, NONE
    found, carrier, must = connect(near, theirs, free, borders[1 - color], False, sets, numbers)
    if found == CONNECTED or must == NONE:
        return 1 - color, carrier, NONE
    return OPEN, carrier, must


@compiled
def look(
    grid: Grid, stack: Stack, black: np.uint64, white: np.uint64, move: int, color: int
) -> tuple[int, np.uint64, int, int]:
    """Look at a position after a move, by its stones, and remember it.

    Returns
    -------
    winner
        A color or ``OPEN``.
    carrier
        Of the winner.
    phi, delta
        If open, its proof numbers.
    """
    flags = stack.progress[FLAGS]
    memory = stack.memory
    count = grid.ring.shape[0]
    black_captured = NONE
    white_captured = NONE
    if flags & FILL:
        black, white, black_captured, white_captured = fill(
            grid.ring, grid.near, grid.dead, black, white, grid.near[move]
        )
    key, turned = key_of(black, white, color, count, flags & FOLD != 0)
    place = find(memory, key)
    carrier = NONE
    if place >= 0:
        winner = winner_at(memory, place)
        if winner == OPEN:
            phi, delta = numbers_at(memory, place)
            return OPEN, NONE, phi, delta
        carrier = cells_at(memory, place, PROOF, turned, count)
    else:
        own, theirs = (black, white) if color == BLACK else (white, black)
        gained = black_captured if color == BLACK else white_captured
        winner, carrier, must = assess(
            grid.near,
            grid.borders,
            own,
            theirs,
            color,
            gained != NONE,
            count,
            flags,
            stack.sets,
            stack.numbers,
        )
        if winner == OPEN:
            phi, delta = 1, population(must)
            remember_open(memory, key, turned, count, phi, delta, must, carrier)
            return OPEN, NONE, phi, delta
        remember(memory, key, turned, count, winner, carrier, 0)
    if winner == BLACK:
        carrier |= black_captured
    elif winner == WHITE:
        carrier |= white_captured
    return winner, carrier, 0, 0
