"""A plain fit of ratings of two seats: Newton's method game by game, with Python's loops."""

import math
from collections.abc import Sequence

import numpy as np

from tests.arena.games import Row


def strengths(games: Sequence[Row], players: Sequence[str], prior: float) -> np.ndarray:
    """Return the strengths of highest likelihood, their mean being 0, of games without draws.

    Seats are equal. Each player has ``prior`` virtual games against one of strength 0, half won.
    """
    place = {name: number for number, name in enumerate(players)}
    at = np.zeros(len(players))
    for _ in range(30):
        slope = -prior * np.tanh(at / 2) / 2
        bend = np.diag(prior / (4 * np.cosh(at / 2) ** 2))
        for game in games:
            won, lost = (place[game.seating[game.ranks.index(rank)]] for rank in (1, 2))
            chance = 1 / (1 + math.exp(at[lost] - at[won]))
            slope[won] += 1 - chance
            slope[lost] -= 1 - chance
            toward = np.zeros(len(players))
            toward[won], toward[lost] = 1, -1
            bend += chance * (1 - chance) * np.outer(toward, toward)
        at = at + np.linalg.pinv(bend, hermitian=True) @ slope
    return at - at.mean()
