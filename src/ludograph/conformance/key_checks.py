"""Checks of the key: states with the same key have the same future."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.rules import OVER, PLY, TURN, Setup, State
from ludograph.rules.answers import moves_at, scores_at

BESIDE = 4
"""The most moves of a state that are followed, two deep, to find transpositions."""

PAIRS = 50
"""The most pairs of states with one key that are played to their ends."""


def check_keys(setup: Setup, trail: list[State], seed: int) -> None:
    """Check that states with one key, in a game or next to it, have the same future.

    Parameters
    ----------
    trail
        The states of the game, the last one over.
    """
    rng = rules.random_state(seed, 7)
    first: dict[int, State] = {}
    pairs = 0
    for state in trail[:-1]:
        for other in around(setup, state):
            known = first.setdefault(int(rules.key(setup, other)), other)
            if pairs < PAIRS and not np.array_equal(known, other):
                pairs += 1
                check_alike(setup, known.copy(), other.copy(), rng, f"seed {seed}")


def around(setup: Setup, state: State, depth: int = 2) -> Iterator[State]:
    """Yield a state, and some states after its moves."""
    yield state
    if depth > 0:
        for move in moves_of(setup, state)[:BESIDE]:
            after = state.copy()
            rules.play(setup, after, move)
            yield from around(setup, after, depth - 1)


def moves_of(setup: Setup, state: State) -> list[int]:
    """Return the codes of the legal moves, in order."""
    return sorted(moves_at(setup, state).tolist())


def check_alike(setup: Setup, one: State, other: State, rng: rules.Rng, where: str) -> None:
    """Check that two states with one key have the same moves and reach the same scores."""
    twins = f"{where}: two states, of ply {one[PLY]} and {other[PLY]}, have one key"
    while one[TURN] != OVER or other[TURN] != OVER:
        moves = moves_of(setup, one)
        require(
            one[TURN] == other[TURN] and moves == moves_of(setup, other),
            f"{twins} and other moves",
        )
        move = moves[int(rules.random_below(rng, len(moves)))]
        rules.play(setup, one, move)
        rules.play(setup, other, move)
    same = np.array_equal(scores_at(setup, one), scores_at(setup, other))
    require(same, f"{twins} and other scores at the end")
