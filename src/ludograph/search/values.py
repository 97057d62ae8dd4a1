"""The value of a game's scores for a seat, and the rewards of all seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
def reward_ranks(scores: Scores, rewards: npt.NDArray[np.floating[Any]]) -> None:
    """Write the rewards at the end of a game: 1 for the best seat, -1 for the worst, in even steps.

    Seats with equal scores have equal rewards, and the sum of all rewards is 0. The reward of the
    only seat of a game is its score.
    """
    seats = scores.size
    if seats == 1:
        rewards[0] = scores[0]
        return
    for seat in range(seats):
        balance = 0
        for other in range(seats):
            if scores[seat] > scores[other]:
                balance += 1
            elif scores[seat] < scores[other]:
                balance -= 1
        rewards[seat] = balance / (seats - 1)
