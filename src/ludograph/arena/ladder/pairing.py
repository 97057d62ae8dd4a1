"""Pairings for the next games of a ladder."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import chain, combinations, permutations
from operator import attrgetter
from random import Random
from typing import NamedTuple

import numpy as np

from ludograph.arena.played_game import PlayedGame, without_repeats
from ludograph.arena.ratings.model import Floats
from ludograph.arena.schedules import Pairing
from ludograph.arena.schedules.information import pair_values
from ludograph.arena.schedules.rounds import most_valuable

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
    games: Sequence[PlayedGame],
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
    :func:`~ludograph.arena.schedules.information.pair_values`. A pairing that was chosen in one
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
    count = Counter(chain.from_iterable(map(attrgetter("seating"), games)))
    fresh = {one for one in players if count[one] < first_games} - suspects - steps
    rested = Counter({one: 1 + count[one] for one in players if one not in fresh})
    tables = len(fresh) if fresh else len(players) // seats
    rounds = max(1, round(SHARE * len(games) / (tables * seats)), FEW_TABLES // tables)
    rounds = min(rounds, FIRST_ROUNDS) if fresh else rounds
    distinct = without_repeats(games)
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


def novelty(
    players: Sequence[str], distinct: Sequence[PlayedGame], games: Sequence[PlayedGame]
) -> Floats:
    """Return float64[players, players]: the probability that two players' next game is a new one.

    It is estimated as (distinct games + 1) / (games + 1), by Laplace's rule: 1 for two players that
    never met.

    Parameters
    ----------
    distinct
        The games without those that repeat earlier ones.
    """
    place = {player: number for number, player in enumerate(players)}
    counts = np.ones((2, len(players), len(players)))
    for count, played in zip(counts, (distinct, games), strict=True):
        for seating, times in Counter(map(attrgetter("seating"), played)).items():
            seated = [place[player] for player in seating if player in place]
            for one, other in permutations(seated, 2):
                count[one, other] += times
    return np.asarray(counts[0] / counts[1])


class Basis(NamedTuple):
    """The games that ratings are computed from.

    Attributes
    ----------
    games
        Those between players that take part now and a bounded number of earlier versions.
    past
        The earlier versions.
    """

    games: list[PlayedGame]
    past: set[str]


def basis(games: Iterable[PlayedGame], present: Collection[str], most_past: int = PAST) -> Basis:
    """Return the games from which players that take part now are rated.

    Games against a version that has left still count while they are among the latest. The number
    of such versions is bounded, so that ratings take no longer from week to week.
    """
    games = list(games)
    known = set(present)
    seated = set(chain.from_iterable(map(attrgetter("seating"), games)))
    if len(seated - known) < most_past:  # then no player is left out
        return Basis(games, seated - known)
    past: dict[str, None] = {}
    for game in reversed(games):
        for player in game.seating:
            if player not in known and len(past) < most_past:
                past[player] = None
    known |= past.keys()
    return Basis([game for game in games if known.issuperset(game.seating)], set(past))


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

    def add(self, game: PlayedGame, players: Collection[str] | None = None) -> None:
        """Add a game, later than all before, for some of its players or for all."""
        reasons = dict(game.forfeits)
        sound = len(game.seating) - len(reasons)
        for seat, player in enumerate(game.seating):
            if players is not None and player not in players:
                continue
            if seat in reasons or sound > 1:
                latest = self._latest.setdefault(player, deque(maxlen=2 * self._patience))
                latest.append(reasons.get(seat, ""))

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
