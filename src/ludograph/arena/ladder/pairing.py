"""Pairings for the next games of a ladder, by the information that is expected of a game."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Sequence, Set
from itertools import combinations, permutations
from random import Random

import numpy as np

from ludograph.arena.arrays import Floats
from ludograph.arena.ratings.fit import estimate
from ludograph.arena.results import Games, Results
from ludograph.arena.schedules.rounds import most_valuable
from ludograph.arena.schedules.seatings import Pairing

SHARE = 0.02
"""Pairings are planned for this share of the games so far, since planning takes time."""

FEW_TABLES = 4
"""The least number of tables that are planned at a time, where there are few players."""

FIRST_ROUNDS = 3
"""Opponents that a version without enough games is given at a time, at most."""

DIGITS = 9
"""Values are rounded to this number of digits: further digits, and so pairings, depend on the
processor."""

PAST = 100
"""The most versions that no longer play, in the games that ratings are computed from."""


def next_pairings(
    players: Sequence[str],
    games: Results,
    start: int,
    seats: int = 2,
    first_games: int = 0,
    suspects: Set[str] = frozenset(),
    steps: Set[str] = frozenset(),
) -> list[Pairing]:
    """Return the next pairings, each on a start of its own.

    If some players have fewer than ``first_games`` games, each table has such a player, apart from
    suspects and steps; otherwise all players play in each round. Games with the highest
    expected information come first, see
    :func:`~ludograph.arena.ladder.pairing.pair_values`. A pairing that was chosen in one
    round has a lower value in the next, and so have two players that mostly repeat their games.

    Parameters
    ----------
    players
        Labels of those that play.
    games
        The latest ones of these players, and of others that have left.
    start
        The number of the first start; it also decides between equal values.
    first_games
        Players with fewer games go first.
    suspects
        Players whose games are void. Their opponents are drawn, since values follow from results;
        and games of others show whether they are the cause.
    steps
        Built-in players that do not go first: all but the reference of the ratings.
    """
    if len(players) < seats:
        return []
    drawn = Random(f"ladder {start}")
    order = drawn.sample(sorted(players), len(players))
    count = games.counts
    fresh = {one for one in players if count.get(one, 0) < first_games} - suspects - steps
    rested = Counter({one: 1 + count.get(one, 0) for one in players if one not in fresh})
    tables = len(fresh) if fresh else len(players) // seats
    rounds = max(1, round(SHARE * len(games) / (tables * seats)), FEW_TABLES // tables)
    rounds = min(rounds, FIRST_ROUNDS) if fresh else rounds
    distinct = games.without_repeats()
    values = (pair_values(order, distinct) * novelty(order, distinct, games)).round(DIGITS)
    place = {player: number for number, player in enumerate(order)}
    for suspect in sorted(place.keys() & suspects):
        values[place[suspect]] = values[:, place[suspect]] = [drawn.random() for _ in order]
    pairings: list[Pairing] = []
    for _ in range(rounds):
        for table in most_valuable(values, order, start, seats, rested):
            for player in table.players:
                rested[player] += seats
            for one, other in combinations((place[player] for player in table.players), 2):
                values[one, other] /= 2
                values[other, one] /= 2
            if not fresh or fresh.intersection(table.players):
                pairings.append(Pairing(start + len(pairings), table.players))
    return pairings


def novelty(players: Sequence[str], distinct: Results, games: Results) -> Floats:
    """Return float64[players, players]: the probability that two players' next game is a new one.

    It is estimated as (distinct games + 1) / (games + 1), by Laplace's rule: 1 for two players that
    never met.

    Parameters
    ----------
    distinct
        The games without those that repeat earlier ones.
    """
    return (1 + met(players, distinct)) / (1 + met(players, games))


def met(players: Sequence[str], games: Results) -> Floats:
    """Return float64[players, players]: the number of games of each two players."""
    place = {player: number for number, player in enumerate(players)}
    rest = len(players)  # the place of all others
    number = np.array([place.get(name, rest) for name in games.names], np.int64)
    seated, count = number[games.players], np.zeros((rest + 1) ** 2)
    for seat, other in permutations(range(games.seats), 2):
        pair = seated[:, seat] * (rest + 1) + seated[:, other]
        count += np.bincount(pair, minlength=len(count))
    return count.reshape(rest + 1, rest + 1)[:rest, :rest]


def basis(games: Results, present: Collection[str], most_past: int = PAST) -> Results:
    """Return the games from which players that take part now are rated.

    Games against a version that has left still count while they are among the latest. The number
    of such versions is bounded, so that ratings take no longer from week to week.
    """
    known = set(present)
    past = [player for player in games[::-1].seated if player not in known][:most_past]
    return games.among(known.union(past))


class OwnFaults:
    """Forfeits of players in their latest games.

    A game that a player did not forfeit counts only if an opponent played it to its end, too:
    otherwise two players that always fail would win by each other's forfeits.

    Parameters
    ----------
    patience
        This number of own forfeits in a row is too many. So are forfeits in three fourths of twice
        as many games.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._latest: dict[str, deque[str]] = {}  # reasons of forfeits; empty where there was none

    def add(
        self,
        seating: Sequence[str],
        forfeits: Sequence[str],
        players: Collection[str] | None = None,
    ) -> None:
        """Add a game, later than all before, for some of its players or for all.

        Parameters
        ----------
        forfeits
            The reasons of forfeits by seat, empty for a seat that did not forfeit.
        """
        sound = sum(not reason for reason in forfeits)
        for player, reason in zip(seating, forfeits, strict=True):
            if players is not None and player not in players:
                continue
            if reason or sound > 1:
                latest = self._latest.setdefault(player, deque(maxlen=2 * self._patience))
                latest.append(reason)

    def too_many(self, player: str) -> str:
        """Return how often a player has forfeited, if that is too often; else an empty text."""
        latest = list(self._latest.get(player, ()))
        row = 0
        for reason in reversed(latest):
            if not reason:
                break
            row += 1
        if row >= self._patience:
            return f"{row} forfeits in a row, {latest[-1]}"
        count = sum(map(bool, latest))
        if latest and latest[-1] and 4 * count >= 3 * 2 * self._patience:
            return f"forfeits in {count} of the latest {len(latest)} games, {latest[-1]}"
        return ""

    def forget(self, player: str) -> None:
        """Forget the games of a player."""
        self._latest.pop(player, None)

    def keep(self, players: Collection[str]) -> None:
        """Forget all other players."""
        self._latest = {one: latest for one, latest in self._latest.items() if one in players}


PRIOR_GAMES = 1.0


def pair_values(players: Sequence[str], games: Games) -> Floats:
    """Return float64[players, players]: the expected information of a game, symmetric.

    For strengths that differ by d, with a variance v of that estimate, and p the probability that
    the first player wins, it is the product of

    - log(1 + p (1 - p) v) / 2: the information about d that a game brings (Lindley 1956, "On a
      measure of the information provided by an experiment"; MacKay 1992 on choosing data), and
    - the entropy, in bits, of the question which of them is stronger, by the estimated likelihood
      of superiority.

    The values have single precision: the last bits of double precision depend on the processor, and
    pairs of equal value are to meet in the same order everywhere.
    """
    estimated = estimate(games, players, prior=PRIOR_GAMES)
    place = {player: number for number, player in enumerate(estimated.players)}
    rows = np.array([place[player] for player in players], np.int64)
    strength = estimated.strengths[rows]
    covariance = estimated.uncertainty.model[np.ix_(rows, rows)]
    own = covariance.diagonal()
    variance = np.maximum(own[:, None] + own - 2 * covariance, 1e-12)
    difference = np.abs(strength[:, None] - strength)
    chance = 1 / (1 + np.exp(-difference))
    gain = np.log1p(chance * (1 - chance) * variance) / 2
    values = gain * _doubt(difference / np.sqrt(variance))
    return values.astype(np.float32).astype(np.float64)


def _doubt(deviations: Floats) -> Floats:
    """Return the entropy, in bits, of a normal variable being above 0, by its z-score."""
    scaled = (deviations / math.sqrt(2)).ravel().tolist()
    worse = 0.5 * np.fromiter(map(math.erfc, scaled), np.float64, len(scaled))
    worse = np.clip(worse.reshape(deviations.shape), 1e-300, 0.5)
    better = 1 - worse
    return -(worse * np.log2(worse) + better * np.log2(better))
