"""The sets of cells in the table in addition to proof numbers: carriers, must-play regions."""

from __future__ import annotations

import numpy as np

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE
from ludograph.rules.kernels.sets import Set, get_at, is_before, mirrored, put_at
from ludograph.rules.random import GAMMA, scramble
from ludograph.search.proof.table import WORDS, Table, make_table, store

MOVES_LEFT, CARRIERS = range(2)
"""The sets of an entry. For an open position: the moves still to try, and the union of the carriers
that refute the other moves. For a decided position, the second set is the winner's carrier."""


def make_cell_table(bits: int, words: int) -> Table:
    """Return an empty table of ``2 ** bits`` entries, with two sets of ``words`` words each."""
    return make_table(bits, words=2 * words)


@compiled
def turn(cells: Set, count: int) -> Set:
    """Return a set of cells turned by 180° on the board."""
    return mirrored(cells, count)


@compiled(inlined=True)
def mix(word: np.uint64, cells: Set) -> np.uint64:
    """Return a hash of a word and a set."""
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
    """Return the key of a position, and whether it is the key of the position turned by 180°.

    A turn exchanges the two borders of each color, so both positions have the same result.

    Parameters
    ----------
    count
        The number of cells of the board.
    symmetric
        Whether a position and the turned one have the same key.
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
    """Return a set of cells of an entry, turned back if the entry is that of a turned position.

    Parameters
    ----------
    which
        ``MOVES_LEFT`` or ``CARRIERS``.
    count
        The number of cells of the board.
    """
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
    """Store a position's proof numbers and sets of cells.

    Parameters
    ----------
    turned
        Whether the key is that of the turned position.
    count
        The number of cells of the board.
    must_play, carriers
        The sets ``MOVES_LEFT`` and ``CARRIERS``.
    work
        The number of nodes of the proof.
    """
    row = table[store(table, key, phi, delta, work)]
    moves_at = WORDS + MOVES_LEFT * len(must_play)
    carriers_at = WORDS + CARRIERS * len(must_play)
    put_at(row, moves_at, turn(must_play, count) if turned else must_play)
    put_at(row, carriers_at, turn(carriers, count) if turned else carriers)
