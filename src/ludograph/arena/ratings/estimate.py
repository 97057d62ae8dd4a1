"""Strengths of players from games, with all that is known about their errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ludograph.arena.played import PlayedGame, check_games
from ludograph.arena.ratings.comparable import Relation, closure, groups, scored
from ludograph.arena.ratings.fitting import Fit, fit
from ludograph.arena.ratings.likelihood import Choices
from ludograph.arena.ratings.stages import Floats, Ints, arrays, stages
from ludograph.arena.ratings.uncertainty import Uncertainty, clusters, uncertainty

VIRTUAL_GAMES = 1.0
"""How strong the prior is where one is needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """What games say about strengths, in units of 400 / log 10 Elo.

    Attributes
    ----------
    strengths
        float64[players]: in the order of ``players``; the mean of each group is 0.
    seats
        float64[seats]: what each seat is worth above the mean of all seats.
    ties
        By the number of tied seats: how likely ties of equal players are, compared with one of
        them being chosen.
    games
        int64[players]: how many games of each count.
    group
        int64[players]: the same number for those that games join, 0 for most.
    reaches
        bool[players, players]: who scored against whom, directly or through others.
    prior
        Virtual games that each player was given; 0 if none were needed.
    clusters
        What was taken as independent: ``start`` or ``pairing``.
    """

    players: tuple[str, ...]
    strengths: Floats
    seats: Floats
    ties: dict[int, float]
    games: Ints
    group: Ints
    reaches: Relation
    uncertainty: Uncertainty
    prior: float
    clusters: str


def estimate(
    games: Iterable[PlayedGame],
    players: Iterable[str] = (),
    *,
    forfeits: bool = True,
    seat_advantage: bool = True,
    prior: float = 0.0,
) -> Estimate:
    """Return the strengths of highest likelihood; parameters as in :func:`rate`."""
    games = list(games)
    seats = check_games(games)
    names = tuple(dict.fromkeys([*players, *(name for game in games for name in game.seating)]))
    number = {name: place for place, name in enumerate(names)}
    played = arrays(games, number, seats, forfeits=forfeits)
    found, sizes = stages(played)
    relation = scored(found, len(names))
    group, reaches = groups(relation), closure(relation)
    effects = seats if seat_advantage else 0
    choices = [Choices(stage, len(names), effects, sizes) for stage in found]
    exists = bool((reaches | (group[:, None] != group)).all())
    fitted = _fit(choices, _free(group, effects, len(sizes)), prior, exists=exists)
    cluster, kind = clusters(played)
    errors = uncertainty(
        choices, fitted.at, fitted.covariance, cluster, len(names), cautious=fitted.prior > 0
    )
    strengths, worth, ties = np.split(fitted.at, (len(names), len(names) + effects))
    for one in range(group.max(initial=-1) + 1):
        strengths[group == one] -= strengths[group == one].mean()
    compared = played.ranked & (played.ranked.sum(1) > 1)[:, None]
    return Estimate(
        players=names,
        strengths=strengths,
        seats=worth - worth.mean() if effects else np.zeros(seats),
        ties={size: math.exp(tie) for size, tie in zip(sizes, ties, strict=True)},
        games=np.bincount(played.players[compared], minlength=len(names)),
        group=group,
        reaches=reaches,
        uncertainty=errors,
        prior=fitted.prior,
        clusters=kind,
    )


def _free(group: Ints, seats: int, ties: int) -> Floats:
    """Return what can be added to the parameters: a number to all of a group, or to all seats."""
    players, count = len(group), int(group.max(initial=-1)) + 1
    free = np.zeros((count + (seats > 0), players + seats + ties))
    for row in range(count):
        free[row, :players] = (group == row) / math.sqrt((group == row).sum())
    if seats:
        free[-1, players : players + seats] = 1 / math.sqrt(seats)
    return free


def _fit(choices: Sequence[Choices], free: Floats, prior: float, *, exists: bool) -> Fit:
    """Return the estimate, with a prior if it is asked for, or if there is none without."""
    size = free.shape[1]
    if size == 0:
        return Fit(np.zeros(0), np.zeros((0, 0)), 0.0)
    found = fit(choices, free, 0.0) if exists and not prior else None
    found = found or fit(choices, free, prior or VIRTUAL_GAMES)
    if found is None:
        raise ArithmeticError("ratings: no highest point of the likelihood was found")
    return found
