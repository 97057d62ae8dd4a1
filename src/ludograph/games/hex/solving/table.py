"""What the table knows of positions beside their proof numbers: carriers, and the must-play."""

from __future__ import annotations

import numpy as np

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import reverse
from ludograph.rules.random import GAMMA, scramble
from ludograph.search.proof.table import WORDS, Table, make_table, store

MOVES_LEFT, CARRIERS = WORDS, WORDS + 1
"""Columns of an open position: the moves still to try, and the union of the carriers that refute
the others. Of a decided one, the second has the winner's carrier."""


def make_cell_table(bits: int) -> Table:
    """Return an empty table of ``2 ** bits`` entries of 32 bytes."""
    return make_table(bits, words=2)


@compiled
def turn(cells: np.uint64, count: int) -> np.uint64:
    """Return a set of cells turned by 180° on a board of so many."""
    return reverse(cells) >> np.uint64(64 - count)


@compiled
def key_of(
    black: np.uint64, white: np.uint64, color: int, count: int, symmetric: bool
) -> tuple[np.uint64, bool]:
    """Return the key of a position, and whether it stands there turned by 180°.

    Turning the board exchanges each color's two borders, so nothing changes but the places.
    """
    turned = False
    if symmetric:
        black_turned = turn(black, count)
        white_turned = turn(white, count)
        if black_turned < black or (black_turned == black and white_turned < white):
            black, white = black_turned, white_turned
            turned = True
    word = scramble(black + GAMMA)
    word = scramble((word ^ white) + GAMMA)
    return scramble((word ^ np.uint64(color)) + GAMMA), turned


@compiled
def cells_at(table: Table, place: int, column: int, turned: bool, count: int) -> np.uint64:
    """Return a set of cells of an entry, as the position stands on the board."""
    cells = table[place, column]
    return turn(cells, count) if turned else cells


@compiled
def store_cells(
    table: Table,
    key: np.uint64,
    turned: bool,
    count: int,
    phi: int,
    delta: int,
    must_play: np.uint64,
    carriers: np.uint64,
    work: int,
) -> None:
    """Store what is known of a position.

    Parameters
    ----------
    must_play, carriers
        As in ``MOVES_LEFT`` and ``CARRIERS``.
    work
        How many nodes a proof took.
    """
    place = store(table, key, phi, delta, work)
    table[place, MOVES_LEFT] = turn(must_play, count) if turned else must_play
    table[place, CARRIERS] = turn(carriers, count) if turned else carriers
