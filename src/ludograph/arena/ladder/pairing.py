"""The jobs of a ladder: those that an earlier run has left, the next pairings, repeated games.

A job is a list of the games of a pairing on a start, one with each seating. Pairings follow from
the expected information of a game.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import chain, combinations, permutations
from random import Random

import numpy as np

from ludograph.arena.arrays import Floats
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.folder import State
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.suspension import Suspensions
from ludograph.arena.ratings.fit import estimate
from ludograph.arena.results import Games, Results, RunningResults
from ludograph.arena.schedules import Pairing, most_valuable, rotations

QUICK_SECONDS = 1.0
"""A version that takes longer to start plays one game at a time."""


class LadderQueue:
    """Jobs that wait to be played.

    Parameters
    ----------
    start
        The number of the next start.
    games
        The latest games of earlier runs.
    unfinished
        Jobs of which an earlier run has played some games.

    Attributes
    ----------
    games
        The latest games, from which the next pairings follow.
    plans
        How often pairings were planned.
    """

    def __init__(
        self,
        ladder: Ladder,
        state: State,
        suspensions: Suspensions,
        start: int,
        games: Results,
        unfinished: Iterable[list[GameKey]],
    ) -> None:
        self._ladder, self._state, self._suspensions = ladder, state, suspensions
        self.games = RunningResults(games, ladder.rated_games)
        self.plans = 0
        self._start = start
        self._planned: deque[list[GameKey]] = deque()
        self._begun = deque(unfinished)  # games of jobs of which others have begun
        self._repeated: set[GameKey] = set()  # void games that are played again
        self._quick: set[str] = set()  # versions whose latest start took at most a second

    def __bool__(self) -> bool:
        """Whether a job waits."""
        return bool(self._planned or self._begun)

    def next(self, under_way: Iterable[GameKey], *, once: bool) -> list[GameKey]:
        """Take the next job that can begin now; return an empty one if there is none.

        Parameters
        ----------
        under_way
            The games that are played now.
        once
            Whether pairings are planned only once.
        """
        under_way = list(under_way)
        ready = self._ready(under_way)
        while not (job := self._take(ready, under_way)):
            if (once and self.plans) or not ready or not self._plan(ready, under_way):
                return []
        return job

    def put_back(self, job: list[GameKey]) -> None:
        """Take back games that did not begin; they are dropped when one of their players leaves."""
        if job:
            self._begun.append(job)

    def void(self, key: GameKey, *, again: bool) -> None:
        """Schedule a game without a result once more if it is to be played again, but only once."""
        if again and key not in self._repeated:
            self._repeated.add(key)
            self._begun.append([key])  # its players meet others first
        else:
            self._repeated.discard(key)

    def end(self, game: FinishedGame) -> None:
        """Count a game with a result."""
        self.games.add(game)
        self._repeated.discard(game.key)
        for label, seconds in zip(game.key.seating, game.starts, strict=True):
            (self._quick.add if seconds <= QUICK_SECONDS else self._quick.discard)(label)

    def change(self) -> None:
        """Forget the plan after players have come or left: the next one puts new players first."""
        self._planned.clear()
        self._quick &= {one.label for one in self._state.active}

    def _ready(self, under_way: list[GameKey]) -> set[str]:
        """Return the labels of players that can play now; none if only built-in players can.

        A version plays one game at a time if it is new or starts slowly, so that its starts hold
        one worker at most.
        """
        seated = set(chain.from_iterable(key.seating for key in under_way))
        active = self._state.active
        ready = {one.label for one in active if one.version} - (seated - self._quick)
        return ready | {one.label for one in active if not one.version} if ready else set()

    def _take(self, ready: set[str], under_way: list[GameKey]) -> list[GameKey]:
        """Take the first job that can begin, and drop those of players that have left.

        Its players must be ready, and no other game of its start under way.
        """
        active = {one.label for one in self._state.active}
        starts = {key.start for key in under_way}
        for jobs in (self._planned, self._begun):
            present = [job for job in jobs if active.issuperset(job[0].seating)]
            jobs.clear()
            jobs.extend(present)
            for job in present:
                if ready.issuperset(job[0].seating) and job[0].start not in starts:
                    jobs.remove(job)
                    return job
        return []

    def _plan(self, ready: set[str], under_way: list[GameKey]) -> bool:
        """Plan pairings of players that can play now; return whether there are any."""
        ladder = self._ladder
        pairings = next_pairings(
            sorted(ready),
            basis(self.games.results, ready),
            self._start,
            ladder.seats,
            ladder.first_games,
            self._suspensions.suspects,
            ladder.steps,
        )
        self._repeated.intersection_update(chain(*self._begun, under_way))
        self._start += len(pairings)
        self.plans += 1
        self._planned.extend(list(rotations(pairing)) for pairing in pairings)
        return bool(pairings)


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
