"""Kernels that play random games of any setup, for several benchmarks."""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import OVER, TURN, compiled


@compiled
def play_uniform(setup, state, rng, games):
    """Play games move by move, every legal move equally likely."""
    for _ in range(games):
        rules.start(setup, state)
        while state[TURN] != OVER:
            rules.play(setup, state, rules.sample_move(setup, state, rng))


@compiled
def play_out(setup, state, rng, out, games):
    """Play games as a search does, by the game's own playout."""
    for _ in range(games):
        rules.start(setup, state)
        rules.playout(setup, state, rng, out)
