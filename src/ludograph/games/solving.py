"""Solving any game for two seats without chance: who wins with best play."""

from __future__ import annotations

from ludograph.games.position import Position
from ludograph.games.solution import UNKNOWN, Solution
from ludograph.search import proof

WORDS = {"win": "wins", "loss": "loses"}


def solve(position: Position, seconds: float) -> Solution:
    """Tell who wins a position for two, by proof-number search.

    Parameters
    ----------
    seconds
        The time to spend at most.
    """
    if position.is_over:
        return Solution("The game is over before the first move.", UNKNOWN)
    found = proof.solve(position.setup, position.state, nodes=None, time=seconds)
    if found.verdict == UNKNOWN:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), found.nodes, found.seconds)
    end = position.copy()
    for move in found.line:
        end.play(move)
    scores = " to ".join(f"{score:g}" for score in end.scores())
    shown = f", for instance {scores}" if end.is_over else ""
    text = f"{sentence(position, found.verdict)}{shown}."
    return Solution(text, found.verdict, found.line, found.nodes, found.seconds)


def sentence(position: Position, verdict: str) -> str:
    """Return what best play leads to, without a full stop."""
    if verdict == "draw":
        return "Best play leads to a draw"
    seat = position.turn or 0
    if position.ply > 0:
        return f"Seat {seat}, which is to move, {WORDS[verdict]} with best play"
    winner = seat if verdict == "win" else 1 - seat
    order = "first" if winner == seat else "second"
    return f"Seat {winner}, which moves {order}, wins with best play"
