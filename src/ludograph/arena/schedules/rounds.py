"""Tournaments in rounds: Swiss pairing, and tables of the most valuable pairs.

Round r is played on start r. So the round under way follows from the finished games, and a
tournament that was killed continues in the middle of a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from ludograph.arena.arrays import Floats
from ludograph.arena.finished_game import GameKey
from ludograph.arena.results import Games, Results
from ludograph.arena.schedules.seatings import (
    Pairing,
    check_number,
    check_players,
    rotations,
    without,
)


@dataclass(frozen=True, slots=True)
class Swiss:
    """Players with similar points meet, and meet new opponents as far as possible.

    All players play in each round. If their number is no multiple of the seats, the last ones in
    points among those that rested least have a bye, which counts like wins.

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

    players: tuple[str, ...]
    rounds: int
    seats: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the fields; raise InvalidInput."""
        check_players(self.players, self.seats)
        check_number("rounds", self.rounds)

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the remaining games of the round under way, or those of the next round."""
        games = Results.of(finished).among(self.players).sorted()
        count = Counter(games.starts.tolist())
        whole = len(self.players) // self.seats * self.seats
        number = next((number for number in range(self.rounds) if count[number] < whole), None)
        if number is None:
            return []
        pairings = self.pair(number, games[games.starts < number])
        keys = (key for pairing in pairings for key in rotations(pairing))
        return without(keys, games)

    def pair(self, number: int, before: Results) -> list[Pairing]:
        """Return the pairings of a round, given the games of the rounds before."""
        order = Random(f"{self.seed} {number}").sample(self.players, len(self.players))
        tables = Counter(player for start in _tables(before) for player in start[1])
        totals, gained = before.totals, {}
        for player in self.players:
            rest = (number - tables[player]) * self.seats  # for rounds of rest
            gained[player] = totals.get(player, 0.0) + rest
        order.sort(key=lambda player: -gained[player])
        return _matched(number, order, tables, _met(before), self.seats)


def most_valuable(
    value: Floats,
    players: Sequence[str],
    start: int,
    seats: int = 2,
    tables: Counter[str] | None = None,
) -> list[Pairing]:
    """Return tables at which each player sits once, the most valuable ones first.

    Parameters
    ----------
    value
        float64[players, players]: of each pair of players.
    players
        In the order that decides between equal values.
    tables
        How often each player has played. If their number is no multiple of the seats, those that
        played most rest.
    """
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
