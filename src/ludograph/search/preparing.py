"""The kernels that a search loads before any clock runs."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import Setup


def load_rules(setup: Setup) -> None:
    """Load, or compile, the rules that searches call from Python, one position at a time.

    A match has done so for the game's Setup, but not for a different Setup of the searches.
    """
    limits = rules.info(setup)
    state = np.zeros(int(limits.state_size), np.int32)
    moves = np.zeros(int(limits.move_capacity), np.int32)
    rules.start(setup, state)
    if rules.legal_moves(setup, state, moves):
        rules.play(setup, state, int(moves[0]))
    rules.scores(setup, state, np.zeros(int(limits.seats)))
