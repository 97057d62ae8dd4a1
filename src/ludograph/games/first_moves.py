"""Solving a game by its first moves, one by one, in several processes, with each result stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ludograph.games.solution import Solution


@dataclass(frozen=True, slots=True)
class SolvedMove:
    """The result of the proof of one first move.

    Attributes
    ----------
    move
        The move, as text.
    values
        Its value, a word or letter; a proof may also give the values of other first moves.
    nodes, seconds
        Positions searched, and their processor time.
    """

    move: str
    values: Mapping[str, str]
    nodes: int
    seconds: float


class FirstMoves(Protocol):
    """The first moves of a game; the proof of one may help with the next."""

    @property
    def title(self) -> str:
        """The game of the moves, as in ``hex on hexagonal:8``."""
        ...

    @property
    def moves(self) -> Sequence[str]:
        """All moves, as texts, in the best order for solving."""
        ...

    def prepare(self) -> None:
        """Compile or load machine code, before processes are forked."""
        ...

    def same(self, move: str) -> Collection[str]:
        """Return the moves that have the same value as a move, including the move itself."""
        ...

    def solve(self, move: str, deadline: float | None) -> SolvedMove | None:
        """Solve a move; None if the time was over first.

        Parameters
        ----------
        deadline
            A reading of ``time.perf_counter``; None: no limit.
        """
        ...

    def solution(self, values: Mapping[str, str], nodes: int, seconds: float) -> Solution:
        """Return the solution of the game from the values known so far."""
        ...
