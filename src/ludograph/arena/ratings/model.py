"""The model behind ratings: games as a sequence of choices, and their likelihood.

A ranking is read from the top (Plackett 1975, "The analysis of permutations"; Luce 1959,
"Individual choice behavior"). At each stage one seat is chosen among those that are left, or
several that are tied. A game of two seats has one stage with three outcomes.

The worth of player i on seat s is exp(strength of i + advantage of s). At a stage a set T of seats
is chosen with a probability proportional to

    d(size of T) x (product of the worths in T) ** (1 / size of T),      d(1) = 1,

which is Plackett and Luce's model, with ties as in Turner, van Etten, Firth and Kosmidis (2020),
"Modelling rankings in R: the PlackettLuce package". For two seats it is the model of Bradley and
Terry (1952) with the draws of Davidson (1970) and the order of play of Davidson and Beaver (1977).
It is an exponential family: the log-likelihood is concave, and at its maximum each player's points
equal their expectation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np

from ludograph.arena.arrays import Floats, Ints, distinct, first_places, labels

MOST_OUTCOMES = 255
"""The most outcomes of a stage: those of all ties of up to eight seats."""


class Stages(NamedTuple):
    """Stages with one number of seats left, without duplicates and for any outcome.

    Attributes
    ----------
    players, seats
        int64[stages, left].
    times
        float64[stages, outcomes]: the number of times that each outcome was chosen.
    outcomes
        The possible choices, as tuples of columns.
    of, chosen
        int64[occurrences]: the stage of each occurrence in a game, and its outcome.
    game
        int64[occurrences]: the game of each.
    weight
        The weight of an occurrence: 1, or 1/2 if a tie was broken both ways.
    """

    players: Ints
    seats: Ints
    times: Floats
    outcomes: tuple[tuple[int, ...], ...]
    of: Ints
    chosen: Ints
    game: Ints
    weight: float


def stages(players: Ints, ranks: Ints) -> tuple[list[Stages], tuple[int, ...]]:
    """Return the stages of games, by the number of seats left, and the sizes of ties that occur.

    Ties that would make too many outcomes (nine seats and more) are broken, once in the order of
    the seats and once in reverse, each counting one half; no sizes are returned then.

    Parameters
    ----------
    players, ranks
        int64[games, seats].
    """
    occurrences = list(_occurrences(players, ranks))
    sizes = tuple(
        sorted({int(size) for stage in occurrences for size in distinct(stage.tied)} - {1})
    )
    left = max((stage.players.shape[1] for stage in occurrences), default=2)
    weight = 1.0
    if sum(comb(left, size) for size in (1, *sizes)) > MOST_OUTCOMES:
        seats = players.shape[1]
        order = np.arange(seats)
        sizes, weight, occurrences = (), 0.5, []
        for broken in (order, order[::-1]):
            occurrences += _occurrences(players, ranks * seats + broken)
    return [_distinct(stage, sizes, weight) for stage in occurrences], sizes


class _Occurrences(NamedTuple):
    """The stages of all games in which as many seats are left; a row is a stage."""

    players: Ints
    """``int64[rows, left]``: the players of the seats that are left."""
    seats: Ints
    """``int64[rows, left]``: these seats."""
    bits: Ints
    """``int64[rows]``: the columns that are first here, a bit for each."""
    tied: Ints
    """``int64[rows]``: how many are first."""
    game: Ints
    """``int64[rows]``: the game of the stage."""


def _occurrences(players: Ints, ranks: Ints) -> list[_Occurrences]:
    """Return the stages of games; a game appears once in each of its stages."""
    left = np.ones(players.shape, np.bool_)
    by_size: dict[int, list[_Occurrences]] = {}
    worst = np.iinfo(np.int64).max
    while True:
        sizes = left.sum(1)
        if not (sizes > 1).any():
            break
        best = np.where(left, ranks, worst).min(1)
        first = left & (ranks == best[:, None])
        for size in distinct(sizes[sizes > 1]):
            game = np.flatnonzero(sizes == size)
            seats = np.nonzero(left[game])[1].reshape(-1, size)
            chosen = np.take_along_axis(first[game], seats, 1)
            bits = chosen @ (1 << np.arange(size))
            at = np.take_along_axis(players[game], seats, 1)
            by_size.setdefault(int(size), []).append(
                _Occurrences(at, seats, bits, chosen.sum(1), game)
            )
        left &= ~first
    return [
        _Occurrences(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for parts in by_size.values()
    ]


def _distinct(stage: _Occurrences, sizes: tuple[int, ...], weight: float) -> Stages:
    """Merge equal stages."""
    left = stage.players.shape[1]
    outcomes = tuple(
        outcome
        for size in (1, *sizes)
        if size <= left
        for outcome in combinations(range(left), size)
    )
    place = np.zeros(1 << left, np.int64)
    for number, outcome in enumerate(outcomes):
        place[sum(1 << column for column in outcome)] = number
    chosen = place[stage.bits]
    of = labels(np.column_stack([stage.players, stage.seats]))
    first = first_places(of, int(of.max()) + 1)
    shape = (len(first), len(outcomes))
    counts = np.bincount(of * len(outcomes) + chosen, minlength=prod(shape))
    times: Floats = counts.reshape(shape).astype(np.float64) * weight
    at, seats = stage.players[first], stage.seats[first]
    return Stages(at, seats, times, outcomes, of, chosen, stage.game, weight)


CHUNK = 1 << 18
"""The most numbers in memory in one step of a vectorized sum."""


class Choices:
    """Stages with one number of seats left, with the parameters of their outcomes.

    Parameters are the strengths of the players, the advantages of the seats, the logarithms of d
    for each size of ties that occurs, in this order.
    """

    def __init__(self, stages: Stages, players: int, seats: int, sizes: Sequence[int]) -> None:
        self.stages = stages
        self.times: Floats = stages.times.sum(1)
        self.parameters = players + seats + len(sizes)
        rows, left = stages.players.shape
        ties = np.broadcast_to(np.arange(players + seats, self.parameters), (rows, len(sizes)))
        blocks = [stages.players, stages.seats + players, ties] if seats else [stages.players, ties]
        self.index: Ints = np.concatenate(blocks, 1)
        own = np.array(
            [
                [(column in outcome) / len(outcome) for column in range(left)]
                for outcome in stages.outcomes
            ]
        )
        tie = np.array(
            [[len(outcome) == size for size in sizes] for outcome in stages.outcomes], np.float64
        ).reshape(len(own), len(sizes))
        self.features: Floats = np.concatenate([own, own, tie] if seats else [own, tie], 1)
        self.seen: Floats = stages.times @ self.features

    def at(self, parameters: Floats) -> tuple[Floats, float]:
        """Return the probabilities float64[stages, outcomes], and the log-likelihood."""
        logits = parameters[self.index] @ self.features.T
        logits -= logits.max(1, keepdims=True)
        chosen = float(np.vdot(self.stages.times, logits))
        np.exp(logits, out=logits)
        norm = logits.sum(1)
        logits /= norm[:, None]
        return logits, chosen - float(self.times @ np.log(norm))

    def expected(self, probabilities: Floats) -> Floats:
        """Return the expected features of a choice: float64[stages, features]."""
        return probabilities @ self.features

    def gradient(self, probabilities: Floats) -> Floats:
        """Return the derivative of the log-likelihood."""
        weighted = self.seen - self.expected(probabilities) * self.times[:, None]
        return np.bincount(self.index.ravel(), weighted.ravel(), self.parameters).astype(np.float64)

    def information(self, probabilities: Floats) -> Floats:
        """Return Fisher's information, the negative of the second derivative."""
        size = self.parameters
        one, other = np.triu_indices(self.index.shape[1])
        products = self.features[:, one] * self.features[:, other]
        half = np.where(one == other, 0.5, 1.0)  # the other halves come with the transpose
        total = np.zeros(size * size)
        step = max(1, CHUNK // len(one))
        for begin in range(0, len(self.index), step):
            rows = slice(begin, begin + step)
            index, chance = self.index[rows], probabilities[rows]
            mean = self.expected(chance)
            covariance = chance @ products
            covariance -= mean[:, one] * mean[:, other]
            covariance *= self.times[rows, None] * half
            where = index[:, one] * size + index[:, other]
            total += np.bincount(where.ravel(), covariance.ravel(), size * size)
        square = total.reshape(size, size)
        return square + square.T
