"""The stack of an alpha-beta search: all that one search under way consists of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Scores, Setup
from ludograph.search.table import CLOSED

ALPHA, BETA, FIRST_ALPHA, FIRST_BETA, BEST, REST, ENOUGH = range(7)
"""Columns of ``windows``. At a chance node BEST is the sum so far, REST the sum of the bounds of
the outcomes not searched in full, ENOUGH the value of one beyond which no other matters."""

KIND, INDEX, COUNT, CHOSEN, CUT, STAGE, SIDE, PROBED_CUT = range(8)
"""Columns of ``frames``. CUT: 1 when the limit of depth has touched the value, PROBED_CUT: when it
has touched a probe. SIDE: at a chance node the kind of the nodes that are probed, or NEITHER."""

MAXIMIZES, MINIMIZES, AVERAGES = range(3)
NEITHER = -1

FULL, PROBING, CUT_OFF = range(3)
"""Stages of a chance node; a node of another kind is FULL, or PROBING if it looks at one move."""

MODE, LEVEL, LIMIT, NODES, SEAT, RESULT_CUT, WANTED = range(7)
"""Slots of ``progress``. WANTED: the kind of node that looks at one move only, if it is entered."""

ENTERING, EXPANDING, RETURNING, DONE = range(4)

HISTORY = 4096

MEMORY = 1 << 27
"""Bytes of states on a stack, at most: they limit the depth on huge boards."""


class Stack(NamedTuple):
    """One search under way: a level per ply from the root."""

    states: npt.NDArray[np.int32]
    """``int32[levels + 1, state_size]``; the last is scratch."""
    moves: npt.NDArray[np.int32]
    """``int32[levels, capacity]``, those before INDEX in the order searched."""
    order: npt.NDArray[np.float64]
    """``float64[levels, capacity]``: where moves of greater numbers go first."""
    weights: npt.NDArray[np.float64]
    """``float64[levels, capacity]``: probabilities at chance nodes."""
    bounds: npt.NDArray[np.float64]
    """``float64[levels, capacity]``: what probes of outcomes have found."""
    windows: npt.NDArray[np.float64]
    """``float64[levels, 7]``"""
    frames: npt.NDArray[np.int64]
    """``int64[levels, 8]``"""
    keys: npt.NDArray[np.uint64]
    """``uint64[levels]``"""
    killers: npt.NDArray[np.int64]
    """``int64[levels]``: the move that last caused a cutoff."""
    history: npt.NDArray[np.float64]
    """``float64[2, HISTORY]``: how often moves caused one; for the root's seat, for others."""
    scores: Scores
    low: Scores
    high: Scores
    """What every seat is sure of at a node, and what it can have at most."""
    result: npt.NDArray[np.float64]
    """``float64[1]``: the value that a level returns."""
    progress: npt.NDArray[np.int64]


def make_stack(setup: Setup, plies: int) -> Stack:
    """Return a stack for games that go on for at most so many plies."""
    size = int(rules.state_size(setup))
    capacity = int(rules.move_capacity(setup))
    levels = 1 + max(1, min(plies, max(8, MEMORY // (4 * size)), CLOSED - 1))
    return Stack(
        states=np.empty((levels + 1, size), np.int32),
        moves=np.empty((levels, capacity), np.int32),
        order=np.empty((levels, capacity), np.float64),
        weights=np.empty((levels, capacity), np.float64),
        bounds=np.empty((levels, capacity), np.float64),
        windows=np.zeros((levels, 7), np.float64),
        frames=np.zeros((levels, 8), np.int64),
        keys=np.zeros(levels, np.uint64),
        killers=np.full(levels, -1, np.int64),
        history=np.zeros((2, HISTORY), np.float64),
        scores=np.zeros(int(rules.seat_count(setup)), np.float64),
        low=np.zeros(int(rules.seat_count(setup)), np.float64),
        high=np.zeros(int(rules.seat_count(setup)), np.float64),
        result=np.zeros(1, np.float64),
        progress=np.zeros(7, np.int64),
    )


def begin(stack: Stack, limit: int) -> None:
    """Set a stack to search from ``states[0]``, so many plies deep."""
    stack.progress[MODE] = ENTERING
    stack.progress[LEVEL] = 0
    stack.progress[LIMIT] = limit
    stack.progress[WANTED] = NEITHER
    stack.frames[0] = 0
    stack.windows[0, ALPHA] = -np.inf
    stack.windows[0, BETA] = np.inf
