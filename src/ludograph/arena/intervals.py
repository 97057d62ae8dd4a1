"""95 % intervals for the mean of games grouped by their starts, and the results of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

STANDARD = NormalDist()


def student_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution.

    Exact for one and two degrees of freedom; beyond that the expansion around the normal quantile
    (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5), whose error for the 97.5 %
    quantile is below 1 % at three degrees of freedom and below 0.1 % at five.

    Parameters
    ----------
    probability
        Between 0 and 1.
    freedom
        Degrees of freedom, 1 at least; ``math.inf`` for the normal distribution.

    Examples
    --------
    >>> round(student_quantile(0.975, 9), 3)
    2.262
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom")
    if freedom < 2:
        return math.tan(math.pi * (probability - 0.5))
    if freedom < 3:
        return (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    z = STANDARD.inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))


UPPER = 0.975
FEW = 10
"""With fewer starts than this, Wilson's interval is used, too."""


class Interval(NamedTuple):
    """A mean and its confidence interval; the bounds are None if nothing shows the scatter."""

    mean: float
    low: float | None
    high: float | None


def of_starts(starts: Sequence[Sequence[float]]) -> Interval:
    """Return the mean of all games, with an interval from the scatter between starts.

    If all starts have equally many games, it is Student's interval of the starts' means; starts
    with missing games have less weight. It has no bounds if there is one start only, or if the
    means of all starts are equal.

    Parameters
    ----------
    starts
        For each start the numbers of its games.

    Examples
    --------
    >>> of_starts([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    Interval(mean=0.5, low=None, high=None)
    >>> of_starts([[3.0]])
    Interval(mean=3.0, low=None, high=None)
    """
    games = sum(map(len, starts))
    if not games:
        return Interval(math.nan, None, None)
    mean = sum(map(sum, starts)) / games
    count = len(starts)
    if len({sum(start) / len(start) for start in starts}) < 2:
        return Interval(mean, None, None)
    squares = sum((sum(start) - mean * len(start)) ** 2 for start in starts)
    error = math.sqrt(squares * count / (count - 1)) / games
    reach = student_quantile(UPPER, count - 1) * error
    return Interval(mean, mean - reach, mean + reach)


def wilson(share: float, games: int) -> Interval:
    """Return Wilson's interval of a share of independent games.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.

    Examples
    --------
    >>> [round(bound, 3) for bound in wilson(0.9, 100)]
    [0.9, 0.826, 0.945]
    """
    z = STANDARD.inv_cdf(UPPER)
    scale = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / scale
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / scale
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach))


def of_points(starts: Sequence[Sequence[float]]) -> Interval:
    """Return the share of points, with its interval.

    The interval is that of the starts. If they are fewer than ten, or all equal, so that their
    scatter gives no estimate, the interval includes Wilson's too.

    Parameters
    ----------
    starts
        For each start the points of its games, each from 0 to 1.
    """
    games = sum(map(len, starts))
    found = of_starts(starts)
    if not games:
        return found
    if len(starts) >= FEW and found.low is not None and found.high is not None:
        return Interval(found.mean, max(0.0, found.low), min(1.0, found.high))
    alone = wilson(found.mean, games)
    assert alone.low is not None
    assert alone.high is not None
    low = alone.low if found.low is None else min(alone.low, found.low)
    high = alone.high if found.high is None else max(alone.high, found.high)
    return Interval(found.mean, max(0.0, low), min(1.0, high))


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
