"""The results of the solvers of the solo game, and the check of their start."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.moves import make_zone, unfold
from ludograph.games.flood.solo.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Solution:
    """A way to make the board one color, and what is known about it.

    Attributes
    ----------
    moves
        Colors to play from the position, in order; empty if the board cannot be solved.
    solves
        Whether the moves make the board one color.
    proven
        Whether no solution is shorter; if ``solves`` is false, that there is none.
    lower_bound
        No solution has fewer moves.
    nodes, seconds
        Zones that were looked at, and how long it took.
    """

    moves: tuple[int, ...]
    solves: bool
    proven: bool
    lower_bound: int
    nodes: int
    seconds: float


def is_solvable(setup: FloodSetup, puzzle: Puzzle) -> bool:
    """Tell whether the board can become one color.

    It cannot if a free region has a forbidden color: nothing but that color takes it. Otherwise
    every color that is left may be played, and a connected board always shrinks.
    """
    forbidden = int(setup.forbidden.view(np.uint32)[0])
    return not any(forbidden >> color & 1 for color in puzzle.palette.tolist())


def unsolvable(started: float) -> Solution:
    """Return that there is no solution; ``started`` is a time of ``time.perf_counter``."""
    return Solution((), False, True, 0, 0, time.perf_counter() - started)


def moves_of(puzzle: Puzzle, choices: Sequence[int]) -> tuple[int, ...]:
    """Return the game's colors in order, from a solution's choices alone."""
    out = np.empty(puzzle.regions + 1, np.int32)
    zone, gained = make_zone(puzzle), np.zeros(puzzle.width, np.uint64)
    count = unfold(puzzle, zone, gained, np.array(choices, np.int32), out)
    return tuple(puzzle.palette[out[:count]].tolist())
