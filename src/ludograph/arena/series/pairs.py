"""Pairs of games: two games of two players on one start, with exchanged seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Pairs(NamedTuple):
    """The number of pairs in which each player got more points, and of those that are even."""

    first: int
    second: int
    even: int

    @property
    def total(self) -> int:
        """All pairs."""
        return sum(self)


def pairs_of(starts: Iterable[Sequence[Sequence[float]]]) -> Pairs:
    """Return the results of the pairs; a start without exactly two games is left out.

    Parameters
    ----------
    starts
        For each start the points of its games, each with the points of both players.

    Examples
    --------
    >>> pairs_of([[(1.0, 0.0), (0.5, 0.5)], [(1.0, 0.0), (0.0, 1.0)], [(0.0, 1.0)]])
    Pairs(first=1, second=0, even=1)
    """
    found = [0, 0, 0]
    for games in starts:
        if len(games) == 2:
            first, second = (sum(points) for points in zip(*games, strict=True))
            found[0 if first > second else 1 if second > first else 2] += 1
    return Pairs(*found)
