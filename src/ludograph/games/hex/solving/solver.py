"""A solver with its table, for many positions of one board; the winner, and moves of best play."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import ludograph.games.hex.solving.expansion  # noqa: F401  (registers the kernels of the proof)
from ludograph.errors import InvalidInput
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, WHITE, HexSetup
from ludograph.games.hex.solving.grid import LARGEST, make_grid
from ludograph.games.hex.solving.workspace import EVERYTHING, make_workspace
from ludograph.rules.kernels.sets import as_int, from_int, put
from ludograph.search.pacing import chunks, deadline_after
from ludograph.search.proof import LOSS, WIN, ProofResult
from ludograph.search.proof.search import prove
from ludograph.search.proof.stack import DONE, begin, make_proof_stack

TABLE_BITS = (16, 16, 16, 16, 16, 16, 18, 21, 22)
"""The default ``table_bits`` of :class:`HexSolver` by size; the last one is for larger sizes."""


def solvable(setup: HexSetup) -> bool:
    """Tell whether there is a solver for a board: for the usual one, with at most 16 x 16 cells."""
    size = setup.columns - 2
    return setup.joined == EXACTLY_ONE and 0 < size <= LARGEST


@dataclass(frozen=True, slots=True)
class Verdict:
    """The winner of a position.

    Attributes
    ----------
    winner
        ``BLACK`` or ``WHITE``.
    carrier
        The carrier of the win, a set of cells with a bit each: the winner wins even if the loser
        owns all other free cells.
    """

    winner: int
    carrier: int


class HexSolver:
    """A solver of the usual board of n x n cells.

    Parameters
    ----------
    n
        The size, at most :data:`~ludograph.games.hex.solving.grid.LARGEST`.
    time
        The seconds for all positions together; None: no limit.
    table_bits
        The table has ``2 ** table_bits`` entries of 32 bytes, or 48 on boards with more than 64
        cells, or 80 with more than 128; None: ``TABLE_BITS``.
    techniques
        The means of the proof, see :mod:`ludograph.games.hex.solving.workspace`; for tests.
    words
        The number of words of a set of cells, if it is more than needed; for tests.

    Raises
    ------
    InvalidInput
        If the size is not 1 to ``LARGEST``.
    """

    def __init__(
        self,
        n: int,
        *,
        time: float | None = None,
        table_bits: int | None = None,
        techniques: int = EVERYTHING,
        words: int | None = None,
    ) -> None:
        self.n = n
        self.grid = make_grid(n, words)
        levels = n * n + 2
        if table_bits is None:
            table_bits = TABLE_BITS[min(n, len(TABLE_BITS) - 1)]
        self.workspace = make_workspace(len(self.grid.board), levels, table_bits, techniques)
        self.stack = make_proof_stack(levels, n * n)
        prove(self.grid, self.workspace, self.stack, 0)  # compiles it before the clock starts
        self.nodes = 0
        self.deadline = deadline_after(time)

    def solve(self, black: int, white: int, color: int) -> Verdict | None:
        """Return the winner of a position, or None if the time was too short.

        Parameters
        ----------
        black, white
            The stones of both colors, sets of cells with a bit each.
        color
            The color to move.
        """
        workspace, stack = self.workspace, self.stack
        stones = workspace.levels[0].stones
        words = len(self.grid.board)
        put(stones[BLACK], from_int(black, words))
        put(stones[WHITE], from_int(white, words))
        begin(stack, color)
        progress = stack.progress[0]
        for amount in chunks(self.deadline):
            prove(self.grid, workspace, stack, amount)
            if progress.mode == DONE:
                break
        self.nodes += int(progress.nodes)
        if progress.mode != DONE:
            return None
        winner = color if progress.phi == 0 else 1 - color
        return Verdict(winner, as_int(tuple(workspace.carrier)))

    @property
    def first_move(self) -> int:
        """The winning move of the last proof; -1 without a win, or if it needed no move."""
        return int(self.stack.frames[0].move)


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
        raise InvalidInput("hex: this solver is for the usual board of hexagonal cells")
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
