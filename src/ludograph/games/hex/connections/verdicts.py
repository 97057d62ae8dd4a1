"""Verdicts by connections: the winner of a position, or its must-play region.

They are the hint ``settle`` of Hex, by which a Monte Carlo search gets proofs and fewer moves.
The color to move wins with a semi connection of its borders, the other color with a virtual
connection. If the other color has a semi connection, a move outside of its carrier loses. So the
color to move must play on a common cell of the carriers of all known semi connections, the
*must-play region* (Hayward, Björnsson, Johanson, Kan, Po, van Rijswijck: "Solving 7 x 7 Hex with
domination, virtual connections, and game-state reduction", TCS 349, 2005). Before, dead and
captured cells are filled in; afterwards moves to vulnerable cells are left out (see
:mod:`ludograph.games.hex.pruning`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.games.hex.connections.search import (
    SEMI,
    VIRTUAL,
    Connections,
    connect,
    make_connections,
)
from ludograph.games.hex.pruning import fill, is_vulnerable, take_back
from ludograph.games.hex.rules import CELLS, STONE, SWAPPED
from ludograph.games.hex.setup import ANY, HexSetup
from ludograph.rules import PLY, TURN, Moves, Scores, State, compiled, implements
from ludograph.rules.kernels.growth import around, reachable
from ludograph.rules.kernels.sets import (
    CAPACITY,
    Set,
    Words,
    common,
    empty,
    first,
    from_int,
    get,
    is_empty,
    make_rows,
    meets,
    rest,
    union,
    with_one,
    without,
    without_one,
    words_for,
)
from ludograph.search.mcts.hints import settle


class SettleWorkspace(NamedTuple):
    """A board as sets of cells, and memory for the connections of a color.

    Cell ``k`` is the free vertex ``setup.free[k]``.
    """

    board: Set
    """All cells."""
    near: Words
    """``uint64[cells, words]``: the neighbors of each cell."""
    sides: Words
    """``uint64[2, 2, words]``: the cells at the two borders of black, then of white."""
    connections: Connections
    """The memory of the search for connections."""


def holds_on(setup: HexSetup) -> bool:
    """Tell whether connections decide games on a board, and its cells fit into a set.

    Connections decide games if the two colors cannot both join their borders: then a color with a
    connection wins, whatever the other color plays. For graphs other than our boards this is
    unknown, and the answer is False.
    """
    return setup.joined != ANY and setup.free.size <= CAPACITY


def make_workspace(setup: HexSetup) -> SettleWorkspace:
    """Return the workspace for the positions of a board."""
    cells = setup.free.size
    words = words_for(cells)  # as many as the solver's, so both share their kernels
    cell_of = np.full(setup.touches.size, -1, np.int32)
    cell_of[setup.free] = np.arange(cells, dtype=np.int32)
    owners, others = np.repeat(cell_of, np.diff(setup.offsets)), cell_of[setup.neighbors]
    inner = (owners >= 0) & (others >= 0)
    borders, beside = np.nonzero(setup.touches[setup.free] >> np.arange(4)[:, None] & 1)
    return SettleWorkspace(
        board=from_int((1 << cells) - 1, words),
        near=make_rows(owners[inner], others[inner], cells, words),
        sides=make_rows(borders, beside, 4, words).reshape(2, 2, words),
        connections=make_connections(words),
    )


@implements(settle, HexSetup)
def hex_settle(
    setup: HexSetup, workspace: SettleWorkspace, state: State, scores: Scores, moves: Moves
) -> tuple[bool, int]:
    if setup.joined == ANY or state[PLY] <= setup.swap_ply:  # a swap may still change the winner
        return False, 0
    color = state[TURN] ^ state[SWAPPED]
    stones = stones_of(setup, workspace, state, color)
    fill(setup, state)
    own = stones_of(setup, workspace, state, color)
    theirs = stones_of(setup, workspace, state, 1 - color)
    free = without(without(workspace.board, own), theirs)
    near, memory = workspace.near, workspace.connections
    found, carrier, _ = connect(near, own, free, workspace.sides[color], True, memory)
    move = -1
    if found == VIRTUAL:
        cell = shortest(workspace, color, stones, union(own, carrier))
        move = setup.free[cell] if cell >= 0 else -1
    elif found == SEMI:
        move = key_of(setup, workspace, color, own, free, carrier)
    if move >= 0:
        scores[state[TURN]] = 1.0
        scores[1 - state[TURN]] = 0.0
        moves[0] = move
        count, settled = 1, True
    else:
        scores[state[TURN]] = 0.0
        scores[1 - state[TURN]] = 1.0
        sides = workspace.sides[1 - color]
        found, carrier, must_play = connect(near, theirs, free, sides, False, memory)
        settled = found == VIRTUAL
        count = list_cells(setup, carrier if settled else must_play, moves)
        if not settled:
            count = leave_out_vulnerable(setup, state, color, count, moves)
    take_back(setup, state)
    return settled, count


@compiled
def stones_of(setup: HexSetup, workspace: SettleWorkspace, state: State, color: int) -> Set:
    """Return the cells with stones of a color, including cells that are filled in."""
    found = empty(workspace.board)
    for cell in range(setup.free.size):
        if state[CELLS + setup.free[cell]] == STONE - color:
            found = with_one(found, cell)
    return found


@compiled
def list_cells(setup: HexSetup, cells: Set, moves: Moves) -> int:
    """Write the vertices of some cells; return their number."""
    count = 0
    while not is_empty(cells):
        moves[count] = setup.free[first(cells)]
        cells = rest(cells)
        count += 1
    return count


@compiled
def key_of(
    setup: HexSetup, workspace: SettleWorkspace, color: int, own: Set, free: Set, carrier: Set
) -> int:
    """Return the key of a semi connection: a vertex where a stone makes it a virtual connection.

    It returns -1 if the search finds no virtual connection after any of the moves. This is
    possible, because each search stores only a few connections of two ends.
    """
    near, sides = workspace.near, workspace.sides[color]
    while not is_empty(carrier):
        cell = first(carrier)
        carrier = rest(carrier)
        joined, left = with_one(own, cell), without_one(free, cell)
        found, _, _ = connect(near, joined, left, sides, False, workspace.connections)
        if found == VIRTUAL:
            return setup.free[cell]
    return -1


@compiled
def leave_out_vulnerable(
    setup: HexSetup, state: State, color: int, count: int, moves: Moves
) -> int:
    """Remove moves to vulnerable vertices, unless no other move is left; return the number left."""
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
def shortest(workspace: SettleWorkspace, color: int, stones: Set, allowed: Set) -> int:
    """Return the last free cell of a shortest path inside a virtual connection; -1 without one.

    Parameters
    ----------
    stones
        The color's stones, without filled-in cells.
    allowed
        The cells of the path: the stones, the cells filled in for the color, and the carrier.
    """
    near, sides = workspace.near, workspace.sides[color]
    begin, end = get(sides[0], stones), get(sides[1], stones)
    left = without(allowed, stones)
    reached = union(begin, around(near, reachable(near, begin, stones)))
    goal = union(end, around(near, reachable(near, end, stones)))
    while True:
        step = common(reached, left)
        if is_empty(step):
            return -1
        if meets(step, goal):
            return first(common(step, goal))
        left = without(left, step)
        reached = around(near, step)
        reached = union(reached, around(near, reachable(near, reached, stones)))
