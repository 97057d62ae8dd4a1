"""The fewest moves of a solo game of Flood, as ``ludograph solve`` tells them."""

from __future__ import annotations

from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.solo import solve_optimal
from ludograph.games.solution import UNKNOWN, Solution


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
