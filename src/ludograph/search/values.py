"""What the scores of a game are worth to a seat."""

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


@compiled
def to_rewards(scores: Scores, bounds: Scores, share: float, out: Scores) -> None:
    """Write each seat's reward in [0, 1]; a lone seat's is its score as it is.

    A reward is the share of opponents that a seat is ahead of, a tie counting half, blended with
    a little of its margin: so a search plays on sensibly where all is won or lost.

    Parameters
    ----------
    scores, out
        ``float64[seats]``.
    bounds
        ``float64[2]``: a margin as wide as between these counts in full, a wider one no more.
    share
        The part of a reward that the margin makes.
    """
    seats = scores.size
    if seats == 1:
        out[0] = scores[0]
        return
    width = max(bounds[1] - bounds[0], 1e-9)
    for seat in range(seats):
        ahead = 0.0
        for other in range(seats):
            if other != seat:
                if scores[other] < scores[seat]:
                    ahead += 1.0
                elif scores[other] == scores[seat]:
                    ahead += 0.5
        lead = 0.5 + 0.5 * max(-1.0, min(1.0, margin(scores, seat) / width))
        out[seat] = (1.0 - share) * ahead / (seats - 1) + share * lead
