"""The sequential probability ratio test (SPRT) on pairs of games, which decides when to stop.

Two games on one start with the seats exchanged make a pair, whose score is 0, 1/2, 1, 3/2 or 2; the
counts of these scores are the pentanomial statistic. Pairs are independent, games are not. Wald's
sequential probability ratio test compares the likelihood of the counts if the true difference is
elo1 with their likelihood if it is elo0. The other unknown parameters (such as the share of even
pairs) have, under each hypothesis, the values of highest likelihood; that is the generalized test,
with Wald's bounds, which testers of chess engines use (M. Van den Bergh, "The generalized SPRT
(GSPRT)" and "Normalized Elo"; the mathematics pages of fishtest).

Elo of a hypothesis is either *logistic*: an expected score of 1 / (1 + 10 ** (-elo / 400)), or
*normalized*: (expected score - 1/2) over the standard deviation of one game, times 800 / log 10,
which is the same for small differences where no games are drawn. The number of games of a test
depends only on normalized Elo; the strength of a player is measured in logistic Elo.

Pairs are added in the order of their starts. So the result of a test depends neither on the number
of processes nor on interruptions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.arena.results import Games, Results

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair of games, per game."""

UNSEEN = 1e-3
"""The count used for a score without pairs, so that no hypothesis is impossible."""

NORMALIZED = 800 / math.log(10)
"""Normalized Elo per standard deviation of a game."""

STEPS = 60

LARGER, MOST_LARGER = (5, 20), 800
"""The larger differences of a :class:`MixedSprt`, as multiples of the least one, and their limit in
Elo. The least difference has half of the weight, the larger ones share the other half."""


class Scale(StrEnum):
    """The meaning of Elo in the hypotheses of a test."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


LARGEST = {Scale.LOGISTIC: 2000, Scale.NORMALIZED: 200}
"""The largest difference of a hypothesis."""


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

    Attributes
    ----------
    elo0, elo1
        The hypotheses, ``elo0 < elo1``.
    alpha
        The probability to decide for elo1 when elo0 is true, at most.
    beta
        The probability to decide for elo0 when elo1 is true, at most.
    scale
        The meaning of Elo.

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
    scale: Scale = Scale.LOGISTIC

    def to_data(self) -> dict[str, float | str]:
        """Return the test as JSON-able data, from which ``Sprt(**data)`` makes it again."""
        return {**asdict(self), "scale": str(self.scale)}

    def __post_init__(self) -> None:
        """Check the numbers; raise InvalidInput."""
        most = LARGEST[self.scale]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise InvalidInput(
                f"sprt: elo0={self.elo0:g} must be below elo1={self.elo1:g}, "
                f"both within {-most} and {most}"
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
        llr = self.llr(counts)
        verdict = SprtVerdict.GOES_ON
        if llr >= upper:
            verdict = SprtVerdict.UPPER
        elif llr <= lower:
            verdict = SprtVerdict.LOWER
        return TestState(llr, lower, upper, verdict, sum(counts))

    def conclusion(self, verdict: SprtVerdict, player: str, opponent: str) -> str:
        """Return the conclusion of a verdict in a sentence, without the full stop.

        Accepting elo1 shows that the difference is not elo0 or less, accepting elo0 that it is not
        elo1 or more: the error probabilities are those at the hypothesis that is rejected. Values
        in between are left open.

        Examples
        --------
        >>> Sprt(0, 50).conclusion(SprtVerdict.UPPER, "new", "old")
        'new is shown to be better than old'
        >>> Sprt(0, 50).conclusion(SprtVerdict.LOWER, "old", "new")
        'old is shown to be less than 50 Elo better than new, if it is better at all'
        """
        elo = "Elo" if self.scale == Scale.LOGISTIC else "normalized Elo"
        bound = self.elo0 if verdict == SprtVerdict.UPPER else self.elo1
        size = f"{abs(bound):g} {elo}"
        if verdict == SprtVerdict.GOES_ON:
            return (
                f"it is not decided yet whether {player} is {_difference(self.elo1, elo)} "
                f"{opponent} or {_difference(self.elo0, elo)} it"
            )
        shown_as, other = (
            ("better", "weaker") if verdict == SprtVerdict.UPPER else ("weaker", "better")
        )
        shown = f"{player} is shown to be"
        if bound == 0:
            return f"{shown} {shown_as} than {opponent}"
        if (bound > 0) == (verdict == SprtVerdict.UPPER):
            return f"{shown} more than {size} {shown_as} than {opponent}"
        return f"{shown} less than {size} {other} than {opponent}, if it is {other} at all"

    def llr(self, counts: Sequence[int]) -> float:
        """Return the logarithm of the generalized likelihood ratio of elo1 to elo0."""
        if len(counts) != len(SCORES) or any(count < 0 for count in counts):
            raise InvalidInput("sprt: five counts of pairs, 0 or more each")
        pairs = sum(counts)
        if pairs == 0:
            return 0.0
        filled = [count or UNSEEN for count in counts]
        total = sum(filled)
        seen = [count / total for count in filled]
        at0, at1 = (self._likeliest(seen, elo) for elo in (self.elo0, self.elo1))
        return total * sum(
            part * math.log(high / low) for part, high, low in zip(seen, at1, at0, strict=True)
        )

    def _likeliest(self, seen: Sequence[float], elo: float) -> list[float]:
        if self.scale == Scale.LOGISTIC:
            return likeliest_with_mean(seen, SCORES, expected_score(elo))
        return likeliest_with_ratio(seen, SCORES, math.sqrt(2) * elo / NORMALIZED)


@dataclass(frozen=True, slots=True)
class MixedSprt:
    """A test that finds a large difference after few pairs, and also a small one.

    A test with a small elo1 needs many pairs even if one player wins all of them. So several
    alternatives are tested against one elo0: the weighted mean of their likelihood ratios is again
    a likelihood ratio, for which Wald's upper bound holds (Robbins, "Statistical methods related to
    the law of the iterated logarithm", 1970).

    Attributes
    ----------
    tests
        Tests with the same elo0, alpha and beta, the one with the least elo1 first: only that one
        can accept elo0.
    """

    tests: tuple[Sprt, ...]

    @classmethod
    def from_difference(cls, elo: float, error: float) -> MixedSprt:
        """Return a test for a difference in Elo, and for some larger ones."""
        larger = (factor * elo for factor in LARGER if factor * elo <= MOST_LARGER)
        return cls(tuple(Sprt(0, elo1, error, error) for elo1 in (elo, *larger)))

    def state(self, counts: Sequence[int]) -> TestState:
        """Return the state of the test; ``llr`` is that of the mixture."""
        lower, upper = self.tests[0].bounds
        llrs = [test.llr(counts) for test in self.tests]
        greatest = max(llrs)
        shares = [math.exp(llr - greatest) for llr in llrs]
        others = sum(shares[1:]) / len(shares[1:]) if len(shares) > 1 else shares[0]
        llr = greatest + math.log((shares[0] + others) / 2)
        verdict = SprtVerdict.GOES_ON
        if llr >= upper:
            verdict = SprtVerdict.UPPER
        elif llrs[0] <= lower:
            verdict = SprtVerdict.LOWER
        return TestState(llr, lower, upper, verdict, sum(counts))


def _difference(difference: float, elo: str) -> str:
    """Return a difference in words, followed in the sentence by the name of a player."""
    if difference == 0:
        return "equal to"
    return f"{abs(difference):g} {elo} {'better' if difference > 0 else 'weaker'} than"


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


def likeliest_with_ratio(
    seen: Sequence[float], values: Sequence[float], ratio: float
) -> list[float]:
    """Return the likeliest distribution whose mean is 1/2 plus ``ratio`` standard deviations.

    The condition is not linear in the probabilities p. Around a distribution with mean m and
    deviation s it is, to first order: the mean under p of ``value - ratio * s * (1 + ((value - m) /
    s) ** 2) / 2`` is 1/2. So a sequence of conditions on a mean is solved, each around the solution
    before, the first around the uniform distribution, for which this is possible with any ratio
    between -1 and 1.
    """
    parts = [1 / len(values)] * len(values)
    for _ in range(STEPS):
        mean = sum(part * value for part, value in zip(parts, values, strict=True))
        spread = math.sqrt(
            sum(part * (value - mean) ** 2 for part, value in zip(parts, values, strict=True))
        )
        bent = [
            value - ratio * spread * (1 + ((value - mean) / spread) ** 2) / 2 for value in values
        ]
        before, parts = parts, likeliest_with_mean(seen, bent, 0.5)
        if max(abs(a - b) for a, b in zip(before, parts, strict=True)) < 1e-10:
            break
    return parts


PairGame = tuple[int, tuple[str, ...], Sequence[float]]
"""A game in a test: its start, its seating, and the points by seat."""


def pair_games(games: Games) -> Iterable[PairGame]:
    """Return games as a test counts them."""
    from ludograph.arena.results import Results

    games = Results.of(games)
    return zip(games.starts.tolist(), games.seatings, games.points.tolist(), strict=True)


def pentanomial(games: Games, player: str) -> tuple[int, ...]:
    """Return the numbers of pairs in which a player got 0, 1/2, 1, 3/2 and 2 points.

    A pair is the two games of the same two players on one start; games without a partner are left
    out, and so are games of others.

    Raises
    ------
    InvalidInput
        If a game of the player has more than two seats.
    """
    return _pair_counts(pair_games(games), player)


def _pair_counts(games: Iterable[PairGame], player: str) -> tuple[int, ...]:
    open_games: dict[tuple[int, frozenset[str]], dict[tuple[str, ...], float]] = {}
    for start, seating, points in games:
        if player not in seating:
            continue
        if len(seating) != 2:
            raise InvalidInput("sprt: a test on pairs of games needs games of two seats")
        both = open_games.setdefault((start, frozenset(seating)), {})
        both[seating] = points[seating.index(player)]
    counts = [0] * len(SCORES)
    for both in open_games.values():
        if len(both) == 2:
            counts[round(2 * sum(both.values()))] += 1
    return tuple(counts)


class Decided(NamedTuple):
    """The state of a test after some games.

    Attributes
    ----------
    state
        The state after the complete starts, in their order.
    counts
        The numbers of its pairs by the points of the first player.
    stopped
        The start at which it stopped; None while it goes on.
    """

    state: TestState
    counts: tuple[int, ...]
    stopped: int | None

    def counted(self, games: Results) -> Results:
        """Return the games played until the test stopped."""
        return games if self.stopped is None else games[games.starts <= self.stopped]


class RunningTest:
    """A test to which games are added as they end."""

    def __init__(self, sprt: Sprt | MixedSprt, player: str, games: Games = ()) -> None:
        self._sprt, self._player = sprt, player
        self._open: dict[int, list[PairGame]] = defaultdict(list)
        self._next = 0
        self.decided = Decided(sprt.state((0,) * len(SCORES)), (0,) * len(SCORES), None)
        for game in pair_games(games):
            self.add(*game)

    @property
    def is_decided(self) -> bool:
        """Whether further games cannot change the verdict."""
        return self.decided.stopped is not None

    def add(self, start: int, seating: tuple[str, ...], points: Sequence[float]) -> None:
        """Add a game with its points by seat; it counts when all pairs before it are complete."""
        self._open[start].append((start, seating, points))
        while self.decided.stopped is None:
            pair = _pair_counts(self._open.get(self._next, ()), self._player)
            if not sum(pair):
                return
            counts = tuple(a + b for a, b in zip(self.decided.counts, pair, strict=True))
            state = self._sprt.state(counts)
            sure = None if state.verdict == SprtVerdict.GOES_ON else self._next
            self.decided = Decided(state, counts, sure)
            self._next += 1


def decided(sprt: Sprt, player: str, games: Games) -> Decided:
    """Return the state of a player's test after games in any order."""
    return RunningTest(sprt, player, games).decided
