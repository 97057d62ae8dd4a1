"""Standings and cross tables of a tournament, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from ludograph.arena.ratings.rating import Rating, Ratings
from ludograph.arena.results import Games, Results


@dataclass(slots=True)
class Standing:
    """A player's line.

    Attributes
    ----------
    points
        The sum over its games, see :attr:`ludograph.arena.Results.points`, and over its byes.
    wins, draws, losses
        Games in which it was first alone, first with others, not first.
    forfeits
        Its own forfeits, by reason.
    rating
        None if no ratings were given.
    byes
        The games of its rounds without an opponent, which it wins; only in a Swiss tournament.
    buchholz
        The points of its opponents, of each once a round; None for other tournaments.
    """

    player: str
    games: int = 0
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    rating: Rating | None = None
    byes: int = 0
    buchholz: float | None = None

    @property
    def score(self) -> float:
        """Points per game; 0 without games."""
        return self.points / max(self.games + self.byes, 1)


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


def swiss_standings(games: Results, lines: Sequence[Standing]) -> list[Standing]:
    """Return the lines of a Swiss tournament: by points, then by those of the opponents (Buchholz).

    A player that has no game in a round that is over wins the games of this round.
    """
    count, seats = Counter(games.starts.tolist()), games.seats
    over = [start for start, played in count.items() if played > len(lines) - seats]
    played = games[np.isin(games.starts, over)].counts
    for line in lines:
        line.byes = len(over) * seats - played.get(line.player, 0)
        line.points += line.byes
    points, met = {line.player: line.points for line in lines}, cross_table(games)
    for line in lines:
        others = met.get(line.player, {}).items()
        gained = sum(meeting.games * points[other] for other, meeting in others)
        line.buchholz = round(gained / max(seats, 1), 6)
    return sorted(lines, key=lambda line: (-line.points, -(line.buchholz or 0.0)))


def count_games(games: Results, lines: Mapping[str, Standing]) -> None:
    """Add games to the lines of their players; a player without a line is left out."""
    count, reasons = len(games.names), len(games.reasons)
    first = (games.ranks == 1) & ~games.is_void[:, None]
    result = np.where(first, first.sum(1, keepdims=True) > 1, 2)  # 0: won, 1: drawn, 2: lost
    kind = games.players * 3 + result
    results = np.bincount(kind.ravel(), minlength=count * 3).reshape(count, 3)
    kind = games.players * reasons + games.forfeits
    failed = np.bincount(kind.ravel(), minlength=count * reasons).reshape(count, reasons)
    totals = games.totals
    for player, (wins, draws, losses), faults in zip(
        games.names, results.tolist(), failed, strict=True
    ):
        line = lines.get(player)
        if line is None:
            continue
        line.games += wins + draws + losses
        line.points += totals[player]
        line.wins += wins
        line.draws += draws
        line.losses += losses
        by_reason = zip(games.reasons[1:], faults[1:].tolist(), strict=True)
        line.forfeits += Counter(dict(by_reason))


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
    players = np.array([place.get(name, -1) for name in games.names], np.int64)[games.players]
    met: Counter[int] = Counter()
    for seat, next_seat in permutations(range(games.seats), 2):
        own, other = games.ranks[:, seat], games.ranks[:, next_seat]
        results = np.where(games.is_void | (own > other), 2, own == other)  # 0: won, 1: drawn
        pairs = players[:, seat] * len(order) + players[:, next_seat]
        met.update((pairs * 3 + results).tolist())
    rows: dict[str, dict[str, list[int]]] = {player: {} for player in order}
    for key in sorted(met):
        pair, result = divmod(key, 3)
        player, opponent = (order[one] for one in divmod(pair, len(order)))
        rows[player].setdefault(opponent, [0, 0, 0])[result] = met[key]
    return {
        player: {other: Meeting(*counts) for other, counts in row.items()}
        for player, row in rows.items()
    }
