"""Ratings of players from games, on the Elo scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ludograph.arena.played import PlayedGame, check_games
from ludograph.arena.ratings.comparable import bounded, closure, groups, scored
from ludograph.arena.ratings.fitting import Fit, fit
from ludograph.arena.ratings.likelihood import Choices
from ludograph.arena.ratings.stages import Floats, Ints, arrays, stages
from ludograph.arena.ratings.uncertainty import Uncertainty, clusters, uncertainty
from ludograph.errors import InvalidInput

ELO = 400 / math.log(10)
"""Elo of one unit of strength: 400 Elo are odds of 10 to 1."""

VIRTUAL_GAMES = 1.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's place in a table of ratings.

    Attributes
    ----------
    elo
        None for a player that met nobody.
    low, high
        The interval around ``elo``; None on a side that the games leave open, as the upper one of
        a player that won all its games.
    superiority
        The likelihood that the player is stronger than the next one in the table; None for the
        last of its group.
    games
        Those that count for ratings.
    group
        Players of different groups cannot be compared: no games join them. Each group has
        ratings of its own around 0, but for that of the anchor.
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
    seats
        What each seat is worth, in Elo, above the mean of all seats.
    ties
        By the number of tied seats: how likely ties of equal players are, compared with one of
        them being chosen.
    anchor
        The player whose rating was given.
    prior
        Virtual games that each player was given; 0 if none were needed.
    clusters
        What was taken as independent: ``start`` or ``pairing``.
    strengths, uncertainty, players
        The estimate itself in units of 400 / log 10 Elo, in the order of ``players``, measured
        from the anchor or from the mean of each group.
    """

    table: tuple[Rating, ...]
    seats: tuple[float, ...]
    ties: dict[int, float]
    anchor: str | None
    prior: float
    clusters: str
    confidence: float
    players: tuple[str, ...]
    strengths: Floats
    uncertainty: Uncertainty

    @property
    def first_move(self) -> float:
        """The Elo by which the first seat is better than the mean of the others."""
        others = self.seats[1:]
        return self.seats[0] - sum(others) / len(others) if others else 0.0

    @property
    def groups(self) -> int:
        """How many groups of players there are that games do not join."""
        return 1 + max((rating.group for rating in self.table), default=-1)

    def of(self, player: str) -> Rating:
        """Return a player's rating."""
        return next(rating for rating in self.table if rating.player == player)

    def difference(self, player: str, other: str) -> tuple[float, float]:
        """Return by how many Elo a player is above another, and the standard error of that.

        Raises
        ------
        InvalidInput
            If no games join them.
        """
        if self.of(player).group != self.of(other).group:
            raise InvalidInput(f"{player} and {other} cannot be compared: no games join them")
        contrast = np.zeros(len(self.players))
        contrast[self.players.index(player)] += 1
        contrast[self.players.index(other)] -= 1
        return float(contrast @ self.strengths) * ELO, self.uncertainty.of(contrast)[0] * ELO


def rate(
    games: Iterable[PlayedGame],
    players: Iterable[str] = (),
    *,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    forfeits: bool = True,
    seat_advantage: bool = True,
    prior: float | None = None,
    confidence: float = 0.95,
) -> Ratings:
    """Rate players by maximum likelihood.

    Two seats: Bradley-Terry with draws (Davidson) and the advantage of moving first. More:
    Plackett-Luce with ties and the advantage of each seat.

    Parameters
    ----------
    players
        More players for the table, whether or not they played.
    anchor, anchor_elo
        A player and its rating, from which all others in its group are measured; without one the
        mean of each group is 0.
    forfeits
        False: a seat that forfeited is left out of its game, the others are still compared.
    seat_advantage
        False: seats are taken to be equal.
    prior
        Virtual games per player, half won and half lost against a player of rating 0. Without
        it, none if strengths of highest likelihood exist, and one game otherwise.

    Raises
    ------
    InvalidInput
        If games have different numbers of seats, or one, or nobody is called as the anchor.

    Examples
    --------
    >>> games = [PlayedGame(n, ("ann", "bob"), (1, 2) if n < 10 else (2, 1)) for n in range(11)]
    >>> rate(games, seat_advantage=False).difference("ann", "bob")[0]
    400.0
    """
    games = list(games)
    seats = check_games(games)
    names = tuple(dict.fromkeys([*players, *(name for game in games for name in game.seating)]))
    if anchor is not None and anchor not in names:
        raise InvalidInput(f"anchor {anchor!r}: no such player")
    if prior is not None and not 0 <= prior < math.inf:
        raise InvalidInput(f"prior {prior:g}: a number of virtual games, 0 or more")
    if not 0 < confidence < 1:
        raise InvalidInput(f"confidence {confidence:g}: between 0 and 1")
    number = {name: place for place, name in enumerate(names)}
    played = arrays(games, number, seats, forfeits=forfeits)
    found, sizes = stages(played)
    relation = scored(found, len(names))
    group, reaches = groups(relation), closure(relation)
    choices = [Choices(s, len(names), seats if seat_advantage else 0, sizes) for s in found]
    effects = seats if seat_advantage and games else 0
    fitted = _fit(choices, group, effects, len(sizes), _exists(reaches, group), prior)
    cluster, kind = clusters(played)
    errors = uncertainty(
        choices, fitted.at, fitted.covariance, cluster, len(names), cautious=fitted.prior > 0
    )
    reference = None if anchor is None else number[anchor]
    strengths = fitted.at[: len(names)].copy()
    for one in range(group.max(initial=-1) + 1):
        strengths[group == one] -= strengths[group == one].mean()
    offset = np.zeros(len(names))
    if reference is not None:
        mine = group == group[reference]
        strengths[mine] -= strengths[reference]
        offset[mine] = anchor_elo
    compared = played.ranked & (played.ranked.sum(1) > 1)[:, None]
    count = np.bincount(played.players[compared], minlength=len(names))
    table = _table(
        names,
        strengths,
        offset,
        errors,
        group,
        bounded(reaches, group, reference),
        reference,
        count,
        confidence,
    )
    worth = fitted.at[len(names) : len(names) + effects] * ELO
    worth -= worth.mean() if effects else 0.0
    ties = np.exp(fitted.at[len(names) + effects :])
    return Ratings(
        table,
        tuple(map(float, worth)) or (0.0,) * seats,
        dict(zip(sizes, map(float, ties), strict=True)),
        anchor,
        fitted.prior,
        kind,
        confidence,
        names,
        strengths,
        errors,
    )


def _exists(reaches: np.ndarray, group: Ints) -> bool:
    return bool((reaches | (group[:, None] != group)).all())


def _fit(
    choices: Sequence[Choices],
    group: Ints,
    seats: int,
    ties: int,
    exists: bool,
    prior: float | None,
) -> Fit:
    players = len(group)
    free = np.zeros((group.max(initial=-1) + 1 + bool(seats), players + seats + ties))
    for row in range(group.max(initial=-1) + 1):
        free[row, :players] = (group == row) / math.sqrt((group == row).sum())
    if seats:
        free[-1, players : players + seats] = 1 / math.sqrt(seats)
    if not players:
        return Fit(np.zeros(seats + ties), np.zeros((seats + ties,) * 2), 0.0)
    if exists and not prior:
        found = fit(choices, free, 0.0)
        if found is not None:
            return found
    found = fit(choices, free, prior or VIRTUAL_GAMES)
    if found is None:
        raise ArithmeticError("ratings: no highest point of the likelihood was found")
    return found


def _table(
    names: Sequence[str],
    strengths: Floats,
    offset: Floats,
    errors: Uncertainty,
    group: Ints,
    limits: tuple[np.ndarray, np.ndarray],
    reference: int | None,
    count: Ints,
    confidence: float,
) -> tuple[Rating, ...]:
    """Return ratings with intervals, in order; the reference's group comes first."""
    if reference is not None:
        ours = group[reference]
        group = np.where(group == ours, 0, group + (group < ours))
    order = np.lexsort((-strengths, group))
    sizes = np.bincount(group)
    table = []
    for place, player in enumerate(order):
        if sizes[group[player]] == 1 and player != reference:
            table.append(Rating(names[player], None, None, None, None, 0, int(group[player])))
            continue
        contrast = np.zeros(len(names))
        if reference is not None and group[player] == group[reference]:
            contrast[reference] -= 1
        else:
            contrast[group == group[player]] -= 1 / sizes[group[player]]
        contrast[player] += 1
        elo = float(strengths[player]) * ELO + float(offset[player])
        reach = errors.interval(contrast, confidence) * ELO if player != reference else 0.0
        low, high = (
            elo + side * reach if limit[player] else None
            for side, limit in zip((-1, 1), limits, strict=True)
        )
        table.append(
            Rating(
                names[player],
                elo,
                low,
                high,
                _superiority(order, place, strengths, errors, group),
                int(count[player]),
                int(group[player]),
            )
        )
    return tuple(table)


def _superiority(
    order: Ints, place: int, strengths: Floats, errors: Uncertainty, group: Ints
) -> float | None:
    if place + 1 == len(order) or group[order[place]] != group[order[place + 1]]:
        return None
    contrast = np.zeros(len(order))
    contrast[order[place]], contrast[order[place + 1]] = 1, -1
    return errors.superiority(float(contrast @ strengths), contrast)
