"""The solutions of ``ludograph solve hex``: the map of openings, or the winner of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludograph.games.hex.evaluation.openings import near_even
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.solving.openings import Openings, solve_openings
from ludograph.games.hex.solving.solver import HexSolver, solvable, solve_position
from ludograph.games.solution import UNKNOWN, Progress, Solution, silent
from ludograph.games.solving import Solving, sentence
from ludograph.search import proof
from ludograph.search.pacing import deadline_after


class HexSolving(Solving[HexPosition]):
    """Proofs for games of Hex on the usual board; by the general search on others, for variants."""

    def solve(self, position: HexPosition, seconds: float, progress: Progress = silent) -> Solution:
        """Return the winning openings of an empty board, or else the winner of a position."""
        if not has_solver(position):
            return super().solve(position, seconds, progress)
        if position.ply == 0:
            found = solve_openings(HexSolver(position.size, time=seconds), progress)
            return found.solution(pie=position.pie)
        return as_answer(position, seconds, solve_position(position, time=seconds))

    def solver(self) -> Callable[[HexPosition, float], Solution]:
        """Return a function that finds the winners of a board's positions, without the moves."""
        solver: HexSolver | None = None  # later positions use the table of earlier ones

        def solve(position: HexPosition, seconds: float) -> Solution:
            nonlocal solver
            if not has_solver(position):
                return self.solve(position, seconds)
            solver = solver or HexSolver(position.size)
            solver.deadline = deadline_after(seconds)
            found = solve_position(position, solver=solver, line=False)
            return as_answer(position, seconds, found)

        return solve

    def first_moves(self, position: HexPosition) -> Openings | None:
        """Return the openings of a board without the pie rule; None if Hex's solver cannot."""
        return Openings(position.size, pie=position.pie) if has_solver(position) else None

    def openings(self, suite: str, position: HexPosition) -> Sequence[str]:
        """Return the openings of a suite: ``near-even``, won by both sides about equally often.

        Raises
        ------
        InvalidInput
            If there is no such suite for the board.
        """
        if suite == "near-even" and not position.is_variant:
            return near_even(position)
        return super().openings(suite, position)


def has_solver(position: HexPosition) -> bool:
    """Tell whether Hex's own solver knows a position's rules and board."""
    return not position.is_variant and solvable(position.setup)


def as_answer(position: HexPosition, seconds: float, found: proof.ProofResult) -> Solution:
    """Return a solution with the proven result as a sentence."""
    if found.verdict == UNKNOWN:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), found.nodes, found.seconds)
    text = f"{sentence(position, found.verdict)}."
    line, start = found.line, position.copy()
    return Solution(text, found.verdict, line, found.nodes, found.seconds, position=start)
