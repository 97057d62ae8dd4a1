"""Expected information of a game between two players about the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ludograph.arena.played import PlayedGame
from ludograph.arena.ratings import estimate
from ludograph.arena.ratings.model import Floats

PRIOR_GAMES = 1.0


def pair_values(players: Sequence[str], games: Sequence[PlayedGame]) -> Floats:
    """Return float64[players, players]: what a game of two players is worth, symmetric.

    For strengths that differ by d, with a variance v of that estimate, and p the probability that
    the first one wins, it is the product of

    - log(1 + p (1 - p) v) / 2: the information about d that a game brings (Lindley 1956, "On a
      measure of the information provided by an experiment"; MacKay 1992 on choosing data), and
    - the doubt about who is better: the entropy, in bits, of a coin that shows what is estimated
      to be the likelihood of superiority.
    """
    found = estimate(games, players, prior=PRIOR_GAMES)
    place = {player: number for number, player in enumerate(found.players)}
    rows = np.array([place[player] for player in players])
    strength = found.strengths[rows]
    covariance = found.uncertainty.model[np.ix_(rows, rows)]
    own = covariance.diagonal()
    variance = np.maximum(own[:, None] + own - 2 * covariance, 1e-12)
    difference = np.abs(strength[:, None] - strength)
    chance = 1 / (1 + np.exp(-difference))
    gain = np.log1p(chance * (1 - chance) * variance) / 2
    return gain * _doubt(difference / np.sqrt(variance))


def _doubt(deviations: Floats) -> Floats:
    """Return the entropy, in bits, of a normal variable being above 0, by its z-score."""
    worse = np.vectorize(lambda z: 0.5 * math.erfc(z / math.sqrt(2)), otypes=[float])(deviations)
    worse = np.clip(worse, 1e-300, 0.5)
    better = 1 - worse
    return -(worse * np.log2(worse) + better * np.log2(better))
