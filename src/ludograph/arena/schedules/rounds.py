"""Tournaments in rounds: Swiss pairing, and pairing by expected information.

Round r is played on start r. So the round under way follows from the finished games, and a
tournament that was killed continues in the middle of a round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from ludograph.arena.arrays import Floats
from ludograph.arena.finished_game import GameKey
from ludograph.arena.results import Games, Results
from ludograph.arena.schedules.information import pair_values
from ludograph.arena.schedules.seatings import (
    Pairing,
    check_number,
    check_players,
    rotations,
    without,
)

PairRound = Callable[[int, Results], list[Pairing]]


def round_under_way(
    finished: Games,
    players: Sequence[str],
    rounds: int,
    seats: int,
    most: int | None,
    pair: PairRound,
) -> list[GameKey]:
    """Return the remaining games of the first round that is not finished.

    Parameters
    ----------
    pair
        Called with the number of a round and the games of the rounds before, sorted.
    """
    games = Results.of(finished).among(players).sorted()
    count = Counter(games.starts.tolist())
    whole = len(players) // seats * (seats if most is None else min(most, seats))
    number = next((number for number in range(rounds) if count[number] < whole), None)
    if number is None:
        return []
    pairings = pair(number, games[games.starts < number])
    keys = (key for pairing in pairings for key in rotations(pairing, most))
    return without(keys, games)


@dataclass(frozen=True, slots=True)
class Rounds(ABC):
    """A schedule of rounds: the pairings of a round depend on the games of earlier rounds."""

    players: tuple[str, ...]
    rounds: int
    seats: int = 2
    most: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the fields; raise InvalidInput."""
        check_players(self.players, self.seats)
        check_number("rounds", self.rounds)
        if self.most is not None:
            check_number("games per table", self.most)

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the remaining games of the round under way, or those of the next round."""
        return round_under_way(
            finished, self.players, self.rounds, self.seats, self.most, self.pair
        )

    @abstractmethod
    def pair(self, number: int, before: Results) -> list[Pairing]:
        """Return the pairings of a round, given the games of the rounds before."""


@dataclass(frozen=True, slots=True)
class Swiss(Rounds):
    """Players with similar points meet, and meet new opponents as far as possible.

    All players play in each round. If their number is no multiple of the seats, the last ones in
    points among those that rested least have a bye, which counts like draws.

    Attributes
    ----------
    rounds
        The binary logarithm of the number of players is enough to find a winner; more rounds make a
        table.
    seed
        Decides between equal points, and the first round.

    Raises
    ------
    InvalidInput
        If a number is below 1, a player is there twice, or too few are there.
    """

    def pair(self, number: int, before: Results) -> list[Pairing]:
        """Return the pairings of a round, given the games of the rounds before."""
        order = Random(f"{self.seed} {number}").sample(self.players, len(self.players))
        tables = Counter(player for start in _tables(before) for player in start[1])
        games = self.seats if self.most is None else min(self.most, self.seats)
        totals, gained = before.totals, {}
        for player in self.players:
            rest = (number - tables[player]) * games / 2  # for rounds of rest
            gained[player] = totals.get(player, 0.0) + rest
        order.sort(key=lambda player: -gained[player])
        return _matched(number, order, tables, _met(before), self.seats)


@dataclass(frozen=True, slots=True)
class Adaptive(Rounds):
    """Games that can change the order of the table come first.

    Before each round the strengths are estimated. Then players meet whose game has the highest
    expected information: the outcome is open, the difference of their strengths is uncertain, and
    so is which of them is stronger (see :func:`pair_values`). All players play in each round.

    Attributes
    ----------
    seed
        Decides between equal values, and the first round.

    Raises
    ------
    InvalidInput
        If a number is below 1, a player is there twice, or too few are there.
    """

    def pair(self, number: int, before: Results) -> list[Pairing]:
        """Return the pairings of a round, given the games of the rounds before."""
        tables = Counter(player for start in _tables(before) for player in start[1])
        order = Random(f"{self.seed} {number}").sample(self.players, len(self.players))
        return informative(order, before, number, self.seats, tables)


def informative(
    players: Sequence[str],
    before: Results,
    start: int,
    seats: int = 2,
    tables: Counter[str] | None = None,
) -> list[Pairing]:
    """Return tables at which each player sits once, the most informative ones first.

    Parameters
    ----------
    players
        In the order that decides between equal values.
    before
        All games so far.
    tables
        How often each player has played. If their number is no multiple of the seats, those that
        played most rest.
    """
    return most_valuable(pair_values(players, before), players, start, seats, tables)


def most_valuable(
    value: Floats,
    players: Sequence[str],
    start: int,
    seats: int = 2,
    tables: Counter[str] | None = None,
) -> list[Pairing]:
    """Return the same tables from the values of all pairs, float64[players, players]."""
    count = tables or Counter()
    resting = len(players) % seats
    free = set(range(len(players)))
    if resting:
        most = sorted(free, key=lambda one: count[players[one]])
        free -= set(most[-resting:])
    pairings = []
    ones, others = np.triu_indices(len(players), 1)
    order = np.argsort(-value[ones, others], kind="stable")
    for one, other in zip(ones[order].tolist(), others[order].tolist(), strict=True):
        if not free:
            break
        if one not in free or other not in free:
            continue
        table = [one, other]
        free -= {one, other}
        while len(table) < seats:
            best = max(sorted(free), key=lambda player: sum(value[player, table]))
            table.append(best)
            free.remove(best)
        pairings.append(Pairing(start, tuple(players[player] for player in table)))
    return pairings


def _tables(games: Results) -> set[tuple[int, frozenset[str]]]:
    return {(start, frozenset(seating)) for start, seating in games.keys}


def _met(games: Results) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for _, table in sorted((start, sorted(table)) for start, table in _tables(games))
        for pair in combinations(table, 2)
    )


def _matched(
    number: int,
    order: Sequence[str],
    tables: Counter[str],
    met: Counter[frozenset[str]],
    seats: int,
) -> list[Pairing]:
    """Fill tables from the top; each player meets the nearest of those it has met least."""
    left = list(order)
    for _ in range(len(order) % seats):
        most = max(tables[player] for player in left)
        resting = next(player for player in reversed(left) if tables[player] == most)
        left.remove(resting)
    filled: list[list[str]] = []
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            other = min(left, key=lambda one: sum(met[frozenset((one, at))] for at in table))
            left.remove(other)
            table.append(other)
        filled.append(table)
    if seats == 2:
        _mend(filled, met)
    return [Pairing(number, tuple(table)) for table in filled]


def _mend(tables: list[list[str]], met: Counter[frozenset[str]]) -> None:
    """Exchange opponents between pairs, the nearest first, so that fewer players meet again.

    Filling tables from the top may leave players for the last tables that have met before.
    """
    for place in reversed(range(len(tables))):
        again = met[frozenset(tables[place])]
        for other in sorted(range(len(tables)), key=lambda one: abs(one - place)):
            if not again or other == place:
                continue
            (a, b), (c, d) = tables[place], tables[other]
            now = again + met[frozenset((c, d))]
            for pairs in (((a, c), (b, d)), ((a, d), (b, c))):
                if sum(met[frozenset(pair)] for pair in pairs) < now:
                    tables[place], tables[other] = list(pairs[0]), list(pairs[1])
                    again = met[frozenset(pairs[0])]
                    break
