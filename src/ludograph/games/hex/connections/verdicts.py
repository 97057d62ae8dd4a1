"""Who wins a position by connections, and the moves that are left where they do not tell.

A color to move wins with a semi connection of its borders, the other one with a virtual one. A semi
connection of the other one must be broken: a stone on none of its cells loses, so the color to move
has to play where the carriers of all known ones meet, the *must-play* (Hayward, Björnsson,
Johanson, Kan, Po, van Rijswijck: "Solving 7 x 7 Hex with domination, virtual connections, and
game-state reduction", TCS 349, 2005). Dead and captured cells are filled in before, vulnerable ones
left out after (:mod:`ludograph.games.hex.pruning`).
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.connections.queue import LOW, NOTHING, SIX
from ludograph.games.hex.connections.room import Connections, Words
from ludograph.games.hex.connections.search import (
    NO_CONNECTION,
    SEMI_CONNECTION,
    VIRTUAL_CONNECTION,
    connect,
)
from ludograph.games.hex.evaluation.distances import distance
from ludograph.games.hex.pruning import empty, fill, is_vulnerable
from ludograph.games.hex.rules import CELLS, STONE, SWAPPED
from ludograph.games.hex.setup import ANY, NOBODY, HexSetup
from ludograph.rules import (
    PLY,
    TURN,
    Moves,
    Scores,
    State,
    compiled,
    implements,
)
from ludograph.rules.kernels.bits import NONE, ONE
from ludograph.search.mcts.hints import settle

FAR = 1 << 20

REACH_FIRST, REACH_SECOND = 7, 8
"""Stones that a color may need, at most, for its connections to be looked for: the one to move, the
other. Of 68 wins and 200 replies that must be made, found in 700 positions of games on 11 x 11, 4
and 1 are missed so, for a half and a quarter of the work."""


@implements(settle, HexSetup)
def hex_settle(
    setup: HexSetup, workspace: Connections, state: State, scores: Scores, moves: Moves
) -> tuple[bool, int]:
    if setup.joined == ANY or state[PLY] <= setup.swap_ply:  # whoever may swap decides later
        return False, 0
    color = state[TURN] ^ state[SWAPPED]
    fill(setup, state)
    for cell in range(setup.free.size):
        stone = state[CELLS + setup.free[cell]]
        workspace.colors[cell] = STONE - stone if stone < 0 else NOBODY
    settled = True
    scores[state[TURN]] = 1.0
    scores[1 - state[TURN]] = 0.0
    near = distance(setup, state, color) <= REACH_FIRST
    if near and connect(setup, workspace, color, True) != NO_CONNECTION:
        empty(setup, state)
        moves[0] = winning_move(setup, workspace, state, color)
        return True, 1
    found = NO_CONNECTION
    if distance(setup, state, 1 - color) <= REACH_SECOND:
        found = connect(setup, workspace, 1 - color, False)
    if found == VIRTUAL_CONNECTION:
        scores[state[TURN]] = 0.0
        scores[1 - state[TURN]] = 1.0
        count = list_cells(setup, workspace, workspace.used, moves)
    else:
        settled = False
        if found != SEMI_CONNECTION:
            for word in range(len(workspace.words)):
                workspace.needed[word] = ~NONE
        count = list_cells(setup, workspace, workspace.needed, moves)
        count = leave_out_vulnerable(setup, state, color, count, moves)
    empty(setup, state)
    return settled, count


@compiled
def list_cells(setup: HexSetup, room: Connections, cells: Words, moves: Moves) -> int:
    """Write the free vertices of a set; return how many."""
    count = 0
    for cell in range(setup.free.size):
        if room.colors[cell] == NOBODY and is_in(cells, cell):
            moves[count] = setup.free[cell]
            count += 1
    return count


@compiled(inlined=True)
def is_in(cells: Words, cell: int) -> bool:
    """Tell whether a cell is in a set."""
    place = np.uint64(cell)
    return (cells[place >> SIX] >> (place & LOW)) & ONE != NONE


@compiled
def leave_out_vulnerable(
    setup: HexSetup, state: State, color: int, count: int, moves: Moves
) -> int:
    """Leave out the vulnerable of some moves, unless that is all; return how many are left."""
    if setup.facts.size == 0:
        return count
    left = 0
    for place in range(count):
        if not is_vulnerable(setup, state, moves[place], color):
            left += 1
    if left == 0:
        return count
    left = 0
    for place in range(count):
        move = moves[place]
        if not is_vulnerable(setup, state, move, color):
            moves[left] = move
            left += 1
    return left


@compiled
def winning_move(setup: HexSetup, room: Connections, state: State, color: int) -> int:
    """Return a move that keeps a win by connections: where it wins soonest.

    Parameters
    ----------
    state
        Without what was filled in, which ``room.colors`` still shows.
    """
    key = room.progress.key
    if key != NOTHING:
        return setup.free[key]
    cells = setup.free.size
    distances = room.distances
    for cell in range(cells):
        distances[cell] = FAR
    changed = True
    while changed:
        changed = False
        for cell in range(cells):
            cost = cost_of(setup, room, state, color, cell)
            if cost < FAR:
                least = distances[cell]
                vertex = setup.free[cell]
                if setup.touches[vertex] >> (2 * color) & 1:
                    least = min(least, cost)
                for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
                    near = room.cell_of[setup.neighbors[slot]]
                    least = min(least, distances[near] + cost)
                if least < distances[cell]:
                    distances[cell] = least
                    changed = True
    best = -1
    for cell in range(cells):
        if setup.touches[setup.free[cell]] >> (2 * color + 1) & 1 and (
            best < 0 or distances[cell] < distances[best]
        ):
            best = cell
    return walk_back(setup, room, state, best)


@compiled
def cost_of(setup: HexSetup, room: Connections, state: State, color: int, cell: int) -> int:
    """Return how many stones a way of a color needs on a cell, on those of its connection only."""
    stone = state[CELLS + setup.free[cell]]
    if stone < 0:
        return 0 if stone == STONE - color else FAR
    return 1 if room.colors[cell] == color or is_in(room.used, cell) else FAR


@compiled
def walk_back(setup: HexSetup, room: Connections, state: State, cell: int) -> int:
    """Return the first free vertex on a shortest way from a cell to the first border.

    Steps over stones cost nothing, so all around them that are as far are on such ways.
    """
    room.stack[0] = cell
    waiting = 1
    distance = room.distances[cell]
    for other in range(setup.free.size):
        room.groups[other] = 0
    while waiting > 0:
        waiting -= 1
        here = room.stack[waiting]
        vertex = setup.free[here]
        if state[CELLS + vertex] >= 0:
            return vertex
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = room.cell_of[setup.neighbors[slot]]
            if room.groups[near] == 0 and room.distances[near] == distance:
                room.groups[near] = 1
                room.stack[waiting] = near
                waiting += 1
    return -1
