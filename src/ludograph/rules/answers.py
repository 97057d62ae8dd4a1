"""Answers of rules about one state in new arrays: for Python code, where a kernel has its own."""

from __future__ import annotations

import numpy as np

from ludograph.rules.contract import info, scores, start
from ludograph.rules.direct import LIST, UNCHECKED, empty_list, take_turn
from ludograph.rules.layout import Moves, Scores, Setup, State


def fresh_state(setup: Setup) -> State:
    """Return the first state of a game: ``int32[state_size]``."""
    state = np.zeros(info(setup).state_size, np.int32)
    start(setup, state)
    return state


def moves_at(setup: Setup, state: State) -> Moves:
    """Return the codes of the legal moves, or of the outcomes of chance: ``int32[k]``."""
    codes = empty_list(setup)
    return codes[: take_turn(setup, state, LIST, codes)]


def play_at(setup: Setup, state: State, move: int) -> None:
    """Play a move in place, unchecked, by the code that lists moves as well."""
    take_turn(setup, state, move, UNCHECKED)


def scores_at(setup: Setup, state: State) -> Scores:
    """Return the scores of a state: ``float64[seats]``."""
    out = np.zeros(info(setup).seats)
    scores(setup, state, out)
    return out
