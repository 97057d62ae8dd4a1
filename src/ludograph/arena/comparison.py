"""Comparison of two players: pairs of games until the better one is certain.

Two tests of :mod:`ludograph.arena.sprt` use the same pairs: one tests whether the first player is
better than the second, one whether the second is better than the first, by the least difference
that matters or by a larger one. Each may err with half of the allowed probability, so the answer
does not depend on the order of the two names.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from ludograph.arena.intervals import Interval, Pairs, of_points, pairs_of
from ludograph.arena.results import Games
from ludograph.arena.sprt import MixedSprt, PairGame, RunningTest, SprtVerdict, pair_games

ERROR = 0.025
"""The probability of each test to call a player better that is not."""


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
    """

    def __init__(self, elo: float, players: tuple[str, str], games: Games = ()) -> None:
        sprt = MixedSprt.from_difference(elo, ERROR)
        self.elo, self.players = elo, players
        self._tests = tuple(RunningTest(sprt, player) for player in players)
        self._games: list[PairGame] = []
        for game in pair_games(games):
            self.add(*game)

    def add(self, start: int, seating: tuple[str, ...], points: Sequence[float]) -> None:
        """Add a game of both players; it counts if both seatings of its start are there."""
        self._games.append((start, seating, points))
        for test in self._tests:
            test.add(start, seating, points)

    @property
    def is_decided(self) -> bool:
        """Whether further games cannot change the answer."""
        return self.answer != ComparisonAnswer.OPEN

    @property
    def answer(self) -> ComparisonAnswer:
        """The answer so far; it does not change any more unless it is open."""
        first, second = (test.decided.state.verdict for test in self._tests)
        if first == SprtVerdict.UPPER:
            return ComparisonAnswer.FIRST
        if second == SprtVerdict.UPPER:
            return ComparisonAnswer.SECOND
        if first == second == SprtVerdict.LOWER:
            return ComparisonAnswer.CLOSE
        return ComparisonAnswer.OPEN

    @property
    def counted(self) -> dict[int, list[PairGame]]:
        """The games of the pairs that the answer uses, by pair."""
        stops = [test.decided.stopped for test in self._tests]
        known = [stop for stop in stops if stop is not None]
        last = {
            ComparisonAnswer.FIRST: stops[0],
            ComparisonAnswer.SECOND: stops[1],
            ComparisonAnswer.CLOSE: max(known, default=None),
            ComparisonAnswer.OPEN: None,
        }[self.answer]
        pairs: dict[int, list[PairGame]] = {}
        for game in sorted(self._games):
            if last is None or game[0] <= last:
                pairs.setdefault(game[0], []).append(game)
        return {start: games for start, games in pairs.items() if len(games) == 2}

    @property
    def pairs(self) -> Pairs:
        """The results of the pairs."""
        return pairs_of(self._points)

    @property
    def points(self) -> Interval:
        """The first player's share of the points, with its 95 % interval.

        A comparison stops when the difference looks large, so after an early stop the share is a
        little too far from one half.
        """
        return of_points([[first for first, _ in games] for games in self._points])

    @property
    def _points(self) -> list[list[tuple[float, float]]]:
        """For each pair that counts, the points of both players in its games."""
        first, second = self.players
        return [
            [
                (points[seating.index(first)], points[seating.index(second)])
                for _, seating, points in games
            ]
            for games in self.counted.values()
        ]

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
