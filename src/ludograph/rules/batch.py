"""Many games of one setup side by side: a 2-D array of states, a row per game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled
from ludograph.rules.contract import play, sample_move, scores, start
from ludograph.rules.layout import OVER, TURN, Rng, Setup

States = npt.NDArray[np.int32]
"""``int32[games, state_size(setup)]``."""


@compiled
def start_all(setup: Setup, states: States) -> None:
    """Fill every row with a fresh state."""
    for game in range(states.shape[0]):
        start(setup, states[game])


@compiled
def play_all(setup: Setup, states: States, moves: npt.NDArray[np.int32]) -> None:
    """Play ``moves[game]`` in every game that is not over; ``int32[games]``."""
    for game in range(states.shape[0]):
        if states[game, TURN] != OVER:
            play(setup, states[game], moves[game])


@compiled
def sample_all(setup: Setup, states: States, rng: Rng, out: npt.NDArray[np.int32]) -> None:
    """Write a random legal move of every game, -1 where it is over; ``int32[games]``."""
    for game in range(states.shape[0]):
        out[game] = -1
        if states[game, TURN] != OVER:
            out[game] = sample_move(setup, states[game], rng)


@compiled
def score_all(setup: Setup, states: States, out: npt.NDArray[np.float64]) -> None:
    """Write the scores of every game; ``float64[games, seats]``."""
    for game in range(states.shape[0]):
        scores(setup, states[game], out[game])
