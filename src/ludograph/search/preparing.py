"""The kernels that a search loads before any clock runs."""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import Setup
from ludograph.rules.answers import fresh_state, moves_at, scores_at


def load_rules(setup: Setup) -> None:
    """Load, or compile, the rules that searches call from Python, one position at a time.

    A match has done so for the game's Setup, but not for a different Setup of the searches.
    """
    state = fresh_state(setup)
    for move in moves_at(setup, state)[:1].tolist():
        rules.play(setup, state, move)
    scores_at(setup, state)
