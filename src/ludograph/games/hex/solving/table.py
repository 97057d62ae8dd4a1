"""Data of the table besides proof numbers: carriers, and the must-play region."""

from __future__ import annotations

import numpy as np

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.sets import Set, get_at, is_before, mirrored, put_at
from ludograph.rules.random import GAMMA, scramble
from ludograph.search.proof.table import WORDS, Table, make_table, store

MOVES_LEFT, CARRIERS = range(2)
"""The sets of an open position: the moves still to try, and the union of the carriers that refute
the others. Of a decided one, the second has the winner's carrier."""


def make_cell_table(bits: int, words: int) -> Table:
    """Return an empty table of ``2 ** bits`` entries, with two sets of ``words`` words each."""
    return make_table(bits, words=2 * words)


@compiled
def turn(cells: Set, count: int) -> Set:
    """Return a set of cells turned by 180° on the board."""
    return mirrored(cells, count)


@compiled(inlined=True)
def mix(word: np.uint64, cells: Set) -> np.uint64:
    """Return a word that depends on another one and on a set."""
    word = scramble((word ^ cells[0]) + GAMMA)
    if len(cells) > 1:
        word = scramble((word ^ cells[1]) + GAMMA)
    if len(cells) > 2:
        word = scramble((word ^ cells[2]) + GAMMA)
        word = scramble((word ^ cells[3]) + GAMMA)
    return word


@compiled
def key_of(
    black: Set, white: Set, color: int, count: int, symmetric: bool
) -> tuple[np.uint64, bool]:
    """Return the key of a position, and whether it stands there turned by 180°.

    Turning the board exchanges each color's two borders, so nothing changes but the places.
    """
    turned = False
    if symmetric:
        black_turned = turn(black, count)
        white_turned = turn(white, count)
        if is_before(black_turned, black) or (
            black_turned == black and is_before(white_turned, white)
        ):
            black, white = black_turned, white_turned
            turned = True
    word = mix(mix(NONE, black), white)
    return scramble((word ^ np.uint64(color)) + GAMMA), turned


@compiled
def cells_at(table: Table, place: int, which: int, turned: bool, count: int, like: Set) -> Set:
    """Return a set of cells of an entry, as the position stands on the board."""
    cells = get_at(table[place], WORDS + which * len(like), like)
    return turn(cells, count) if turned else cells


@compiled
def store_cells(
    table: Table,
    key: np.uint64,
    turned: bool,
    count: int,
    phi: int,
    delta: int,
    must_play: Set,
    carriers: Set,
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
    row = table[store(table, key, phi, delta, work)]
    moves_at = WORDS + MOVES_LEFT * len(must_play)
    carriers_at = WORDS + CARRIERS * len(must_play)
    put_at(row, moves_at, turn(must_play, count) if turned else must_play)
    put_at(row, carriers_at, turn(carriers, count) if turned else carriers)
