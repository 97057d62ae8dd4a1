"""Solving a game: by proof-number search, or by a solver of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic

from ludograph.errors import InvalidInput
from ludograph.games.position import P, Position
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody
from ludograph.search import proof

if TYPE_CHECKING:
    from ludograph.games.first_moves import FirstMoves

WORDS = {"win": "wins", "loss": "loses"}


class Solving(Generic[P]):
    """Who wins a position, and what is known of openings; by default what search can prove."""

    def solve(self, position: P, seconds: float, progress: Progress = nobody) -> Solution:  # noqa: ARG002
        """Tell what best play leads to; by default for two seats, by proof-number search.

        Parameters
        ----------
        seconds
            The time to spend at most.
        progress
            Told how far it is, where there are parts that can be counted.

        Raises
        ------
        InvalidInput
            If positions like this one cannot be solved.
        """
        if position.seats != 2:
            raise InvalidInput(f"{position.game.name}: only games of two can be solved")
        return solve(position, seconds)

    def solver(self) -> Callable[[P, float], Solution]:
        """Return what solves one position of a board after another, each within a time limit.

        It may remember what helps with the next one, and need not find best moves. By default
        :meth:`solve`, which raises the same.
        """
        return self.solve

    def first_moves(self, position: P) -> FirstMoves | None:  # noqa: ARG002
        """Return the first moves of a start, each to be solved by itself; by default None.

        Raises
        ------
        InvalidInput
            If positions like this one cannot be solved.
        """
        return None

    def openings(self, suite: str, position: P) -> Sequence[str]:
        """Return the openings of a suite for the game that begins here: texts of moves each.

        Raises
        ------
        InvalidInput
            If it has none for this game.
        """
        raise InvalidInput(f"{position.game.name}: there are no openings called {suite}")


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
