"""The value of a game's scores for a seat."""

from __future__ import annotations

import numpy as np

from ludograph.rules import Scores, compiled

INFINITY = np.inf


@compiled
def margin(scores: Scores, seat: int) -> float:
    """Return how far a seat is ahead of the best other; a lone seat's own score."""
    if scores.size == 1:
        return scores[0]
    best = -INFINITY
    for other in range(scores.size):
        if other != seat and scores[other] > best:
            best = scores[other]
    return scores[seat] - best
