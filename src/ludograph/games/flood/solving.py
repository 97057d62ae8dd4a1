"""Solutions of Flood: the winner, or the fewest moves of a single seat."""

from __future__ import annotations

from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo import solve_optimal
from ludograph.games.knowledge import holds_for
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody
from ludograph.games.solving import Solving


class FloodSolving(Solving[FloodPosition]):
    """Proofs for a lone seat; for two what search can prove."""

    def solve(
        self, position: FloodPosition, seconds: float, progress: Progress = nobody
    ) -> Solution:
        """Tell who wins a game of two, or how few moves a lone seat needs."""
        if position.seats == 1 and holds_for(position, FloodSetup):
            return shortest(position, seconds)
        return super().solve(position, seconds, progress)


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
