"""The winning openings of an empty board, each proven separately."""

from __future__ import annotations

import time as clock
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.games.solution import UNKNOWN, Progress, Solution, SolvedMove, silent

WINS, LOSES = "W", "L"

LONG_RUN_BITS = {8: 23}
"""The table bits, by size, for boards on which the openings take long; otherwise see
:data:`~ludograph.games.hex.solving.solver.TABLE_BITS`."""


@dataclass(frozen=True, slots=True)
class OpeningMap:
    """The results of black's first moves on an empty board, without the pie rule.

    Attributes
    ----------
    rows
        The rows of the board from row 1, with a letter for each column from a: ``W`` if the opening
        wins, ``L`` if it loses, ``?`` if the time was too short.
    nodes, seconds
        The number of searched positions, and the time.
    """

    rows: tuple[str, ...]
    nodes: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether the result of every opening is known."""
        return not any("?" in row for row in self.rows)

    def solution(self, *, pie: bool) -> Solution:
        """Return the map as a solution; its verdict is unknown until the map is complete.

        The verdict is that of the game: with the pie rule, the seat that may swap wins.
        """
        size = len(self.rows)
        wins = WINS in "".join(self.rows) and not (pie and size > 1)
        verdict = ("win" if wins else "loss") if self.complete else UNKNOWN
        data = {"size": size, "map": list(self.rows), "complete": self.complete}
        return Solution(str(self), verdict, (), self.nodes, self.seconds, data)

    def __str__(self) -> str:
        """Return the map in the shape of the board, each row half a cell further to the right."""
        columns = " ".join(chr(ord("a") + column) for column in range(len(self.rows)))
        lines = [f"  {columns}"]
        for row, letters in enumerate(self.rows):
            lines.append(f"{' ' * row}{row + 1} {' '.join(letters)}")
        return "\n".join(lines)


class Openings:
    """The first moves of black on a board of n x n cells, without the pie rule.

    It is a :class:`~ludograph.games.solution.FirstMoves`. One proof decides several openings: an
    opening turned by 180° has the same result; and if white wins after an opening, it wins with the
    same carrier after every opening outside of the carrier.

    Parameters
    ----------
    solver
        A solver of the board; None: one is made when it is needed.
    pie
        Whether the other seat may take the first move.
    """

    def __init__(self, n: int, solver: HexSolver | None = None, *, pie: bool = False) -> None:
        self.n = n
        self.can_be_taken = pie and n > 1
        self.title = f"hex on hexagonal:{n}"
        self.cells = sorted(range(n * n), key=self._distance)
        self.moves = [self.name(cell) for cell in self.cells]
        if solver is not None:
            self.solver = solver

    @cached_property
    def solver(self) -> HexSolver:
        """The solver of the openings; later ones use the table of earlier ones."""
        return HexSolver(self.n, table_bits=LONG_RUN_BITS.get(self.n))

    def prepare(self) -> None:
        """Compile the kernels."""
        HexSolver(self.n, table_bits=2)

    def name(self, cell: int) -> str:
        """Return the name of a cell, such as ``c5``."""
        return f"{chr(ord('a') + cell % self.n)}{cell // self.n + 1}"

    def same(self, move: str) -> Collection[str]:
        """Return the names of an opening and of the opening turned by 180°."""
        cell = self._cell(move)
        return {move, self.name(self.n**2 - 1 - cell)}

    def solve(self, move: str, deadline: float | None) -> SolvedMove | None:
        """Return the proven result of an opening, and of others by the same proof.

        Return None if the time was too short.
        """
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
        """Return the map, given ``W`` or ``L`` for the names of decided openings."""
        n = self.n
        letters = [values.get(self.name(cell), "?") for cell in range(n * n)]
        rows = tuple("".join(letters[row * n : row * n + n]) for row in range(n))
        return OpeningMap(rows, nodes, seconds)

    def solution(self, values: Mapping[str, str], nodes: int, seconds: float) -> Solution:
        """Return the map as a solution, see :meth:`OpeningMap.solution`."""
        return self.found(values, nodes, seconds).solution(pie=self.can_be_taken)

    def _cell(self, move: str) -> int:
        return ord(move[0]) - ord("a") + self.n * (int(move[1:]) - 1)

    def _distance(self, cell: int) -> int:
        """Return twice the distance of a cell from the center, in steps between neighbors."""
        n = self.n
        row, column = 2 * (cell // n) - n + 1, 2 * (cell % n) - n + 1
        return max(abs(row), abs(column), abs(row + column))


def solve_openings(solver: HexSolver, progress: Progress = silent) -> OpeningMap:
    """Return the map of a solver's board, as far as its time allows.

    Parameters
    ----------
    progress
        A function that gets the number of decided openings as a text, before each proof.
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
