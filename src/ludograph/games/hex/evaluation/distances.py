"""Distances: the stones that a color still needs to join its borders, and the shortest paths.

The length of a path is the number of its free vertices: own stones cost nothing, and the opponent's
stones block it. A breadth-first search that takes steps without cost first (0-1 BFS) reaches each
vertex by a shortest path the first time. A search of limited depth evaluates a position by the
difference of both colors' distances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.hex.evaluation.two_distance import FAR, FIRST, measure
from ludograph.games.hex.rules import CELLS, ROOT, STONE, SWAPPED, WINNER, parents_at
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import OVER, PLY, TURN, Scores, State, compiled, contract, implements

BLOCKED = -1
"""The distance if no path is left."""

END = -2
LINK = -5
"""The search of :func:`distance` stores its queues as linked lists in the state, in slots that it
can restore: the parent of a free vertex, which is ``ROOT`` otherwise, and, as ``LINK`` - next, the
cell of a stone, which depends only on the color. ``END`` ends a list."""


@compiled
def stones_needed(setup: HexSetup, state: State, color: int) -> int:
    """Return the fewest stones that a color needs to join its borders without answers; O(links).

    If it cannot join them any more, return the number of all cells.
    """
    needed = distance(setup, state, color)
    return setup.free.size if needed == BLOCKED else needed


@compiled
def distance(setup: HexSetup, state: State, color: int) -> int:
    """Return the fewest stones that a color needs to join its borders, or ``BLOCKED``; O(links).

    The search uses slots of the state as memory, and restores them at the end.
    """
    parents = parents_at(setup)
    mine = STONE - color
    far = 2 << (2 * color)
    now = later = END
    end = setup.black_doors if color == BLACK else setup.doors.size
    for door in range(color * setup.black_doors, end):
        start = setup.doors[door]
        cell = state[CELLS + start]
        if cell == mine:
            state[CELLS + start] = LINK - now
            now = start
        elif cell >= 0:
            state[parents + start] = later
            later = start
    found = BLOCKED
    steps = 0
    while found == BLOCKED and (now != END or later != END):
        if now == END:
            now = later
            later = END
            steps += 1
        vertex = now
        cell = state[CELLS + vertex]
        now = state[parents + vertex] if cell >= 0 else LINK - cell
        if setup.touches[vertex] & far:
            found = steps
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = setup.neighbors[slot]
            cell = state[CELLS + near]
            if cell == mine:
                state[CELLS + near] = LINK - now
                now = near
            elif cell >= 0 and state[parents + near] == ROOT:
                state[parents + near] = later
                later = near
    for place in range(setup.free.size):
        vertex = setup.free[place]
        cell = state[CELLS + vertex]
        if cell >= 0:
            state[parents + vertex] = ROOT
        elif cell <= LINK - END:
            state[CELLS + vertex] = mine
    return found


class Paths(NamedTuple):
    """The shortest paths of a color."""

    length: int
    """The number of free vertices on each path, or ``BLOCKED``."""
    vertices: frozenset[int]
    """The free vertices on at least one of the paths."""


def shortest_paths(setup: HexSetup, state: State, color: int) -> Paths:
    """Return the shortest paths between a color's two border chains; O(links)."""
    if state[WINNER] == color:
        return Paths(0, frozenset())
    sums = np.full(setup.touches.size, FAR, np.int32)
    least = int(measure(setup, state, color, FIRST, sums))
    if least == FAR:
        return Paths(BLOCKED, frozenset())
    return Paths(least - 1, frozenset(np.flatnonzero(sums == least).tolist()))


TEMPO = 0.5
"""The advantage of the color to move, in stones."""


@implements(contract.evaluate, HexSetup)
def hex_evaluate(setup: HexSetup, state: State, out: Scores) -> None:
    """Write the values of both seats by black's lead in stones, one half for none, inside (0, 1).

    If the seat to move may swap, it has the greater value. After the end these are the scores.
    """
    if state[TURN] == OVER:
        contract.scores(setup, state, out)
        return
    value = black_value(setup, state)
    if state[PLY] == setup.swap_ply:
        value = min(value, 1.0 - value)  # seat 1 takes the color that is ahead
    seat = state[SWAPPED]
    out[seat] = value
    out[1 - seat] = 1.0 - value


@compiled
def black_value(setup: HexSetup, state: State) -> float:
    """Return black's value of an unfinished game, inside (0, 1), by the distances."""
    most = setup.free.size + 1
    black = distance(setup, state, BLACK)
    white = distance(setup, state, WHITE)
    if black == BLOCKED:
        black = most
    if white == BLOCKED:
        white = most
    lead = float(white - black)
    if black != white or black != most:
        lead += TEMPO if state[TURN] ^ state[SWAPPED] == BLACK else -TEMPO
    return 0.5 + 0.5 * lead / (most + 1)
