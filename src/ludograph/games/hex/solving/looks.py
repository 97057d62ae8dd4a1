"""What a position tells without a search: it is known, or its sure connections decide it."""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.connections import CONNECTED, NOTHING, connect, name_of
from ludograph.games.hex.solving.grid import Grid
from ludograph.games.hex.solving.inferior import fill_in
from ludograph.games.hex.solving.memory import USED, cells_at, key_of, store_cells
from ludograph.games.hex.solving.room import CONNECT, FILL, FOLD, HexRoom
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE, ONE, lowest, population
from ludograph.search.proof.stack import ENDLESS
from ludograph.search.proof.table import find, numbers_at

OPEN = -1
"""Instead of a color: nothing is proven."""


@compiled
def assess(
    grid: Grid, room: HexRoom, own: np.uint64, theirs: np.uint64, color: int, threatening: bool
) -> tuple[int, np.uint64, np.uint64]:
    """Tell what the sure connections say of a position.

    Parameters
    ----------
    own, theirs
        The stones of the color to move, of the other.
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
    near, borders = grid.near, grid.borders
    free = ((ONE << np.uint64(grid.ring.shape[0])) - ONE) & ~(own | theirs)
    if room.flags[0] & CONNECT == 0:
        for one in range(2):
            stones = own if one == color else theirs
            border = lowest(borders[one])
            if name_of(near, stones, border) == name_of(near, stones, border + 1):
                return one, NONE, NONE
        return OPEN, NONE, free
    sets, numbers = room.sets, room.numbers
    if threatening:
        found, carrier, _ = connect(near, own, free, borders[color], True, sets, numbers)
        if found != NOTHING:
            return color, carrier, NONE
    found, carrier, must = connect(near, theirs, free, borders[1 - color], False, sets, numbers)
    if found == CONNECTED or must == NONE:
        return 1 - color, carrier, NONE
    return OPEN, carrier, must


@compiled
def winner_by(phi: int, delta: int, color: int) -> int:
    """Return who wins by the numbers of a position where a color is to move, or ``OPEN``."""
    winner = OPEN
    if phi == 0:
        winner = color
    elif delta == 0:
        winner = 1 - color
    return winner


@compiled
def look(
    grid: Grid, room: HexRoom, black: np.uint64, white: np.uint64, move: int, color: int
) -> tuple[int, int, np.uint64]:
    """Look at a position after a move, by its stones, and remember it.

    Returns
    -------
    phi, delta
        Its proof numbers. One that was only looked at is as far from its loss as it has moves.
    carrier
        Of the winner, if it is decided.
    """
    flags = room.flags[0]
    count = grid.ring.shape[0]
    black_captured = NONE
    white_captured = NONE
    if flags & FILL:
        black, white, black_captured, white_captured = fill_in(grid, black, white, grid.near[move])
    key, turned = key_of(black, white, color, count, flags & FOLD != 0)
    place = find(room.memory, key)
    if place >= 0:
        phi, delta = numbers_at(room.memory, place)
        winner = winner_by(phi, delta, color)
        carrier = cells_at(room.memory, place, USED, turned, count)
    else:
        own, theirs = (black, white) if color == BLACK else (white, black)
        gained = black_captured if color == BLACK else white_captured
        winner, carrier, must = assess(grid, room, own, theirs, color, gained != NONE)
        phi, delta = 1, population(must)
        if winner == color:
            phi, delta = 0, ENDLESS
        elif winner != OPEN:
            phi, delta = ENDLESS, 0
        store_cells(room.memory, key, turned, count, phi, delta, must, carrier, 0)
    if winner == BLACK:
        carrier |= black_captured
    elif winner == WHITE:
        carrier |= white_captured
    return phi, delta, carrier
