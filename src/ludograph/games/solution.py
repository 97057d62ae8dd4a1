"""The solution of a game, in words and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

UNKNOWN = "unknown"

Progress = Callable[[str], None]
"""Is told how far a search is, as in ``12 of 49 openings``."""


def nobody(text: str) -> None:
    """Hear how far a search is, and do nothing about it."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What best play leads to.

    Attributes
    ----------
    text
        For people; a sentence, or a picture of several lines.
    verdict
        A word for programs, such as ``win``, ``draw`` or ``loss``; ``unknown`` where the time was
        over before anything was proven.
    line
        Best moves from the position on, as far as they are known.
    nodes, seconds
        Positions searched, and how long it took.
    data
        What else programs would read.
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
