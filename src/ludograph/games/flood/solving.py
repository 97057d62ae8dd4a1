"""Solutions of Flood: the winner and the margin, or the fewest moves of a single seat."""

from __future__ import annotations

import time as clock

from ludograph.games.flood.compact import CompactSetup, is_compact, make_compact, to_compact
from ludograph.games.flood.exact import ExactSolver
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo import solve_optimal
from ludograph.games.knowledge import holds_for
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody
from ludograph.games.solving import Solving, sentence
from ludograph.search.alphabeta import AlphaBeta
from ludograph.search.pacing import deadline_after, is_over, now

TABLE_BITS = 21
"""Of the tables of a solution for two: 48 MiB each."""


class FloodSolving(Solving[FloodPosition]):
    """Proofs for a lone seat and for two, where there are compact states."""

    def solve(
        self, position: FloodPosition, seconds: float, progress: Progress = nobody
    ) -> Solution:
        """Tell who wins a game of two, or how few moves a lone seat needs."""
        if position.seats == 1 and holds_for(position, FloodSetup):
            return shortest(position, seconds)
        if position.seats == 2 and holds_for(position, FloodSetup) and not position.is_over:
            setup = position.game.search_setup(position.setup)
            if is_compact(setup):
                return best_play(position, make_compact(setup), seconds)
        return super().solve(position, seconds, progress)


def best_play(position: FloodPosition, setup: CompactSetup, seconds: float) -> Solution:
    """Prove who wins a game of two; then, if time is left, with how many vertices."""
    solver = ExactSolver(setup, TABLE_BITS)
    search = AlphaBeta(setup, table_bits=TABLE_BITS)
    started, deadline = clock.perf_counter(), deadline_after(seconds)
    winner, nodes = solver.winner(position.state, deadline)
    if winner is None:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), nodes, clock.perf_counter() - started)
    verdict = "draw" if winner < 0 else "win" if winner == position.turn else "loss"
    text = sentence(position, verdict)
    end, line = position.copy(), list[int]()
    while not end.is_over and not is_over(deadline):
        left = None if deadline is None else max(deadline - now(), 0.0)
        found = search.search(to_compact(setup, end.state), time=left, seat=0, to_end=1.0)
        nodes += found.nodes
        if not found.exact:
            break
        line.append(found.move)
        end.play(found.move)
    if end.is_over:
        text += ", " + " to ".join(f"{score:g}" for score in end.scores())
    return Solution(f"{text}.", verdict, tuple(line), nodes, clock.perf_counter() - started)


def shortest(position: FloodPosition, seconds: float) -> Solution:
    """Prove the fewest moves that solve a board."""
    found = solve_optimal(position.setup, position.state, seconds=seconds)
    moves = len(found.moves)
    count = f"{moves} move" + ("" if moves == 1 else "s")
    if not found.solves:
        text, verdict = "The board cannot be solved: a forbidden color is needed.", "unsolvable"
    elif found.proven:
        text, verdict = f"The board is solved in {count}, and in no fewer.", "solved"
    else:
        text = f"{count} solve the board, at least {found.lower_bound} are needed; --time may tell."
        verdict = UNKNOWN
    return Solution(text, verdict, found.moves, found.nodes, found.seconds)
