"""Comparison of two players: pairs of games until the better one is certain.

A sequential probability ratio test (SPRT) of the pairs, :class:`Sprt`, is made from both sides:
whether the first player is better than the second, and whether the second is better than the first,
by the least difference that matters or by a larger one. Each side may err with half of the allowed
probability, so the answer does not depend on the order of the two names.

Pairs are added in the order of their starts. So the answer depends neither on the number of
processes nor on interruptions.

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
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from ludograph.arena.intervals import Interval, Pairs, of_points, pairs_of
from ludograph.arena.results import Games, Results
from ludograph.errors import InvalidInput

ERROR = 0.025
"""The probability of each test to call a player better that is not."""


LARGER, MOST_LARGER = (5, 20), 800
"""The larger differences that are tested, too, as multiples of the least one, and their limit in
Elo."""


class ComparisonAnswer(StrEnum):
    """The answer of a comparison."""

    FIRST = "first"
    SECOND = "second"
    CLOSE = "close"
    """Neither is better by the difference that matters."""
    OPEN = "open"
    """No difference is shown so far."""


class Comparison:
    """A comparison of two players, to which games are added as they end.

    Parameters
    ----------
    elo
        The difference that matters, in Elo: a player that is better by less may be called close.
    players
        The names of the first and the second player.
    games
        The games so far.

    Attributes
    ----------
    answer
        The answer so far; it does not change any more unless it is open.
    """

    def __init__(self, elo: float, players: tuple[str, str], games: Games = ()) -> None:
        self.elo, self.players = elo, players
        self.answer = ComparisonAnswer.OPEN
        larger = tuple(factor * elo for factor in LARGER if factor * elo <= MOST_LARGER)
        self._sprt = Sprt(0, elo, ERROR, ERROR, larger)
        self._verdicts = [SprtVerdict.GOES_ON, SprtVerdict.GOES_ON]
        self._counts = [0] * len(SCORES)  # of pairs, by the points of the first player
        self._next = 0  # the start of the next pair that counts
        self._points: dict[int, list[tuple[float, float]]] = defaultdict(list)
        games = Results.of(games)
        for game in zip(games.starts.tolist(), games.seatings, games.points.tolist(), strict=True):
            self.add(*game)

    def add(self, start: int, seating: tuple[str, ...], points: Sequence[float]) -> None:
        """Add a game with its points by seat; it counts when all pairs before it are complete."""
        first, second = (points[seating.index(player)] for player in self.players)
        self._points[start].append((first, second))
        while not self.is_decided and len(pair := self._points.get(self._next, ())) == 2:
            self._counts[round(2 * sum(points for points, _ in pair))] += 1
            self._next += 1
            self._test()

    def _test(self) -> None:
        """Find the verdict of each side that has none, and the answer that follows from them."""
        for side, counts in enumerate((self._counts, self._counts[::-1])):
            if self._verdicts[side] == SprtVerdict.GOES_ON:
                self._verdicts[side] = self._sprt.state(counts).verdict
        if SprtVerdict.UPPER in self._verdicts:
            side = self._verdicts.index(SprtVerdict.UPPER)
            self.answer = (ComparisonAnswer.FIRST, ComparisonAnswer.SECOND)[side]
        elif SprtVerdict.GOES_ON not in self._verdicts:
            self.answer = ComparisonAnswer.CLOSE

    @property
    def is_decided(self) -> bool:
        """Whether further games cannot change the answer."""
        return self.answer != ComparisonAnswer.OPEN

    @property
    def counted(self) -> list[list[tuple[float, float]]]:
        """For each pair that counts, the points of both players in its games.

        While no answer is sure, pairs count before all earlier ones are complete.
        """
        return [
            pair
            for start, pair in sorted(self._points.items())
            if len(pair) == 2 and (start < self._next or not self.is_decided)
        ]

    @property
    def pairs(self) -> Pairs:
        """The results of the pairs."""
        return pairs_of(self.counted)

    @property
    def points(self) -> Interval:
        """The first player's share of the points, with its 95 % interval.

        A comparison stops when the difference looks large, so after an early stop the share is a
        little too far from one half.
        """
        return of_points([[first for first, _ in games] for games in self.counted])

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        first, second = self.players
        pairs, share = self.pairs, self.points
        games = f"{2 * pairs.total} games"
        if self.answer in (ComparisonAnswer.FIRST, ComparisonAnswer.SECOND):
            wins = self.answer == ComparisonAnswer.FIRST
            name, other = (first, second) if wins else (second, first)
            own, lost = (pairs.first, pairs.second) if wins else (pairs.second, pairs.first)
            return (
                f"{name} is better than {other}: {own} of {pairs.total} pairs decided for it, "
                f"{lost} against it, "
                f"95 % sure that it scores {_bounds(share, mirrored=not wins)} of the points."
            )
        decided = (
            f"{pairs.first} of {pairs.total} pairs for {first}, {pairs.second} for {second}, "
            f"{pairs.even} even"
        )
        if self.answer == ComparisonAnswer.CLOSE:
            return (
                f"{first} and {second} are about equal, neither is {self.elo:g} Elo better "
                f"({games}: {decided})."
            )
        return f"No difference between {first} and {second} is shown after {games}: {decided}."

    def to_data(self) -> dict[str, Any]:
        """Return the answer as JSON-able data: the object that ``--json`` writes."""
        pairs, share = self.pairs, self.points
        first, second = self.players
        return {
            "players": [first, second],
            "answer": str(self.answer),
            "better": {"first": first, "second": second}.get(self.answer),
            "games": 2 * pairs.total,
            "pairs": pairs._asdict(),
            "points": share._asdict() if pairs.total else None,
            "sentence": self.sentence,
        }


def _bounds(share: Interval, *, mirrored: bool) -> str:
    """Return the bounds of a share in percent, of the other player if mirrored."""
    low, high = share.low, share.high
    if low is None or high is None:
        return f"{100 * (1 - share.mean if mirrored else share.mean):.0f} %"
    low, high = (1 - high, 1 - low) if mirrored else (low, high)
    return f"{100 * low:.0f} to {100 * high:.0f} %"


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
