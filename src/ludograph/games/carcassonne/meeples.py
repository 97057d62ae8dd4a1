"""Where a meeple may be put, and who gets the points of what closes."""

from __future__ import annotations

import numpy as np

from ludograph.games.carcassonne.forms import COMPONENT, COUNT, FORM, NODE, IntArray
from ludograph.games.carcassonne.setup import (
    FINITE_MEEPLE,
    INFINITE_MEEPLE,
    NO_MEEPLE,
    SEAT_SLOTS,
    TILE_SLOTS,
    Ground,
)
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    FORM_OF,
    HAND,
    PARENT,
    POINTS,
    ROOT,
    SEATS,
    SIZE,
    Index,
    beyond,
    look_up,
    root_of,
)
from ludograph.rules import State, compiled


@compiled
def may_claim(state: State, mode: int, seat: int) -> bool:
    """Tell whether a seat has a meeple to put."""
    if mode == FINITE_MEEPLE:
        return state[Index(SEATS + SEAT_SLOTS * seat + HAND)] > 0
    return mode == INFINITE_MEEPLE


@compiled
def is_claimed(
    state: State,
    forms: IntArray,
    ground: Ground,
    cell: int,
    form: int,
    component: int,
) -> bool:
    """Tell whether a component of a tile would hold a meeple if the tile were laid on a cell.

    Components of the tile that the same component outside would join are looked at with it.
    """
    shape = FORM * form
    group = 1 << component
    seen = 0
    while group != seen:
        fresh = group & ~seen
        seen = group
        for side in range(4):
            what = beyond(state, forms, ground, cell, side)
            if what <= 0:
                continue
            last = -1
            for place in range(3):
                own = int(np.int64(forms[Index(shape + COMPONENT + 3 * side + place)]))
                if (fresh >> own) & 1:
                    root = facing_root(state, forms, ground, what - 1, side, place)
                    if state[Index(root + CLAIMS)] > 0:
                        return True
                    if root != last:
                        last = root
                        group |= touching(state, forms, ground, cell, shape, root)
    return False


@compiled
def facing_root(
    state: State, forms: IntArray, ground: Ground, tile: int, side: int, place: int
) -> int:
    """Return the root of what a tile has at a vertex that faces one of this side."""
    record = ground.tiles + TILE_SLOTS * tile
    facing = FORM * int(np.int64(state[Index(record + FORM_OF)])) + 3 * ((side + 2) & 3) + 2 - place
    node = ground.width * int(np.int64(forms[Index(facing + COMPONENT)]))
    return look_up(state, int(np.int64(state[Index(record + FIRST_NODE)])) + node)


@compiled
def touching(
    state: State,
    forms: IntArray,
    ground: Ground,
    cell: int,
    shape: int,
    root: int,
) -> int:
    """Return which components of a tile on a cell would face a root: a bit each."""
    group = 0
    for side in range(4):
        what = beyond(state, forms, ground, cell, side)
        if what <= 0:
            continue
        for place in range(3):
            own = int(np.int64(forms[Index(shape + COMPONENT + 3 * side + place)]))
            root_there = facing_root(state, forms, ground, what - 1, side, place)
            if root_there == root:
                group |= 1 << own
    return group


@compiled
def claim(state: State, mode: int, seat: int, node: int) -> None:
    """Put a meeple of a seat into a node's component."""
    root = root_of(state, node)
    state[Index(root + CLAIMS)] += 1
    state[Index(root + CLAIMS_OF + seat)] += 1
    if mode == FINITE_MEEPLE:
        state[Index(SEATS + SEAT_SLOTS * seat + HAND)] -= 1


@compiled
def close(
    state: State,
    forms: IntArray,
    ground: Ground,
    mode: int,
    seats: int,
    seat: int,
    form: int,
    first: int,
) -> None:
    """Score the components of the tile just laid that have no ends left.

    Parameters
    ----------
    seat
        Who has laid it; below 0 nobody, who gets no points.
    """
    shape = FORM * form
    for component in range(int(np.int64(forms[Index(shape + COUNT)])) & 15):
        root = root_of(state, first + component * ground.width)
        if state[Index(root + PARENT)] != ROOT:
            continue
        state[Index(root + PARENT)] = CLOSED
        points = 0
        if state[Index(root + SIZE)] > 1:
            each = (int(np.int64(forms[Index(shape + NODE + component)])) >> 8) & 15
            points = each * int(np.int64(state[Index(root + SIZE)]))
        winner = seat
        if mode != NO_MEEPLE:
            winner = return_meeples(state, mode, seats, root)
        if winner >= 0:
            state[Index(SEATS + SEAT_SLOTS * winner + POINTS)] += points


@compiled
def return_meeples(state: State, mode: int, seats: int, root: int) -> int:
    """Give the meeples of a component back; return the seat that had most of them, or -1."""
    if state[Index(root + CLAIMS)] == 0:
        return -1
    winner = -1
    most = 0
    for seat in range(seats):
        count = int(np.int64(state[Index(root + CLAIMS_OF + seat)]))
        if count > most:
            winner = seat
            most = count
        elif count == most:
            winner = -1
        if mode == FINITE_MEEPLE:
            state[Index(SEATS + SEAT_SLOTS * seat + HAND)] += count
        state[Index(root + CLAIMS_OF + seat)] = 0
    state[Index(root + CLAIMS)] = 0
    return winner
