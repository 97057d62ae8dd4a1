"""Who wins a position of Hex, and by which moves."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games.hex.rules import CELLS, STONE, SWAPPED, WINNER
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, NEVER, WHITE, HexSetup
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.rules import OVER, PLY, TURN, State
from ludograph.search.proof import LOSS, WIN, Solution

if TYPE_CHECKING:
    from ludograph.games import Position


class OutOfTime(Exception):
    """The solver's time was over first."""


def solve_position(
    position: Position, *, time: float | None = None, solver: HexSolver | None = None
) -> Solution:
    """Tell who wins a position of the usual board if both play their best.

    Parameters
    ----------
    time
        Seconds at most; None: no limit.
    solver
        One of this size that was used before and remembers; its own limit holds then.

    Returns
    -------
    Solution
        For the seat to move, with moves to the end of the game; the winner's are all winning
        ones. ``value`` is None if the time was over first.

    Raises
    ------
    InvalidInput
        If the game is over, or the board is not the usual one or too large.
    """
    setup: HexSetup = position.setup
    if setup.joined != EXACTLY_ONE or not setup.columns:
        raise InvalidInput("hex: only the usual board of hexagonal cells can be solved")
    if position.is_over:
        raise InvalidInput("hex: the game is over, there is nothing to solve")
    started = clock.perf_counter()
    if solver is None:
        solver = HexSolver(setup.columns - 2, time=time)
    before = solver.nodes
    line: list[int] = []
    value = None
    state = position.state.copy()
    try:
        value = WIN if wins(solver, setup, state) else LOSS
        winning = value == WIN
        while state[TURN] != OVER:
            line.append(best_move(solver, setup, state, winning))
            rules.play(setup, state, line[-1])
            winning = not winning
    except OutOfTime:
        pass
    seconds = clock.perf_counter() - started
    return Solution(value, tuple(line), solver.nodes - before, seconds)


def wins(solver: HexSolver, setup: HexSetup, state: State) -> bool:
    """Tell whether the seat to move wins a state that is not over.

    Who may swap always wins: one of the two colors does.

    Raises
    ------
    OutOfTime
        If the solver's time was over first.
    """
    if setup.swap_ply != NEVER and state[PLY] <= setup.swap_ply:
        if state[PLY] == setup.swap_ply:
            return True
        return setup.free.size == 1  # the opening stone joins the borders, nobody can swap
    color = int(state[TURN] ^ state[SWAPPED])
    verdict = solver.solve(*stones_of(setup, state), color)
    if verdict is None:
        raise OutOfTime
    return verdict.winner == color


def best_move(solver: HexSolver, setup: HexSetup, state: State, winning: bool) -> int:
    """Return a winning move, or one that the winner must have an answer to."""
    codes = np.empty(rules.move_capacity(setup), np.int32)
    moves: list[int] = codes[: rules.legal_moves(setup, state, codes)].tolist()
    color = int(state[TURN] ^ state[SWAPPED])
    verdict = solver.solve(*stones_of(setup, state), color)
    if verdict is None:
        raise OutOfTime
    first = 1 << solver.first_move if winning and solver.first_move >= 0 else 0
    # The move that proved the win first, then those of the proof: winning moves are among them.
    moves.sort(key=lambda move: _rank(setup, move, first, verdict.carrier))
    if not winning:
        return moves[0]
    return next(move for move in moves if _keeps(solver, setup, state, move))


def _rank(setup: HexSetup, move: int, first: int, carrier: int) -> int:
    cell = cell_of(setup, move)
    if cell < 0 or first >> cell & 1:
        return 0
    return 1 if carrier >> cell & 1 else 2


def _keeps(solver: HexSolver, setup: HexSetup, state: State, move: int) -> bool:
    """Tell whether a move wins for the seat that makes it."""
    after = state.copy()
    rules.play(setup, after, move)
    if after[TURN] == OVER:
        return bool(after[WINNER] ^ after[SWAPPED] == state[TURN])
    return not wins(solver, setup, after)


def cell_of(setup: HexSetup, move: int) -> int:
    """Return the solver's number of a vertex, -1 for the swap."""
    if move == setup.owners.size:
        return -1
    row, column = divmod(move, setup.columns)
    return (row - 1) * (setup.columns - 2) + column - 1


def stones_of(setup: HexSetup, state: State) -> tuple[int, int]:
    """Return the stones of black and of white as sets of the solver's cells."""
    sets = [0, 0]
    for vertex in setup.free.tolist():
        for color in (BLACK, WHITE):
            if state[CELLS + vertex] == STONE - color:
                sets[color] |= 1 << cell_of(setup, vertex)
    return sets[BLACK], sets[WHITE]
