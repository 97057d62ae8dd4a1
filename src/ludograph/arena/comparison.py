"""Comparison of two players: pairs of games until the better one is certain.

A test of :mod:`ludograph.arena.sprt` looks at the pairs from both sides: whether the first player
is better than the second, and whether the second is better than the first, by the least difference
that matters or by a larger one. Each side may err with half of the allowed probability, so the
answer does not depend on the order of the two names.

Pairs are added in the order of their starts. So the answer depends neither on the number of
processes nor on interruptions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from ludograph.arena.intervals import Interval, Pairs, of_points, pairs_of
from ludograph.arena.results import Games, Results
from ludograph.arena.sprt import SCORES, Sprt, SprtVerdict

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
