"""Parameters of highest likelihood, by Newton's method; with a weak prior where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludograph.arena.ratings.likelihood import Choices
from ludograph.arena.ratings.stages import Floats

SINGULAR = 1e-5
"""Less information than this in some direction is none: its standard error is above 50,000 Elo.

A parameter on its way to infinity comes to that, since far away games tell nothing more.
"""

LONGEST_STEP = 4.0
SHORTEST_STEP = 1e-8
"""Parts of a step below which only rounding keeps the likelihood from rising."""

STEPS = 100
TOLERANCE = 1e-12
"""The square of what is missing to the highest point, in standard errors."""


class Fit(NamedTuple):
    """Estimated parameters.

    Attributes
    ----------
    at
        float64[parameters].
    covariance
        The inverse of the information (of the prior, too, if there is one), in which only sums of
        strengths that come to 0 in each group mean anything.
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
        float64[directions, parameters]: what can be added to the parameters without any change,
        orthonormal; the estimate has none of it. With a prior nothing is free.
    prior
        Above 0, every parameter gets so many virtual games, half won and half lost, against one
        of value 0: it adds ``prior / 2 * log(p * (1 - p))`` with ``p = 1 / (1 + exp(-parameter))``.

    Returns
    -------
    The estimate, or None if the likelihood has no highest point, or more than one.
    """
    at = np.zeros(free.shape[1])
    chances, value = _at(choices, at, prior)
    pinned = free.T @ free if prior == 0 else np.zeros((len(at), len(at)))
    for _ in range(STEPS):
        slope = -prior * np.tanh(at / 2) / 2
        bend = pinned + np.diag(prior / (4 * np.cosh(at / 2) ** 2))
        for choice, chance in zip(choices, chances, strict=True):
            slope += choice.gradient(chance)
            bend += choice.information(chance)
        try:
            covariance: Floats = np.linalg.inv(bend).astype(np.float64)
        except np.linalg.LinAlgError:
            return None
        if not np.linalg.norm(covariance) < 1 / SINGULAR:
            return None
        step = covariance @ slope
        if slope @ step < TOLERANCE:
            return Fit(at - pinned @ at, covariance, prior)
        length = min(1.0, LONGEST_STEP / np.abs(step).max())
        while True:
            further = at + length * step
            chances, better = _at(choices, further, prior)
            if better >= value:
                break
            length /= 2
            if length < SHORTEST_STEP:
                return Fit(at - pinned @ at, covariance, prior)
        at, value = further, better
    return None


def _at(choices: Sequence[Choices], at: Floats, prior: float) -> tuple[list[Floats], float]:
    """Return the probabilities of all stages, and the logarithm of likelihood times prior."""
    value = -prior * float(np.log(2 * np.cosh(at / 2)).sum()) if prior else 0.0
    chances = []
    for choice in choices:
        chance, part = choice.at(at)
        chances.append(chance)
        value += part
    return chances, value
