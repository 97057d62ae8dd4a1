"""Isolated regions: free tiles that the penguins of only one player can reach.

A region is what penguins of one seat can get to over free tiles, together. Nothing that others do
changes what is eaten in an isolated one, and nothing done there changes anything for them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.penguins.rules import (
    FREE,
    GONE,
    NOWHERE,
    SEAT_SLOTS,
    SEATS,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.rules import State, compiled


class Regions(NamedTuple):
    """Regions found so far."""

    marks: IntArray
    """``int32[n + 1]``: 1 on their free tiles and those of their penguins."""
    free: IntArray
    """``int32[n]``: their free tiles, region by region."""
    penguins: IntArray
    """``int32[p]``: their penguins, region by region."""
    free_ends: IntArray
    """``int32[p + 1]``: region ``r`` has ``free[free_ends[r] : free_ends[r + 1]]``."""
    penguin_ends: IntArray
    """``int32[p + 1]``"""
    isolated: IntArray
    """``int32[p]``: 1 where no other player gets."""


@compiled(allocates=True)  # the room is the caller's own: threads share a Setup
def make_regions(setup: PenguinsSetup) -> Regions:
    """Return room for the regions of a position, without any."""
    n, p = setup.fish.size, setup.owners.size
    room = np.zeros(2 * n + 4 * p + 3, np.int32)
    cut = 2 * n + 1
    return Regions(
        room[: n + 1],
        room[n + 1 : cut],
        room[cut : cut + p],
        room[cut + p : cut + 2 * p + 1],
        room[cut + 2 * p + 1 : cut + 3 * p + 2],
        room[cut + 3 * p + 2 :],
    )


@compiled
def find_regions(
    setup: PenguinsSetup, state: State, seat: int, regions: Regions, count: int, strict: bool
) -> int:
    """Add the regions of a seat to the ``count`` there are, and return the new count; O(slots).

    Penguins that cannot move are left out. Those of seats that were eliminated are nobody's: they
    never move. If ``strict``, -1 is returned as soon as a region is found not to be isolated.
    """
    tiles, cells = tiles_at(setup), cells_at(setup)
    marks = regions.marks
    for first in range(seat * setup.penguins, (seat + 1) * setup.penguins):
        tile = state[tiles + first]
        if tile == NOWHERE or marks[tile]:
            continue
        last, known = regions.free_ends[count], regions.penguin_ends[count]
        next_free, next_penguin = last, known
        marks[tile] = 1
        regions.penguins[known] = first
        known += 1
        isolated = 1
        while next_free < last or next_penguin < known:
            stands = next_penguin < known
            if stands:
                tile = state[tiles + regions.penguins[next_penguin]]
                next_penguin += 1
            else:
                tile = regions.free[next_free]
                next_free += 1
            for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
                near = setup.beyond[slot]
                cell = state[cells + near]
                if cell == FREE:
                    if not marks[near]:
                        marks[near] = 1
                        regions.free[last] = near
                        last += 1
                elif cell > 0 and not stands:
                    other = setup.owners[cell - 1]
                    if other != seat:
                        if not state[SEATS + SEAT_SLOTS * other + GONE]:
                            isolated = 0
                            if strict:
                                return -1
                    elif not marks[near]:
                        marks[near] = 1
                        regions.penguins[known] = cell - 1
                        known += 1
        if last > regions.free_ends[count]:
            regions.isolated[count] = isolated
            count += 1
            regions.free_ends[count], regions.penguin_ends[count] = last, known
    return count


class Region(NamedTuple):
    """An isolated region: nobody else gets there."""

    penguins: list[int]
    """Their numbers."""
    tiles: list[int]
    """Where they stand."""
    free: list[int]
    """The free tiles."""


def isolated_regions(
    setup: PenguinsSetup, state: State, seat: int
) -> tuple[list[Region], list[int]]:
    """Return a seat's isolated regions, and its penguins in the others; O(slots).

    Returns
    -------
    regions, contested
        Penguins that cannot move are in neither.
    """
    found = make_regions(setup)
    first = int(tiles_at(setup))
    regions: list[Region] = []
    contested: list[int] = []
    for region in range(find_regions(setup, state, seat, found, 0, False)):
        free = found.free[found.free_ends[region] : found.free_ends[region + 1]]
        penguins = found.penguins[found.penguin_ends[region] : found.penguin_ends[region + 1]]
        if found.isolated[region]:
            regions.append(
                Region(penguins.tolist(), state[first + penguins].tolist(), free.tolist())
            )
        else:
            contested += penguins.tolist()
    return regions, contested
