"""Solving a game: by proof-number search, or by a solver of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic

from ludograph.errors import InvalidInput
from ludograph.games.played import P, PlayedPosition
from ludograph.games.solution import UNKNOWN, FirstMoves, Progress, Solution, silent
from ludograph.search import proof
from ludograph.search.searched import PROOF

WORDS = {"win": "wins", "loss": "loses"}


class Solving(Generic[P]):
    """The solver of a game, and its openings; by default proof-number search."""

    def solve(self, position: P, seconds: float, progress: Progress = silent) -> Solution:  # noqa: ARG002
        """Return the result of best play; by default for two seats, by proof-number search.

        Parameters
        ----------
        seconds
            The time to spend at most.
        progress
            Called with the progress, if the parts of the search can be counted.

        Raises
        ------
        InvalidInput
            If positions like this one cannot be solved.
        """
        if position.seats != 2:
            raise InvalidInput(f"{position.game.name}: only games of two players can be solved")
        return solve(position, seconds)

    def solver(self) -> Callable[[P, float], Solution]:
        """Return a function that solves positions of one board, each within a time limit.

        It may reuse earlier results, and need not find best moves. By default :meth:`solve`, which
        raises the same.
        """
        return self.solve

    def first_moves(self, position: P) -> FirstMoves | None:  # noqa: ARG002
        """Return the first moves of a start, to solve each separately; by default None.

        Raises
        ------
        InvalidInput
            If positions like this one cannot be solved.
        """
        return None

    def openings(self, suite: str, position: P) -> Sequence[str]:
        """Return the openings of a suite for games from this position, each as texts of moves.

        Raises
        ------
        InvalidInput
            If the suite has no openings for this game.
        """
        raise InvalidInput(f"{position.game.name}: there are no openings called {suite}")


def solve(position: PlayedPosition, seconds: float) -> Solution:
    """Return the solution of a position for two seats, by proof-number search.

    Parameters
    ----------
    seconds
        The time to spend at most.
    """
    if position.is_over:
        return Solution("The game is over before the first move.", UNKNOWN)
    view = position.game.search_view(position, PROOF)
    found = proof.solve(view.setup, view.state(position), nodes=None, time=seconds)
    if found.verdict == UNKNOWN:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), found.nodes, found.seconds)
    end = position.copy()
    for move in found.line:
        end.play(move)
    scores = " to ".join(f"{score:g}" for score in end.scores())
    shown = f", for instance {scores}" if end.is_over else ""
    text = f"{sentence(position, found.verdict)}{shown}."
    line, start = found.line, position.copy()
    return Solution(text, found.verdict, line, found.nodes, found.seconds, position=start)


def sentence(position: PlayedPosition, verdict: str) -> str:
    """Return the result of best play as a sentence without a full stop."""
    if verdict == "draw":
        return "Best play leads to a draw"
    seat = position.turn or 0
    if position.ply > 0:
        return f"Seat {seat}, which is to move, {WORDS[verdict]} with best play"
    winner = seat if verdict == "win" else 1 - seat
    order = "first" if winner == seat else "second"
    return f"Seat {winner}, which moves {order}, wins with best play"
