"""What the scores of a game are worth to each seat in Monte-Carlo search."""

from __future__ import annotations

from ludograph.rules import Scores, compiled
from ludograph.search.values import margin


@compiled
def to_rewards(scores: Scores, margin_cap: float, margin_weight: float, out: Scores) -> None:
    """Write each seat's reward in [0, 1]; a lone seat's is its score as it is.

    A reward is the share of opponents that a seat is ahead of, a tie counting half, blended with
    a little of its margin: so a search plays on sensibly where all is won or lost.

    Parameters
    ----------
    scores, out
        ``float64[seats]``.
    margin_cap
        A margin as wide as this counts in full, a wider one no more.
    margin_weight
        The part of a reward that the margin makes.
    """
    seats = scores.size
    if seats == 1:
        out[0] = scores[0]
        return
    for seat in range(seats):
        ahead = 0.0
        for other in range(seats):
            if other != seat:
                if scores[other] < scores[seat]:
                    ahead += 1.0
                elif scores[other] == scores[seat]:
                    ahead += 0.5
        rank = ahead / (seats - 1)
        lead = 0.5 + 0.5 * max(-1.0, min(1.0, margin(scores, seat) / max(margin_cap, 1e-9)))
        out[seat] = rank + margin_weight * (lead - rank)


def sure_win(seats: int, margin_weight: float) -> float:
    """Return the least reward of a seat that is ahead of all others; inf for a lone seat."""
    return float("inf") if seats == 1 else 1.0 - 0.5 * margin_weight
