"""How likely games are, given strengths, the worth of seats, and how easily players tie.

The worth of player i on seat s is exp(strength of i + advantage of s). At a stage a set T of
seats is chosen with a probability proportional to

    d(size of T) x (product of the worths in T) ** (1 / size of T),      d(1) = 1,

which is Plackett and Luce's model, with ties as in Turner, van Etten, Firth and Kosmidis (2020),
"Modelling rankings in R: the PlackettLuce package". For two seats it is the model of Bradley and
Terry (1952) with the draws of Davidson (1970) and the order of play of Davidson and Beaver (1977).
It is an exponential family: the log-likelihood is concave, and where it is highest each player
has as many points as one would expect.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludograph.arena.ratings.stages import Floats, Ints, Stages

CHUNK = 1 << 18
"""Numbers that a step of a vectorized sum holds at once."""


class Choices:
    """Stages with one number of seats left, with the parameters that their outcomes hang on.

    Parameters are the strengths of the players, the advantages of the seats, the logarithms of d
    for each size of ties that occurs, in this order.
    """

    def __init__(self, stages: Stages, players: int, seats: int, sizes: Sequence[int]) -> None:
        self.stages = stages
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

    def at(self, parameters: Floats) -> tuple[Floats, float]:
        """Return the probabilities float64[stages, outcomes], and the log-likelihood."""
        logits = parameters[self.index] @ self.features.T
        logits -= logits.max(1, keepdims=True)
        chosen = np.take_along_axis(logits, self.stages.chosen[:, None], 1)[:, 0]
        np.exp(logits, out=logits)
        norm = logits.sum(1)
        logits /= norm[:, None]
        return logits, float(self.stages.times @ (chosen - np.log(norm)))

    def residuals(self, probabilities: Floats) -> Floats:
        """Return what was seen less what was expected: float64[stages, columns of index]."""
        return self.features[self.stages.chosen] - probabilities @ self.features

    def gradient(self, probabilities: Floats) -> Floats:
        """Return the derivative of the log-likelihood."""
        weighted = self.residuals(probabilities) * self.stages.times[:, None]
        return np.bincount(self.index.ravel(), weighted.ravel(), self.parameters).astype(np.float64)

    def information(self, probabilities: Floats) -> Floats:
        """Return Fisher's information, which is less the second derivative."""
        size = self.parameters
        one, other = np.triu_indices(self.index.shape[1])
        products = self.features[:, one] * self.features[:, other]
        half = np.where(one == other, 0.5, 1.0)  # the other halves come with the transpose
        total = np.zeros(size * size)
        step = max(1, CHUNK // len(one))
        for begin in range(0, len(self.index), step):
            rows = slice(begin, begin + step)
            index, chance = self.index[rows], probabilities[rows]
            mean = chance @ self.features
            covariance = chance @ products
            covariance -= mean[:, one] * mean[:, other]
            covariance *= self.stages.times[rows, None] * half
            where = index[:, one] * size + index[:, other]
            total += np.bincount(where.ravel(), covariance.ravel(), size * size)
        square = total.reshape(size, size)
        return square + square.T
