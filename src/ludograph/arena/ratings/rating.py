"""Ratings of players from games, on the Elo scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ludograph.arena.arrays import Bools, Floats
from ludograph.arena.ratings.fit import Estimate, bounded, estimate
from ludograph.arena.ratings.uncertainty import reach, superiority
from ludograph.arena.results import Games
from ludograph.errors import InvalidInput

ELO = 400 / math.log(10)
"""Elo of one unit of strength: 400 Elo are odds of 10 to 1."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's place in a table of ratings.

    Attributes
    ----------
    elo
        The rating; None for a player without an opponent.
    low, high
        The 95 % interval around ``elo``; None on a side that the games leave open, as the upper one
        of a player that won all its games.
    superiority
        The likelihood that the player is stronger than the next one in the table; None for the
        last of its group.
    games
        The number of games that count for ratings.
    group
        Players of different groups cannot be compared: no games join them. Each group except the
        anchor's has its own ratings around 0.
    """

    player: str
    elo: float | None
    low: float | None
    high: float | None
    superiority: float | None
    games: int
    group: int


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """A table of ratings.

    Attributes
    ----------
    table
        By group, the strongest first.
    anchor
        The player whose rating was given.
    estimate
        The estimate behind the table: seats, ties, errors.
    """

    table: tuple[Rating, ...]
    anchor: str | None
    estimate: Estimate

    @property
    def seats(self) -> tuple[float, ...]:
        """The advantage of each seat in Elo, above the mean of all seats."""
        return tuple(float(worth) * ELO for worth in self.estimate.seats)

    @property
    def first_move(self) -> float:
        """The Elo by which the first seat is better than the mean of the others."""
        first, *others = self.seats or (0.0,)
        return first - sum(others) / len(others) if others else 0.0

    @property
    def groups(self) -> int:
        """The number of groups of players that games do not join."""
        return 1 + max((rating.group for rating in self.table), default=-1)

    def of(self, player: str) -> Rating:
        """Return a player's rating; raise InvalidInput if there is none."""
        for rating in self.table:
            if rating.player == player:
                return rating
        raise InvalidInput(f"player {player!r} is not in the table")

    def difference(self, player: str, other: str) -> tuple[float, float]:
        """Return the difference in Elo of a player to another, and its standard error.

        Raises
        ------
        InvalidInput
            If no games join them.
        """
        if self.of(player).group != self.of(other).group:
            raise InvalidInput(f"{player} and {other} cannot be compared: no games join them")
        places = (self.estimate.players.index(name) for name in (player, other))
        contrast = _contrast(len(self.estimate.players), *places)
        gap = float(contrast @ self.estimate.strengths)
        errors, _ = self.estimate.uncertainty.of_each(contrast[None])
        return gap * ELO, float(errors[0]) * ELO

    def is_better(self, player: str, other: str) -> bool:
        """Tell whether a player is better than another, with 95 % confidence.

        The test uses the difference of these two: their intervals, both measured from the anchor,
        may overlap although the difference is significant.
        """
        return bool(self.better([player, other])[0, 1])

    def better(self, players: Sequence[str]) -> Bools:
        """Return for each two players whether the first is better, as :meth:`is_better` does.

        Returns
        -------
        better
            bool[n, n]: whether the player of the row is better than that of the column.
        """
        place = {name: number for number, name in enumerate(self.estimate.players)}
        places = np.array([place[name] for name in players], np.int64)
        strengths, group = self.estimate.strengths[places], self.estimate.group[places]
        errors, freedoms = self.estimate.uncertainty.of_pairs(places)
        clear = reach(errors, freedoms)
        return np.equal.outer(group, group) & (np.subtract.outer(strengths, strengths) > clear)


def rate(
    games: Games,
    players: Iterable[str] = (),
    *,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    seat_advantage: bool = True,
    prior: float = 0.0,
) -> Ratings:
    """Rate players by maximum likelihood.

    Two seats: Bradley-Terry with draws (Davidson) and the advantage of moving first. More:
    Plackett-Luce with ties and the advantage of each seat.

    Parameters
    ----------
    games
        Results, or rows ``(start, seating, ranks)`` as for :meth:`ludograph.arena.Results.of`.
    players
        More players for the table, whether or not they played.
    anchor, anchor_elo
        A player and its rating, from which all others in its group are measured; without one the
        mean of each group is 0.
    seat_advantage
        False: seats count as equal.
    prior
        Virtual games per player, half won and half lost against an average one. 0: none if
        strengths of highest likelihood exist, and one game otherwise.

    Raises
    ------
    InvalidInput
        If games have different numbers of seats, or one, or an option is out of its range.

    Examples
    --------
    >>> games = [(n, ("ann", "bob"), (1, 2) if n < 10 else (2, 1)) for n in range(11)]
    >>> round(rate(games, seat_advantage=False).difference("ann", "bob")[0])
    400
    """
    if not 0 <= prior < math.inf:
        raise InvalidInput(f"prior must be 0 virtual games or more, got {prior:g}")
    if not -math.inf < anchor_elo < math.inf:
        raise InvalidInput(f"the rating of the anchor must be a number, got {anchor_elo:g}")
    estimated = estimate(games, players, seat_advantage=seat_advantage, prior=prior)
    if anchor is not None and anchor not in estimated.players:
        raise InvalidInput(f"anchor {anchor!r}: no such player")
    fixed = None if anchor is None else estimated.players.index(anchor)
    return Ratings(_table(estimated, fixed, anchor_elo), anchor, estimated)


def _table(estimated: Estimate, anchor: int | None, anchor_elo: float) -> tuple[Rating, ...]:
    """Return ratings with intervals, in order; the anchor's group comes first."""
    group, count = estimated.group, len(estimated.players)
    limits = bounded(estimated.reaches, group, anchor)
    if anchor is not None:
        ours = group[anchor]
        group = np.where(group == ours, 0, group + (group < ours))
    same = np.equal.outer(group, group)
    contrasts = np.eye(count) - same / same.sum(1, keepdims=True)
    base = np.zeros(count)
    if anchor is not None:
        contrasts[group == 0] = np.eye(count)[group == 0] - _contrast(count, anchor)
        base[group == 0] = anchor_elo
    elos = contrasts @ estimated.strengths * ELO + base
    reaches = reach(*estimated.uncertainty.of_each(contrasts)) * ELO
    order = np.lexsort((-estimated.strengths, group))
    gaps = np.eye(count)[order[:-1]] - np.eye(count)[order[1:]]
    above, errors = gaps @ estimated.strengths, estimated.uncertainty.of_each(gaps)[0]
    table = []
    for place, player in enumerate(order):
        name, number = estimated.players[player], int(group[player])
        if same[player].sum() == 1 and player != anchor:
            table.append(Rating(name, None, None, None, None, 0, number))
            continue
        elo = float(elos[player])
        low, high = (
            elo + side * float(reaches[player]) if limit[player] else None
            for side, limit in zip((-1, 1), limits, strict=True)
        )
        likelihood = None
        if place + 1 < count and same[player, order[place + 1]]:
            likelihood = superiority(float(above[place]), float(errors[place]))
        table.append(Rating(name, elo, low, high, likelihood, int(estimated.games[player]), number))
    return tuple(table)


def _contrast(count: int, player: int, other: int | None = None) -> Floats:
    """Return the coefficients of a player's strength, less another's, among all parameters."""
    contrast = np.zeros(count)
    contrast[player] += 1
    if other is not None:
        contrast[other] -= 1
    return contrast
