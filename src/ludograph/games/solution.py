"""The solution of a game, in words and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

UNKNOWN = "unknown"

Progress = Callable[[str], None]
"""Called with the progress of a search, as in ``12 of 49 openings``."""


def nobody(text: str) -> None:
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
    """

    text: str
    verdict: str
    line: tuple[int, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def proven(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict != UNKNOWN
