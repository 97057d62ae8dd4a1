"""The sequential probability ratio test (SPRT) on pairs of games, which decides when to stop.

Two games on one start with the seats exchanged make a pair, whose score is 0, 1/2, 1, 3/2 or 2; the
counts of these scores are the pentanomial statistic. Pairs are independent, games are not. Wald's
sequential probability ratio test compares the likelihood of the counts if the true difference is
elo1 with their likelihood if it is elo0. The other unknown parameters (such as the share of even
pairs) have, under each hypothesis, the values of highest likelihood; that is the generalized test,
with Wald's bounds, which testers of chess engines use (M. Van den Bergh, "The generalized SPRT
(GSPRT)" and "Normalized Elo"; the mathematics pages of fishtest).

Elo of a hypothesis means an expected score of 1 / (1 + 10 ** (-elo / 400)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ludograph.errors import InvalidInput

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair of games, per game."""

UNSEEN = 1e-3
"""The count used for a score without pairs, so that no hypothesis is impossible."""

STEPS = 60

LARGEST = 2000
"""The largest difference of a hypothesis, in Elo."""


class SprtVerdict(StrEnum):
    """The verdict of a test so far."""

    GOES_ON = "goes on"
    LOWER = "elo0"
    """The difference is less than elo1."""
    UPPER = "elo1"
    """The difference is more than elo0."""


class TestState(NamedTuple):
    """A test after some pairs: the log of the likelihood ratio, its bounds, the verdict."""

    llr: float
    lower: float
    upper: float
    verdict: SprtVerdict
    pairs: int


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of how much stronger one player is than another.

    A test with a small elo1 needs many pairs even if one player wins all of them. So it may have
    larger alternatives: the weighted mean of their likelihood ratios is again a likelihood ratio,
    for which Wald's upper bound holds (Robbins, "Statistical methods related to the law of the
    iterated logarithm", 1970). Only the test of elo1 itself can accept elo0.

    Attributes
    ----------
    elo0, elo1
        The hypotheses, ``elo0 < elo1``.
    alpha
        The probability to decide for elo1 when elo0 is true, at most.
    beta
        The probability to decide for elo0 when elo1 is true, at most.
    larger
        Larger alternatives, which share one half of the weight; elo1 has the other half.

    Raises
    ------
    InvalidInput
        If a number is out of its range.

    Examples
    --------
    >>> Sprt(0, 10).state((10, 50, 100, 80, 25)).verdict
    <SprtVerdict.UPPER: 'elo1'>
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    larger: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Check the numbers; raise InvalidInput."""
        if not -LARGEST <= self.elo0 < self.elo1 <= LARGEST:
            raise InvalidInput(
                f"sprt: elo0={self.elo0:g} must be below elo1={self.elo1:g}, "
                f"both within {-LARGEST} and {LARGEST}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidInput(f"sprt: {name}={value:g} must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds: the test accepts elo0 at or below the first, elo1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def state(self, counts: Sequence[int]) -> TestState:
        """Return the state for the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points."""
        lower, upper = self.bounds
        llr = least = self.llr(counts, self.elo1)
        if self.larger:
            others = [self.llr(counts, elo1) for elo1 in self.larger]
            greatest = max(least, *others)
            shares = [math.exp(one - greatest) for one in (least, *others)]
            llr = greatest + math.log((shares[0] + sum(shares[1:]) / len(others)) / 2)
        verdict = SprtVerdict.GOES_ON
        if llr >= upper:
            verdict = SprtVerdict.UPPER
        elif least <= lower:
            verdict = SprtVerdict.LOWER
        return TestState(llr, lower, upper, verdict, sum(counts))

    def llr(self, counts: Sequence[int], elo1: float) -> float:
        """Return the logarithm of the generalized likelihood ratio of an alternative to elo0."""
        if len(counts) != len(SCORES) or any(count < 0 for count in counts):
            raise InvalidInput("sprt: five counts of pairs, 0 or more each")
        pairs = sum(counts)
        if pairs == 0:
            return 0.0
        filled = [count or UNSEEN for count in counts]
        total = sum(filled)
        seen = [count / total for count in filled]
        at0, at1 = (
            likeliest_with_mean(seen, SCORES, expected_score(elo)) for elo in (self.elo0, elo1)
        )
        return total * sum(
            part * math.log(high / low) for part, high, low in zip(seen, at1, at0, strict=True)
        )


def expected_score(elo: float) -> float:
    """Return the expected score per game for a difference in logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def likeliest_with_mean(seen: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """Return the distribution with a given mean and the highest likelihood of the observed shares.

    It is ``seen / (1 + x * (values - mean))`` for the one x with the given mean (Owen 2001,
    "Empirical likelihood", chapter 2).

    Parameters
    ----------
    seen
        Shares of the values, all above 0.
    mean
        Between the least and the greatest value.
    """
    gaps = [value - mean for value in values]
    low, high = -1 / max(gaps), -1 / min(gaps)  # between these all probabilities are above 0
    for _ in range(STEPS):
        x = (low + high) / 2
        slope = sum(part * gap / (1 + x * gap) for part, gap in zip(seen, gaps, strict=True))
        if slope > 0:
            low = x
        else:
            high = x
    return [part / (1 + x * gap) for part, gap in zip(seen, gaps, strict=True)]
