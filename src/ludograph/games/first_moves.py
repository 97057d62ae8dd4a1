"""Solving a game by its first moves, one by one, in several processes, with each result stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ludograph.games.solution import Solution


@dataclass(frozen=True, slots=True)
class SolvedMove:
    """What the proof of one first move has told.

    Attributes
    ----------
    move
        The move, as text.
    values
        What it leads to, a word or letter; a proof may tell the same of other first moves.
    nodes, seconds
        Positions searched, and how much processor time that took.
    """

    move: str
    values: Mapping[str, str]
    nodes: int
    seconds: float


class FirstMoves(Protocol):
    """The first moves of a game; what solves one remembers what helps with the next."""

    @property
    def title(self) -> str:
        """The game that they begin, as in ``hex on hexagonal:8``."""
        ...

    @property
    def moves(self) -> Sequence[str]:
        """All of them, as texts, in the order in which they are best solved."""
        ...

    def prepare(self) -> None:
        """Have machine code made, before processes are forked."""
        ...

    def same(self, move: str) -> Collection[str]:
        """Return the moves that are known at once when one is, itself among them."""
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
        """Return what the moves known so far tell of the game."""
        ...
