"""The normal distribution and Student's t, for intervals and likelihoods of superiority."""

from __future__ import annotations

import math
from statistics import NormalDist

STANDARD = NormalDist()


def student_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution.

    Exact for one and two degrees of freedom; beyond that the expansion around the normal quantile
    (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5), whose error for the 97.5 %
    quantile is below 1 % at three degrees of freedom and below 0.1 % at five.

    Parameters
    ----------
    probability
        Between 0 and 1.
    freedom
        Degrees of freedom, 1 at least; ``math.inf`` for the normal distribution.

    Examples
    --------
    >>> round(student_quantile(0.975, 9), 3)
    2.262
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom")
    if freedom < 2:
        return math.tan(math.pi * (probability - 0.5))
    if freedom < 3:
        return (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    z = STANDARD.inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))
