"""Standard errors of ratings where games on one start are correlated (cluster-robust errors).

A start that favors the first mover favors it in all its games, and a player that is weak on a board
loses both games of a pair there. So games are not independent, and the inverse of the information
is not the covariance of the estimates. The sandwich estimator is: information^-1 times the
covariance of the scores times information^-1, where scores are summed within clusters of games
and clusters are independent (Liang and Zeger 1986, "Longitudinal data analysis using generalized
linear models"; Cameron and Miller 2015, "A practitioner's guide to cluster-robust inference").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ludograph.arena.arrays import Floats, Ints, distinct, labels
from ludograph.arena.intervals import STANDARD, UPPER, student_quantile
from ludograph.arena.ratings.model import CHUNK, Choices

FEW = 10
"""With fewer clusters of a player than this, the model's error is used, too."""

ENOUGH_STARTS = 5
"""With at least this many starts, all games of a start make one cluster."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """The covariance of estimated strengths.

    Attributes
    ----------
    model
        float64[players, players]: the covariance if all games were independent.
    robust
        The same, estimated from the scatter between clusters.
    clusters
        int64[players]: the number of clusters with games of each player.
    cautious
        Whether the larger of both is always taken; otherwise only where clusters are few.
    """

    model: Floats
    robust: Floats
    clusters: Ints
    cautious: bool

    def of_each(self, contrasts: Floats) -> tuple[Floats, Floats]:
        """Return the standard errors of sums of strengths, and their freedoms: float64[n] each.

        Parameters
        ----------
        contrasts
            float64[n, players]: the coefficients of each sum, which come to 0 in each group.
        """
        part = np.abs(contrasts)
        taken = part > 0.6 * part.max(
            1, keepdims=True, initial=0.0
        )  # not the many small parts of a mean
        most = np.iinfo(np.int64).max
        few = np.where(taken, self.clusters, most).min(1, initial=most)
        robust, model = (
            np.sqrt(np.maximum(((contrasts @ covariance) * contrasts).sum(1), 0.0))
            for covariance in (self.robust, self.model)
        )
        return self._chosen(few, robust, model)

    def _chosen(self, few: Ints, robust: Floats, model: Floats) -> tuple[Floats, Floats]:
        """Return standard errors and degrees of freedom, by the number of clusters."""
        cautious = (few < FEW) | self.cautious
        errors = np.where(cautious, np.maximum(robust, model), robust)
        return errors, np.where(few < 2, math.inf, few - 1)

    def of_pairs(self, places: Ints) -> tuple[Floats, Floats]:
        """Return the standard errors of all differences of two strengths, and their freedoms.

        Parameters
        ----------
        places
            int64[n]: the players.

        Returns
        -------
        errors, freedoms
            float64[n, n] each.
        """
        few = np.minimum.outer(self.clusters[places], self.clusters[places])
        robust, model = (_of_differences(each, places) for each in (self.robust, self.model))
        return self._chosen(few, robust, model)


def reach(errors: Floats, freedoms: Floats) -> Floats:
    """Return half of the width of 95 % intervals, from standard errors and their freedoms."""
    different = distinct(freedoms.ravel())
    quantiles = np.array([student_quantile(UPPER, one) for one in different.tolist()])
    return errors * quantiles[np.searchsorted(different, freedoms)]


def superiority(difference: float, error: float) -> float:
    """Return the probability that a number is above 0, given its estimate and standard error."""
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return STANDARD.cdf(difference / error)


def _of_differences(covariance: Floats, places: Ints) -> Floats:
    """Return the standard errors of all differences of some numbers, from their covariance."""
    own = covariance[np.ix_(places, places)]
    variance = np.diagonal(own)
    return np.sqrt(np.maximum(np.add.outer(variance, variance) - own - own.T, 0.0))


def clusters(starts: Ints, players: Ints) -> tuple[Ints, str]:
    """Return the cluster of each game, and the kind of clusters: ``start`` or ``pairing``.

    With at least 5 starts a cluster is all games of a start. With fewer, the scatter between starts
    cannot be estimated; then a cluster is the games of the same players on one start.
    """
    start = labels(starts[:, None])
    if start.max(initial=-1) + 1 >= ENOUGH_STARTS:
        return start, "start"
    return labels(np.column_stack([start, np.sort(players, 1)])), "pairing"


def uncertainty(
    choices: Sequence[Choices],
    at: Floats,
    covariance: Floats,
    cluster: Ints,
    players: int,
    *,
    cautious: bool,
) -> Uncertainty:
    """Return the covariances of strengths.

    Each player's part of the sandwich is multiplied by m / (m - 1), for its m clusters, like a
    variance estimated from m numbers.

    Parameters
    ----------
    at, covariance
        The estimate, and the inverse of its information.
    cluster
        int64[games].
    """
    meat = _meat(choices, at, cluster)
    bread = covariance[:players]
    met = _clusters_of_players(choices, cluster, players)
    scale = np.sqrt(met / np.maximum(met - 1, 1))
    robust = (bread @ meat @ bread.T) * scale[:, None] * scale
    return Uncertainty(covariance[:players, :players], robust, met, cautious)


def _meat(choices: Sequence[Choices], at: Floats, cluster: Ints) -> Floats:
    """Return float64[parameters, parameters]: the sum of the scores' squares over clusters.

    A cluster of few games has scores of few parameters; only products of these are summed, which
    takes O(games) for clusters of a pair of games.
    """
    size = len(at)
    clusters, parameters, scores = _scores(choices, at, cluster)
    many = np.bincount(clusters)
    begins = np.cumsum(many) - many
    meat = np.zeros(size * size)
    cuts = np.searchsorted(np.cumsum(many * many), np.arange(0, (many * many).sum(), CHUNK))
    for low, high in pairwise([*distinct(cuts), len(many)]):
        entries = slice(begins[low], begins[low] + many[low:high].sum())
        times = many[clusters[entries]]
        one = np.repeat(np.arange(entries.start, entries.stop), times)
        first = np.repeat(begins[clusters[entries]], times)
        other = first + np.arange(len(one)) - np.repeat(np.cumsum(times) - times, times)
        where = parameters[one] * size + parameters[other]
        meat += np.bincount(where, scores[one] * scores[other], size * size)
    return meat.reshape(size, size)


def _scores(choices: Sequence[Choices], at: Floats, cluster: Ints) -> tuple[Ints, Ints, Floats]:
    """Return clusters, parameters and scores: the sum of each parameter in each cluster, in order.

    Clusters without a score are left out, so that the numbers of the others have no gaps.
    """
    size = len(at)
    where, values = [], []
    for choice in choices:
        stage = choice.stages.of
        expected = choice.expected(choice.at(at)[0])
        scores = (choice.features[choice.stages.chosen] - expected[stage]) * choice.stages.weight
        own = cluster[choice.stages.game, None] * size + choice.index[stage]
        where.append(own.ravel())
        values.append(scores.ravel())
    if not where:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    flat = np.concatenate(where)
    place = labels(flat[:, None])
    summed = np.bincount(place, np.concatenate(values)).astype(np.float64)
    there = distinct(flat)
    return labels((there // size)[:, None]), there % size, summed


def _clusters_of_players(choices: Sequence[Choices], cluster: Ints, players: int) -> Ints:
    pairs = [
        (choice.stages.players[choice.stages.of] + cluster[choice.stages.game, None] * players)
        for choice in choices
    ]
    if not pairs:
        return np.zeros(players, np.int64)
    seen = distinct(np.concatenate([pair.ravel() for pair in pairs]))
    return np.bincount(seen % players, minlength=players)
