"""The stack of an alpha-beta search: the complete state of a running search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Scores, Setup, State, compiled
from ludograph.search.records import INTEGER, REAL, Record, Records, make_record, make_records
from ludograph.search.transpositions import CLOSED

MAXIMIZES, MINIMIZES, AVERAGES = range(3)
"""Kinds of nodes: the root's seat is to move, another seat is, or chance is."""

NEITHER = -1

FULL, PROBING, CUT_OFF = range(3)
"""Stages of a chance node; a node of another kind is FULL, or PROBING if it searches one move."""

ENTERING, DESCENDING, RETURNING, DONE = range(4)
"""The next step of a search."""

FRAME = [
    ("kind", INTEGER),
    ("key", np.uint64),
    ("alpha", REAL),  # the present window
    ("beta", REAL),
    ("first_alpha", REAL),  # the window at first
    ("first_beta", REAL),
    ("count", INTEGER),  # moves to be searched
    ("index", INTEGER),  # the next of them
    ("best", REAL),  # the best value so far; at a chance node the sum so far
    ("best_move", INTEGER),
    ("cut", INTEGER),  # 1 if the value depends on the depth limit
    ("killer", INTEGER),  # the move that last caused a cutoff at this level, or -1
    # Of chance nodes, see ``search``:
    ("stage", INTEGER),
    ("probed_kind", INTEGER),  # of the nodes that are probed, or NEITHER
    ("probed_cut", INTEGER),  # 1 if a probe depends on the depth limit
    ("rest", REAL),  # the sum of the bounds of the outcomes not searched in full
    ("enough", REAL),  # a value of one outcome beyond which no other matters
]
"""A node on the line that is being searched."""

PROGRESS = [
    ("step", INTEGER),
    ("level", INTEGER),
    ("limit", INTEGER),  # the greatest level
    ("nodes", INTEGER),  # entered so far
    ("seat", INTEGER),  # the seat that the values are for
    ("probes", INTEGER),  # the kind of node that searches only one move, if it is entered next
    ("value", REAL),  # what the level below returns
    ("cut", INTEGER),  # 1 if this value depends on the depth limit
    ("win_bonus", REAL),  # the value of a win in addition to the margin
]

HISTORY = 4096

LARGE = 1e6
"""More than any margin of a game."""

MEMORY = 1 << 27
"""Bytes of states on a stack, at most: they limit the depth on huge boards."""


class Stack(NamedTuple):
    """A running search: a level per ply from the root."""

    frames: Records
    """``FRAME[levels]``"""
    states: npt.NDArray[np.int32]
    """``int32[levels + 1, state_size]``; the last is scratch."""
    moves: npt.NDArray[np.int32]
    """``int32[levels, capacity]``, those before ``index`` in the order searched."""
    order: npt.NDArray[np.float64]
    """``float64[levels, capacity]``: moves with greater numbers go first."""
    weights: npt.NDArray[np.float64]
    """``float64[levels, capacity]``: probabilities at chance nodes."""
    bounds: npt.NDArray[np.float64]
    """``float64[levels, capacity]``: what probes of outcomes have found."""
    history: npt.NDArray[np.float64]
    """``float64[2, HISTORY]``: the number of cutoffs by each move, by kind of node."""
    scores: Scores
    low: Scores
    high: Scores
    """The least and the greatest score that every seat can have at a node."""
    progress: Record


def make_stack(setup: Setup, plies: int, win_bonus: float = LARGE) -> Stack:
    """Return a stack for games of at most ``plies`` more plies."""
    size = rules.info(setup).state_size
    capacity = rules.info(setup).move_capacity
    seats = rules.info(setup).seats
    levels = 1 + max(1, min(plies, max(8, MEMORY // (4 * size)), CLOSED - 1))
    progress = make_record(PROGRESS)
    progress.win_bonus = win_bonus
    return Stack(
        frames=make_records(levels, FRAME),
        states=np.empty((levels + 1, size), np.int32),
        moves=np.empty((levels, capacity), np.int32),
        order=np.empty((levels, capacity), np.float64),
        weights=np.empty((levels, capacity), np.float64),
        bounds=np.empty((levels, capacity), np.float64),
        history=np.zeros((2, HISTORY), np.float64),
        scores=np.zeros(seats, np.float64),
        low=np.zeros(seats, np.float64),
        high=np.zeros(seats, np.float64),
        progress=progress,
    )


def set_root(stack: Stack, state: State, seat: int) -> None:
    """Set a stack to search from a state, for the value of a seat."""
    stack.states[0] = state
    stack.frames["killer"][:] = -1
    stack.history[:] = 0.0
    stack.progress.nodes = 0
    stack.progress.seat = seat


def begin(stack: Stack, limit: int) -> None:
    """Set a stack to search from its root to a depth in plies."""
    stack.progress.step = ENTERING
    stack.progress.level = 0
    stack.progress.limit = limit
    stack.progress.probes = NEITHER
    root = stack.frames[0]
    root.index = 0
    root.cut = 0
    root.alpha = -np.inf
    root.beta = np.inf


@compiled
def play_to(setup: Setup, before: State, move: int, after: State) -> None:
    """Write the state that a move leads to."""
    rules.copy(before, after)
    rules.play(setup, after, move)
