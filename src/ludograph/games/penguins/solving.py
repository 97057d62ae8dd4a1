"""The answer of ``ludograph solve penguins``: the result of best play, in words."""

from __future__ import annotations

from ludograph.games.knowledge import holds_for
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.penguins.solver import Solution as Played
from ludograph.games.penguins.solver import solve
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody
from ludograph.games.solving import Solving


class PenguinsSolving(Solving[PenguinsPosition]):
    """Proofs for two seats, and for more seats if their penguins are isolated."""

    def solve(
        self, position: PenguinsPosition, seconds: float, progress: Progress = nobody
    ) -> Solution:
        """Return the result of best play, to the last fish."""
        if not holds_for(position, PenguinsSetup):
            return super().solve(position, seconds, progress)
        return best_play(position, seconds)


def best_play(position: PenguinsPosition, seconds: float) -> Solution:
    """Return the result of best play of all seats.

    Raises
    ------
    InvalidInput
        If the game is over, or three or more players can still reach each other's tiles.
    """
    found = solve(position, seconds)
    verdict = UNKNOWN
    if found.margin is not None:
        verdict = ("draw", "win", "loss")[(found.margin > 0) - (found.margin < 0)]
    data = {"turn": position.turn, "margin": found.margin, "fish": found.fish}
    text = sentence(position, found, seconds)
    return Solution(text, verdict, found.line, found.nodes, found.seconds, data)


def sentence(position: PenguinsPosition, found: Played, seconds: float) -> str:
    """Return the answer as a sentence."""
    if found.margin is None:
        return f"Nothing is proven after {seconds:g} s; --time gives more."
    if found.fish is None:  # the time ended before the line was complete
        if found.margin == 0:
            return "Best play leads to a draw."
        what = "wins" if found.margin > 0 else "loses"
        who = subject(position, position.turn or 0)
        return f"{who} {what} with best play, by {abs(found.margin)} fish."
    most = max(found.fish)
    first = [seat for seat, fish in enumerate(found.fish) if fish == most]
    if len(first) > 1:
        between = f" between seats {' and '.join(map(str, first))}" if position.seats > 2 else ""
        return f"Best play leads to a draw{between}, {most} fish each."
    others = " and ".join(
        str(fish) if fish >= 0 else "none (out)"
        for seat, fish in enumerate(found.fish)
        if seat != first[0]
    )
    return f"{subject(position, first[0])} wins with best play, {most} fish to {others}."


def subject(position: PenguinsPosition, seat: int) -> str:
    """Return a seat as the subject of a sentence."""
    if position.ply == 0:
        return f"Seat {seat}, which moves {'second' if seat else 'first'},"
    return f"Seat {seat}, which is to move," if seat == position.turn else f"Seat {seat}"
