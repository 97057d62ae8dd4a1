"""Isolated regions: free tiles that the penguins of only one player can reach.

A region is the set of free tiles that connected penguins of one seat can reach together. Moves of
other players change nothing in an isolated region, and moves there change nothing for them.
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
    """The regions found so far."""

    marks: IntArray
    """``int32[n + 1]``: 1 for the regions' free tiles and for the tiles of their penguins."""
    free: IntArray
    """``int32[n]``: the free tiles, region by region."""
    penguins: IntArray
    """``int32[p]``: the penguins, region by region."""
    free_ends: IntArray
    """``int32[p + 1]``: region ``r`` has ``free[free_ends[r] : free_ends[r + 1]]``."""
    penguin_ends: IntArray
    """``int32[p + 1]``"""
    isolated: IntArray
    """``int32[p]``: 1 if no other player can reach the region."""


@compiled(allocates=True)  # each caller needs its own arrays, as threads share a Setup
def make_regions(setup: PenguinsSetup) -> Regions:
    """Return arrays for the regions of a position, without any region."""
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
    """Add the regions of a seat to the first ``count`` regions; return the new count; O(slots).

    Penguins that cannot move belong to no region. Penguins of eliminated seats are ignored, as they
    never move. If ``strict``, -1 is returned at the first region that is not isolated.
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


class IsolatedRegion(NamedTuple):
    """An isolated region: no other player can reach it."""

    penguins: list[int]
    """The numbers of its penguins."""
    tiles: list[int]
    """The tiles of these penguins."""
    free: list[int]
    """The free tiles."""


def isolated_regions(
    setup: PenguinsSetup, state: State, seat: int
) -> tuple[list[IsolatedRegion], list[int]]:
    """Return the isolated regions of a seat, and its penguins in other regions; O(slots).

    Returns
    -------
    regions, contested
        The isolated regions, and the numbers of the other penguins that can move.
    """
    found = make_regions(setup)
    first = int(tiles_at(setup))
    regions: list[IsolatedRegion] = []
    contested: list[int] = []
    for region in range(find_regions(setup, state, seat, found, 0, False)):
        free = found.free[found.free_ends[region] : found.free_ends[region + 1]]
        penguins = found.penguins[found.penguin_ends[region] : found.penguin_ends[region + 1]]
        if found.isolated[region]:
            regions.append(
                IsolatedRegion(penguins.tolist(), state[first + penguins].tolist(), free.tolist())
            )
        else:
            contested += penguins.tolist()
    return regions, contested
