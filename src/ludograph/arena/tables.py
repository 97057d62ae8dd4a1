"""Standings and cross tables of a tournament, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from ludograph.arena.arrays import Bools, distinct
from ludograph.arena.ratings import Rating, Ratings
from ludograph.arena.results import Games, Results


@dataclass(slots=True)
class Standing:
    """A player's line.

    Attributes
    ----------
    points
        The sum over its games, see :attr:`ludograph.arena.Results.points`.
    wins, draws, losses
        Games in which it was first alone, first with others, not first.
    wins_by_seat
        Wins on each seat.
    forfeits
        Its own forfeits, by reason.
    rating
        None if no ratings were given.
    """

    player: str
    games: int = 0
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    wins_by_seat: Counter[int] = field(default_factory=Counter)
    forfeits: Counter[str] = field(default_factory=Counter)
    rating: Rating | None = None

    @property
    def score(self) -> float:
        """Points per game; 0 without games."""
        return self.points / self.games if self.games else 0.0


def standings(
    games: Games, players: Iterable[str] = (), ratings: Ratings | None = None
) -> list[Standing]:
    """Return a line per player: in the order of the ratings, or of points per game.

    Parameters
    ----------
    games
        Results, or rows ``(start, seating, ranks)`` as for :meth:`ludograph.arena.Results.of`.
    players
        More players for the table, whether or not they played.
    """
    games = Results.of(games)
    lines = {player: Standing(player) for player in dict.fromkeys((*players, *games.seated))}
    count_games(games, lines)
    if ratings is None:
        return sorted(lines.values(), key=lambda line: (-line.score, -line.games))
    place = {}
    for number, rating in enumerate(ratings.table):
        place[rating.player] = number
        lines.setdefault(rating.player, Standing(rating.player)).rating = rating
    return sorted(lines.values(), key=lambda line: place.get(line.player, len(place)))


def count_games(games: Results, lines: Mapping[str, Standing]) -> None:
    """Add games to the lines of their players; a player without a line is left out."""

    def counts(seats: Bools) -> list[int]:
        """Return for each player the number of its seats among some, bool[games, seats]."""
        return np.bincount(games.players[seats], minlength=len(games.names)).tolist()

    first = (games.ranks == 1) & ~games.is_void[:, None]
    alone = first & (first.sum(1, keepdims=True) == 1)
    played, drawn = counts(games.players >= 0), counts(first & ~alone)
    seats = np.arange(games.players.shape[1])
    won = [counts(alone & (seats == seat)) for seat in seats]
    forfeited = [counts(games.forfeits == reason) for reason in range(1, len(games.reasons))]
    gained = games.totals
    for number, player in enumerate(games.names):
        line = lines.get(player)
        if line is None:
            continue
        wins = Counter({seat: own[number] for seat, own in enumerate(won)})
        line.games += played[number]
        line.points += gained[player]
        line.wins += wins.total()
        line.draws += drawn[number]
        line.losses += played[number] - drawn[number] - wins.total()
        line.wins_by_seat += wins  # without seats that have none
        own = zip(games.reasons[1:], forfeited, strict=True)
        line.forfeits += Counter({reason: times[number] for reason, times in own})


@dataclass(frozen=True, slots=True)
class Meeting:
    """The results of a player in games with one opponent: the one that ranks higher wins."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for each win, half of one for each draw."""
        return self.wins + self.draws / 2


CrossTable = dict[str, dict[str, Meeting]]


def cross_table(games: Games, order: Sequence[str] = ()) -> CrossTable:
    """Return the results of each player against each opponent: ``table[player][opponent]``.

    Games that all seats forfeited are a loss for each player.

    Parameters
    ----------
    games
        Results, or rows ``(start, seating, ranks)`` as for :meth:`ludograph.arena.Results.of`.
    order
        The order of players; others come after them. Players that never met have no entry.
    """
    games = Results.of(games)
    order = list(dict.fromkeys((*order, *games.seated)))
    place = {player: number for number, player in enumerate(order)}
    number = np.array([place.get(player, -1) for player in games.names], np.int64)
    keys = [np.zeros(0, np.int64)]
    for seat, opponent in permutations(range(games.players.shape[1]), 2):
        there = (games.players[:, seat] >= 0) & (games.players[:, opponent] >= 0)
        own, other = number[games.players[there, seat]], number[games.players[there, opponent]]
        rank, other_rank = games.ranks[there, seat], games.ranks[there, opponent]
        result = np.where(games.is_void[there] | (rank > other_rank), 2, rank == other_rank)
        keys.append((own * len(order) + other) * 3 + result)
    met = np.sort(np.concatenate(keys))
    found = distinct(met)
    times = np.diff(np.searchsorted(met, found), append=len(met))
    rows: dict[str, dict[str, list[int]]] = {player: {} for player in order}
    for key, count in zip(found.tolist(), times.tolist(), strict=True):
        one, other, result = key // 3 // len(order), key // 3 % len(order), key % 3
        rows[order[one]].setdefault(order[other], [0, 0, 0])[result] = count
    return {
        player: {other: Meeting(*results) for other, results in row.items()}
        for player, row in rows.items()
    }
