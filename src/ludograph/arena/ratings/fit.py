"""The fit of the model to games: strengths of highest likelihood, by Newton's method."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ludograph.arena.arrays import Bools, Floats, Ints
from ludograph.arena.ratings.model import Choices, Stages, stages
from ludograph.arena.ratings.uncertainty import Uncertainty, clusters, uncertainty
from ludograph.arena.results import Games, Results
from ludograph.errors import InvalidInput

Relation = Bools


def scored(distinct: list[Stages], players: int) -> Relation:
    """Return bool[players, players]: whether one came before another in a game, or tied with it."""
    relation = np.zeros((players, players), np.bool_)
    for stage in distinct:
        for number, outcome in enumerate(stage.outcomes):
            rows = stage.players[stage.times[:, number] > 0]
            for column in outcome:
                relation[rows[:, [column]], rows] = True
    return relation


def closure(relation: Relation) -> Relation:
    """Return the reflexive and transitive closure of a relation."""
    reached = relation | np.eye(len(relation), dtype=np.bool_)
    while True:
        number = reached.astype(np.float32)
        further = number @ number > 0
        if (further == reached).all():
            return further
        reached = further


def groups(relation: Relation) -> Ints:
    """Return a number per player, the same for those that are joined by games: 0 for most."""
    joined = closure(relation | relation.T)
    # numpy finds no greatest entry where there is no column
    first = joined.argmax(1) if len(joined) else np.zeros(0, np.int64)
    size = np.bincount(first)
    leaders = np.flatnonzero(size)
    order = leaders[np.lexsort((leaders, -size[leaders]))]
    place = np.zeros(len(relation), np.int64)
    place[order] = np.arange(len(order))
    return place[first]


def bounded(reaches: Relation, group: Ints, reference: int | None) -> tuple[Relation, Relation]:
    """Return whether games bound each player's strength from below and from above.

    Parameters
    ----------
    reaches
        The closure of the relation that :func:`scored` returns.
    reference
        The player against whom strengths are measured; None, or one of another group: the mean of
        the player's own group.
    """
    same = group[:, None] == group
    below = (reaches | ~same).all(1)
    above = (reaches | ~same).all(0)
    if reference is not None:
        mine = same[reference]
        below = np.where(mine, reaches[:, reference], below)
        above = np.where(mine, reaches[reference], above)
    return below, above


SINGULAR = 1e-5
"""Less information than this in a direction counts as none: its standard error is above 50,000 Elo.

A parameter that diverges reaches this limit, because far away games add no information.
"""

LONGEST_STEP = 4.0

SHORTEST_STEP = 1e-8
"""Parts of a step below which only rounding keeps the likelihood from rising."""

STEPS = 100

LITTLE = 0.05
"""As long as each step leaves less than this share of the squared distance to the maximum, further
steps use the same information matrix: to compute and invert it takes four times as long as a
step."""

TOLERANCE = 1e-12
"""The squared distance to the maximum, in standard errors, below which steps end."""


DECIMALS = 9
"""Of strengths: far below what a table shows, far above what rounding leaves."""


class Fit(NamedTuple):
    """Estimated parameters.

    Attributes
    ----------
    at
        float64[parameters].
    covariance
        The inverse of the information (including the prior, if there is one); it is meaningful only
        for combinations of strengths whose coefficients sum to 0 in each group.
    prior
        Virtual games per parameter; 0 for the bare likelihood.
    """

    at: Floats
    covariance: Floats
    prior: float


def fit(choices: Sequence[Choices], free: Floats, prior: float) -> Fit | None:
    """Return the parameters of highest likelihood.

    Parameters
    ----------
    free
        float64[directions, parameters]: orthonormal directions in which the likelihood does not
        change; the estimate has no part in them. With a prior there are none.
    prior
        Above 0, each parameter gets this many virtual games, half won, half lost, against one
        of value 0: it adds ``prior / 2 * log(p * (1 - p))`` with ``p = 1 / (1 + exp(-parameter))``.

    Returns
    -------
    The estimate, or None if the likelihood has no maximum, or more than one.
    """
    at = np.zeros(free.shape[1])
    chances, value = _at(choices, at, prior)
    pinned = free.T @ free if prior == 0 else np.zeros((len(at), len(at)))
    for _ in range(STEPS):
        covariance = _covariance(choices, at, chances, prior, pinned)
        if covariance is None:
            return None
        slope = _slope(choices, at, chances, prior)
        step = covariance @ slope
        missing = float(slope @ step)
        if missing < TOLERANCE:
            at = at + step
            return Fit(at - pinned @ at, covariance, prior)
        before = math.inf
        while TOLERANCE / 100 <= missing < LITTLE * before:
            length = min(1.0, LONGEST_STEP / np.abs(step).max())
            while True:
                further = at + length * step
                chances, better = _at(choices, further, prior)
                if better >= value:
                    break
                length /= 2
                if length < SHORTEST_STEP:
                    return _at_maximum(choices, at, prior, pinned)
            at, value = further, better
            slope = _slope(choices, at, chances, prior)
            step = covariance @ slope
            before, missing = missing, float(slope @ step)
    return None


def _at_maximum(choices: Sequence[Choices], at: Floats, prior: float, pinned: Floats) -> Fit | None:
    """Return the estimate with the covariance there, not that of an earlier step."""
    chances, _ = _at(choices, at, prior)
    covariance = _covariance(choices, at, chances, prior, pinned)
    return None if covariance is None else Fit(at - pinned @ at, covariance, prior)


def _slope(
    choices: Sequence[Choices], at: Floats, chances: Sequence[Floats], prior: float
) -> Floats:
    """Return the derivative of the logarithm of likelihood times prior."""
    slope = -prior * np.tanh(at / 2) / 2
    for choice, chance in zip(choices, chances, strict=True):
        slope += choice.gradient(chance)
    return slope


def _covariance(
    choices: Sequence[Choices], at: Floats, chances: Sequence[Floats], prior: float, pinned: Floats
) -> Floats | None:
    """Return the inverse of the information; None if it is singular in some direction."""
    bend = pinned + np.diag(prior / (4 * np.cosh(at / 2) ** 2))
    for choice, chance in zip(choices, chances, strict=True):
        bend += choice.information(chance)
    try:
        covariance: Floats = np.linalg.inv(bend).astype(np.float64)
    except np.linalg.LinAlgError:
        return None
    return covariance if np.linalg.norm(covariance) < 1 / SINGULAR else None


def _at(choices: Sequence[Choices], at: Floats, prior: float) -> tuple[list[Floats], float]:
    """Return the probabilities of all stages, and the logarithm of likelihood times prior."""
    value = -prior * float(np.log(2 * np.cosh(at / 2)).sum()) if prior else 0.0
    chances = []
    for choice in choices:
        chance, part = choice.at(at)
        chances.append(chance)
        value += part
    return chances, value


class Cause(StrEnum):
    """Why games determine no ratings without virtual games."""

    NO_LOSSES = "no losses"
    """A set of players lost no game to the others, and tied none."""
    DRAWS = "draws"
    """All games are draws."""
    CONFOUNDED = "confounded"
    """Players and seats cannot be told apart."""
    UNBEATEN = "unbeaten"
    """Of any two players, one lost no game to the other, but tied some."""
    SEATS = "seats"
    """No game was lost on one of the seats, by all players or by one of them."""


VIRTUAL_GAMES = 1.0
"""The strength of the prior if one is needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The strengths estimated from games, in units of 400 / log 10 Elo.

    Attributes
    ----------
    strengths
        float64[players]: in the order of ``players``; the mean of each group is 0.
    seats
        float64[seats]: the advantage of each seat over the mean of all seats.
    ties
        By the number of tied seats: the likelihood of a tie of equal players, relative to one of
        them being chosen.
    games
        int64[players]: the number of counted games of each.
    group
        int64[players]: the same number for players joined by games, 0 for most.
    reaches
        bool[players, players]: whether one scored against the other, directly or through others.
    prior
        The virtual games of each player; 0 if none were needed.
    cause
        Why they were needed; None if they were not, or were asked for.
    clusters
        The independent units: ``start`` or ``pairing``.
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
    cause: Cause | None
    clusters: str


def estimate(
    games: Games,
    players: Iterable[str] = (),
    *,
    seat_advantage: bool = True,
    prior: float = 0.0,
) -> Estimate:
    """Return the strengths of highest likelihood; parameters as in :func:`rate`."""
    games = Results.of(games)
    if len(games) and games.seats == 1:
        raise InvalidInput("games of one seat compare no players, so there is nothing to rate")
    names = tuple(dict.fromkeys((*players, *games.seated)))
    games = games[~games.is_void]
    place = {name: number for number, name in enumerate(names)}
    seated = np.array([place.get(name, -1) for name in games.names], np.int64)[games.players]
    distinct, sizes = stages(seated, games.ranks)
    relation = scored(distinct, len(names))
    group, reaches = groups(relation), closure(relation)
    effects = games.seats if seat_advantage and len(games) else 0
    choices = [Choices(stage, len(names), effects, sizes) for stage in distinct]
    exists = bool((reaches | (group[:, None] != group)).all())
    fitted = _fit(choices, _free(group, effects, len(sizes)), prior, exists=exists)
    cause = None
    if fitted.prior > prior:
        cause = _cause(distinct, group, effects, sizes) if exists else Cause.NO_LOSSES
    cluster, kind = clusters(games.starts, seated)
    errors = uncertainty(
        choices, fitted.at, fitted.covariance, cluster, len(names), cautious=fitted.prior > 0
    )
    strengths, worth, ties = np.split(fitted.at, (len(names), len(names) + effects))
    for one in range(group.max(initial=-1) + 1):
        strengths[group == one] -= strengths[group == one].mean()
    # The last bits depend on the processor; without them, equal players are equal everywhere, and
    # stand in tables in the order of their names.
    strengths = np.round(strengths, DECIMALS)
    return Estimate(
        players=names,
        strengths=strengths,
        seats=worth - worth.mean() if effects else np.zeros(games.seats),
        ties={size: math.exp(tie) for size, tie in zip(sizes, ties, strict=True)},
        games=np.bincount(seated.ravel(), minlength=len(names)),
        group=group,
        reaches=reaches,
        uncertainty=errors,
        prior=fitted.prior,
        cause=cause,
        clusters=kind,
    )


def _free(group: Ints, seats: int, ties: int) -> Floats:
    """Return the free directions: a constant for all of a group, or for all seats."""
    players, count = len(group), int(group.max(initial=-1)) + 1
    free = np.zeros((count + (seats > 0), players + seats + ties))
    for row in range(count):
        free[row, :players] = (group == row) / math.sqrt((group == row).sum())
    if seats:
        free[-1, players : players + seats] = 1 / math.sqrt(seats)
    return free


def _cause(distinct: Sequence[Stages], group: Ints, seats: int, sizes: Sequence[int]) -> Cause:
    """Return why the likelihood has no maximum, or more than one, if scores join all players."""
    played = (
        outcome
        for stage in distinct
        for outcome, times in zip(stage.outcomes, stage.times.sum(0), strict=True)
        if times
    )
    if all(len(outcome) > 1 for outcome in played):
        return Cause.DRAWS
    choices = [Choices(stage, len(group), seats, sizes) for stage in distinct]
    free = _free(group, seats, len(sizes))
    level = np.zeros(free.shape[1])
    chances, _ = _at(choices, level, 0.0)
    if _covariance(choices, level, chances, 0.0, free.T @ free) is None:
        return Cause.CONFOUNDED
    if seats and fit(
        [Choices(stage, len(group), 0, sizes) for stage in distinct],
        _free(group, 0, len(sizes)),
        0.0,
    ):
        return Cause.SEATS
    return Cause.UNBEATEN


def _fit(choices: Sequence[Choices], free: Floats, prior: float, *, exists: bool) -> Fit:
    """Return the estimate, with a prior if ``prior`` is above 0, or if there is none without."""
    size = free.shape[1]
    if size == 0:
        return Fit(np.zeros(0), np.zeros((0, 0)), 0.0)
    result = fit(choices, free, 0.0) if exists and not prior else None
    result = result or fit(choices, free, prior or VIRTUAL_GAMES)
    if result is None:
        raise ArithmeticError("ratings: no highest point of the likelihood was found")
    return result
