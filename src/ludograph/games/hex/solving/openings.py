"""The winning openings of an empty board, each proven separately."""

from __future__ import annotations

import time as clock
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from ludograph.games.first_moves import SolvedMove
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody

WINS, LOSES = "W", "L"

LONG_RUN_BITS = {8: 23}
"""As :data:`~ludograph.games.hex.solving.solver.TABLE_BITS`, where openings take long."""


@dataclass(frozen=True, slots=True)
class OpeningMap:
    """Which first moves of black win, without the pie rule.

    Attributes
    ----------
    rows
        A row of the board each, from row 1, columns from a: ``W`` the opening wins, ``L`` it
        loses, ``?`` the time was over first.
    nodes, seconds
        Positions searched, and how long it took.
    """

    rows: tuple[str, ...]
    nodes: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether every opening is decided."""
        return not any("?" in row for row in self.rows)

    def __str__(self) -> str:
        """Return the map as the board lies: each row half a cell further to the right."""
        columns = " ".join(chr(ord("a") + column) for column in range(len(self.rows)))
        lines = [f"  {columns}"]
        for row, letters in enumerate(self.rows):
            lines.append(f"{' ' * row}{row + 1} {' '.join(letters)}")
        return "\n".join(lines)


class Openings:
    """The first moves of black on a board of n x n cells, without the pie rule.

    See :class:`~ludograph.games.first_moves.FirstMoves`. One proof tells about several: turning the
    board by 180° changes nothing, and if white wins after an opening, it wins on the same cells
    after every opening outside of them.
    """

    def __init__(self, n: int, solver: HexSolver | None = None) -> None:
        self.n = n
        self.title = f"hex on hexagonal:{n}"
        self.cells = sorted(range(n * n), key=self._distance)
        self.moves = [self.name(cell) for cell in self.cells]
        if solver is not None:
            self.solver = solver

    @cached_property
    def solver(self) -> HexSolver:
        """What solves them; its table helps from one to the next."""
        return HexSolver(self.n, table_bits=LONG_RUN_BITS.get(self.n))

    def prepare(self) -> None:
        """Have machine code made."""
        HexSolver(self.n, table_bits=2)

    def name(self, cell: int) -> str:
        """Return what a cell is called."""
        return f"{chr(ord('a') + cell % self.n)}{cell // self.n + 1}"

    def same(self, move: str) -> Collection[str]:
        """Return an opening and the one turned by 180°."""
        cell = self._cell(move)
        return {move, self.name(self.n**2 - 1 - cell)}

    def solve(self, move: str, deadline: float | None) -> SolvedMove | None:
        """Prove whether an opening wins; None if the time was over first."""
        cell, solver = self._cell(move), self.solver
        before, began = solver.nodes, clock.process_time()
        solver.deadline = deadline
        verdict = solver.solve(1 << cell, 0, WHITE)
        if verdict is None:
            return None
        if verdict.winner == BLACK:
            values = dict.fromkeys(self.same(move), WINS)
        else:
            others = (one for one in self.cells if not verdict.carrier >> one & 1)
            values = {name: LOSES for one in others for name in self.same(self.name(one))}
        return SolvedMove(move, values, solver.nodes - before, clock.process_time() - began)

    def found(self, values: Mapping[str, str], nodes: int, seconds: float) -> OpeningMap:
        """Return the map of what is known."""
        n = self.n
        letters = [values.get(self.name(cell), "?") for cell in range(n * n)]
        rows = tuple("".join(letters[row * n : row * n + n]) for row in range(n))
        return OpeningMap(rows, nodes, seconds)

    def solution(self, values: Mapping[str, str], nodes: int, seconds: float) -> Solution:
        """Return the map as an answer; there is no verdict before it is whole."""
        found = self.found(values, nodes, seconds)
        data = {"size": self.n, "map": list(found.rows), "complete": found.complete}
        verdict = "win" if WINS in "".join(found.rows) else "loss"
        return Solution(
            str(found), verdict if found.complete else UNKNOWN, (), nodes, seconds, data
        )

    def _cell(self, move: str) -> int:
        return ord(move[0]) - ord("a") + self.n * (int(move[1:]) - 1)

    def _distance(self, cell: int) -> int:
        """Return twice the distance of a cell from the center, in moves over the board."""
        n = self.n
        row, column = 2 * (cell // n) - n + 1, 2 * (cell % n) - n + 1
        return max(abs(row), abs(column), abs(row + column))


def solve_openings(solver: HexSolver, progress: Progress = nobody) -> OpeningMap:
    """Return the map of a solver's board, as far as its time allows.

    Parameters
    ----------
    progress
        Told how many openings are decided, as it changes.
    """
    started = clock.perf_counter()
    before = solver.nodes
    openings = Openings(solver.n, solver)
    deadline = solver.deadline
    values: dict[str, str] = {}
    for move in openings.moves:
        if move in values:
            continue
        progress(f"{len(values)} of {len(openings.moves)} openings")
        solved = openings.solve(move, deadline)
        if solved is None:
            break
        values |= solved.values
    return openings.found(values, solver.nodes - before, clock.perf_counter() - started)
