"""Solutions of Flood: the winner and the margin, or the fewest moves of a single seat."""

from __future__ import annotations

import time as clock
from collections.abc import Callable

from ludograph.games.flood.compact import CompactSetup, make_compact, to_compact
from ludograph.games.flood.exact import ExactSolver
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo import solve_optimal
from ludograph.games.knowledge import holds_for
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody
from ludograph.games.solving import Solving, sentence
from ludograph.search.pacing import deadline_after, is_over

TABLE_BITS = 21
"""The size of the transposition table of a solution for two seats: 48 MiB."""


class FloodSolving(Solving[FloodPosition]):
    """Proofs for a single seat, and for two seats if the game has compact states."""

    def solve(
        self, position: FloodPosition, seconds: float, progress: Progress = nobody
    ) -> Solution:
        """Return the winner of a game of two, or a shortest solution for a single seat.

        Parameters
        ----------
        seconds
            The time of the search.
        progress
            Gets the progress of the general search in games that these proofs do not cover.
        """
        if position.seats == 1 and holds_for(position, FloodSetup):
            return shortest(position, seconds)
        if not position.is_over and (setup := compact_setup(position)) is not None:
            return best_play(position, setup, seconds)
        return super().solve(position, seconds, progress)

    def solver(self) -> Callable[[FloodPosition, float], Solution]:
        """Return a function that finds the winner of one position of a board after another."""
        return Winners(self).solve


class Winners:
    """A solver for the winners of a board's positions; later ones use the table of earlier ones."""

    def __init__(self, solving: FloodSolving) -> None:
        self.solving = solving
        self.setup: FloodSetup | None = None
        self.solver: ExactSolver | None = None

    def solve(self, position: FloodPosition, seconds: float) -> Solution:
        """Return the solution of a position, with its winner alone."""
        if self.setup is not position.setup:
            self.setup, setup = position.setup, compact_setup(position)
            self.solver = None if setup is None else ExactSolver(setup, TABLE_BITS)
        if self.solver is None or position.is_over:
            return self.solving.solve(position, seconds)
        return winner(self.solver, position, seconds)


def compact_setup(position: FloodPosition) -> CompactSetup | None:
    """Return the Setup of a game with compact states; None if it has none."""
    if not holds_for(position, FloodSetup):
        return None
    return make_compact(position.setup)


def winner(solver: ExactSolver, position: FloodPosition, seconds: float) -> Solution:
    """Return the winner of a game of two, without a line of moves."""
    started = clock.perf_counter()
    seat, nodes = solver.winner(to_compact(solver.setup, position.state), deadline_after(seconds))
    took = clock.perf_counter() - started
    if seat is None:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), nodes, took)
    verdict = "draw" if seat < 0 else "win" if seat == position.turn else "loss"
    return Solution(f"{sentence(position, verdict)}.", verdict, (), nodes, took)


def best_play(position: FloodPosition, setup: CompactSetup, seconds: float) -> Solution:
    """Return the winner of a game of two, and, if the time suffices, the margin and best play."""
    solver = ExactSolver(setup, TABLE_BITS)
    started, deadline = clock.perf_counter(), deadline_after(seconds)
    found = winner(solver, position, seconds)
    text, nodes = found.text, found.nodes
    end, line = position.copy(), list[int]()
    while found.proven and not (end.is_over or is_over(deadline)):
        move, took = solver.best_move(to_compact(setup, end.state), deadline)
        nodes += took
        if move is None:
            break
        line.append(move)
        end.play(move)
    if end.is_over:
        text = f"{text[:-1]}, {' to '.join(f'{score:g}' for score in end.scores())}."
    return Solution(text, found.verdict, tuple(line), nodes, clock.perf_counter() - started)


def shortest(position: FloodPosition, seconds: float) -> Solution:
    """Return a shortest solution of a solo game, or the best one found in time."""
    found = solve_optimal(position.setup, position.state, seconds=seconds)
    moves = len(found.moves)
    count = f"{moves} move" + ("" if moves == 1 else "s")
    if not found.solves:
        text, verdict = "The board cannot be solved: a forbidden color is needed.", "unsolvable"
    elif found.proven:
        text, verdict = f"The board is solved in {count}, and in no fewer.", "solved"
    else:
        least = f"at least {found.lower_bound} are needed"
        text = f"{count} solve the board, {least}; more --time may find the exact number."
        verdict = UNKNOWN
    return Solution(text, verdict, found.moves, found.nodes, found.seconds)
