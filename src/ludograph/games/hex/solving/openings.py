"""The map of winning openings of an empty board."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.games.solution import Progress, nobody


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


def solve_openings(solver: HexSolver, progress: Progress = nobody) -> OpeningMap:
    """Return the map of a solver's board.

    One proof tells about several openings: turning the board by 180° changes nothing, and if
    white wins after an opening, it wins on the same cells after every opening outside of them.

    Parameters
    ----------
    progress
        Told how many openings are decided, as it changes.
    """
    started = clock.perf_counter()
    before = solver.nodes
    n = solver.n
    cells = n * n
    letters = ["?"] * cells
    for cell in sorted(range(cells), key=lambda cell: _distance(n, cell)):
        if letters[cell] != "?":
            continue
        progress(f"{cells - letters.count('?')} of {cells} openings")
        verdict = solver.solve(1 << cell, 0, WHITE)
        if verdict is None:
            break
        if verdict.winner == BLACK:
            letters[cell] = letters[cells - 1 - cell] = "W"
            continue
        for other in range(cells):
            if not verdict.carrier >> other & 1:
                letters[other] = letters[cells - 1 - other] = "L"
    rows = tuple("".join(letters[row * n : row * n + n]) for row in range(n))
    return OpeningMap(rows, solver.nodes - before, clock.perf_counter() - started)


def _distance(n: int, cell: int) -> int:
    """Return twice the distance of a cell from the center, in moves over the board."""
    row, column = 2 * (cell // n) - n + 1, 2 * (cell % n) - n + 1
    return max(abs(row), abs(column), abs(row + column))
