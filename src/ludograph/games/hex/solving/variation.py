"""The principal variation: the winner of a position of Hex, and the moves of best play."""

from __future__ import annotations

import time as clock

from ludograph.errors import InvalidInput
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.search.proof import LOSS, WIN, ProofResult


class OutOfTime(Exception):
    """The solver's time was too short."""


def solve_position(
    position: HexPosition,
    *,
    time: float | None = None,
    solver: HexSolver | None = None,
    line: bool = True,
) -> ProofResult:
    """Return the winner of a position of the usual board with best play.

    Parameters
    ----------
    time
        The most seconds; None: no limit.
    solver
        A solver of this size with its table, whose own limit of time holds then; None: a new one.
    line
        Whether to return moves of best play, too.

    Returns
    -------
    ProofResult
        The result for the seat to move, with moves to the end of the game if the time suffices; all
        moves of the winner win. ``value`` is None if the time was too short.

    Raises
    ------
    InvalidInput
        If the game is over, or if the board is not the usual one or too large.
    """
    if not position.is_standard:
        raise InvalidInput("hex: only the usual board of hexagonal cells can be solved")
    if position.is_over:
        raise InvalidInput("hex: the game is over, there is nothing to solve")
    started = clock.perf_counter()
    if solver is None:
        solver = HexSolver(position.size, time=time)
    before = solver.nodes
    moves: list[int] = []
    value = None
    position = position.copy()
    try:
        value = WIN if wins(solver, position) else LOSS
        winning = value == WIN
        while line and not position.is_over:
            moves.append(best_move(solver, position, winning))
            position.play(moves[-1])
            winning = not winning
    except OutOfTime:
        pass
    seconds = clock.perf_counter() - started
    return ProofResult(value, tuple(moves), solver.nodes - before, seconds)


def wins(solver: HexSolver, position: HexPosition) -> bool:
    """Tell whether the seat to move wins a position that is not over.

    A seat that may swap always wins, since it can choose the winning color.

    Raises
    ------
    OutOfTime
        If the solver's time was too short.
    """
    if position.may_swap:
        return True
    if position.ply == 0 and position.pie:
        return position.size == 1  # the opening stone joins the borders, nobody can swap
    return winner_and_carrier(solver, position)[0] == position.color_to_move


def best_move(solver: HexSolver, position: HexPosition, winning: bool) -> int:
    """Return a winning move; for the loser, a move of the carrier, which needs an answer."""
    _, carrier = winner_and_carrier(solver, position)
    first = 1 << solver.first_move if winning and solver.first_move >= 0 else 0
    # First the move that proved the win, then those of the carrier, which include winning moves.
    moves = sorted(position.legal_moves(), key=lambda move: _rank(position, move, first, carrier))
    if not winning:
        return moves[0]
    return next(move for move in moves if _keeps(solver, position, move))


def winner_and_carrier(solver: HexSolver, position: HexPosition) -> tuple[int, int]:
    """Return the winning color and its carrier; raise OutOfTime if the time was too short."""
    color = position.color_to_move
    assert color is not None
    verdict = solver.solve(*stones_of(position), color)
    if verdict is None:
        raise OutOfTime
    return verdict.winner, verdict.carrier


def _rank(position: HexPosition, move: int, first: int, carrier: int) -> int:
    if move == position.swap or first >> cell_of(position, move) & 1:
        return 0
    return 1 if carrier >> cell_of(position, move) & 1 else 2


def _keeps(solver: HexSolver, position: HexPosition, move: int) -> bool:
    """Tell whether a move wins for the seat that makes it."""
    after = position.copy()
    after.play(move)
    if after.winner is not None:
        return after.seat(after.winner) == position.turn
    return not wins(solver, after)


def cell_of(position: HexPosition, vertex: int) -> int:
    """Return the solver's cell of a vertex."""
    row, column = position.place(vertex)
    return row * position.size + column


def stones_of(position: HexPosition) -> tuple[int, int]:
    """Return the stones of black and of white as sets of the solver's cells."""
    sets = [0, 0]
    stones, borders = position.stones, position.borders
    for color in (BLACK, WHITE):
        for vertex in ((stones == color) & (borders != color)).nonzero()[0].tolist():
            sets[color] |= 1 << cell_of(position, vertex)
    return sets[BLACK], sets[WHITE]
