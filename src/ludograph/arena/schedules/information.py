"""Expected information of a game between two players about the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ludograph.arena.arrays import Floats
from ludograph.arena.ratings.fit import estimate
from ludograph.arena.results import Games

PRIOR_GAMES = 1.0


def pair_values(players: Sequence[str], games: Games) -> Floats:
    """Return float64[players, players]: the expected information of a game, symmetric.

    For strengths that differ by d, with a variance v of that estimate, and p the probability that
    the first player wins, it is the product of

    - log(1 + p (1 - p) v) / 2: the information about d that a game brings (Lindley 1956, "On a
      measure of the information provided by an experiment"; MacKay 1992 on choosing data), and
    - the entropy, in bits, of the question which of them is stronger, by the estimated likelihood
      of superiority.

    The values have single precision: the last bits of double precision depend on the processor, and
    pairs of equal value are to meet in the same order everywhere.
    """
    estimated = estimate(games, players, prior=PRIOR_GAMES)
    place = {player: number for number, player in enumerate(estimated.players)}
    rows = np.array([place[player] for player in players], np.int64)
    strength = estimated.strengths[rows]
    covariance = estimated.uncertainty.model[np.ix_(rows, rows)]
    own = covariance.diagonal()
    variance = np.maximum(own[:, None] + own - 2 * covariance, 1e-12)
    difference = np.abs(strength[:, None] - strength)
    chance = 1 / (1 + np.exp(-difference))
    gain = np.log1p(chance * (1 - chance) * variance) / 2
    values = gain * _doubt(difference / np.sqrt(variance))
    return values.astype(np.float32).astype(np.float64)


def _doubt(deviations: Floats) -> Floats:
    """Return the entropy, in bits, of a normal variable being above 0, by its z-score."""
    scaled = (deviations / math.sqrt(2)).ravel().tolist()
    worse = 0.5 * np.fromiter(map(math.erfc, scaled), np.float64, len(scaled))
    worse = np.clip(worse.reshape(deviations.shape), 1e-300, 0.5)
    better = 1 - worse
    return -(worse * np.log2(worse) + better * np.log2(better))
