"""Solutions: the result of best play in words and as data, and of first moves one by one."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ludograph.games.played import PlayedPosition

UNKNOWN = "unknown"

Progress = Callable[[str], None]
"""Called with the progress of a search, as in ``12 of 49 openings``."""


def silent(text: str) -> None:
    """Ignore the progress of a search."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of best play.

    Attributes
    ----------
    text
        A text for people: a sentence, or a picture of several lines.
    verdict
        A word for programs, such as ``win``, ``draw`` or ``loss``; ``unknown`` if the time was over
        before a proof.
    line
        The best moves from the position, as far as they are known.
    nodes, seconds
        Positions searched, and the time.
    data
        Further data for programs.
    position
        The solved position, for the names of the line.
    """

    text: str
    verdict: str
    line: tuple[int, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    data: Mapping[str, Any] = field(default_factory=dict)
    position: PlayedPosition | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Return the text, then the best moves."""
        if self.position is None or not self.line:
            return self.text
        return f"{self.text}\nBest play: {' '.join(map(self.position.text, self.line))}"

    def _repr_html_(self) -> str:
        """Return the text for a notebook, and the best moves on the board."""
        if self.position is None or not self.line:
            return f"<pre>{html.escape(self.text)}</pre>"
        return self.position.result_html(self)

    @property
    def proven(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict != UNKNOWN


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
