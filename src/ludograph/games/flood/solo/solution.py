"""The results of the solvers of the solo game, and the test for boards without a solution."""

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
    """A sequence of moves that makes the board one color, and its proof.

    Attributes
    ----------
    moves
        The colors to play from the position, in order; empty if the board cannot be solved.
    solves
        Whether the moves make the board one color.
    proven
        If ``solves`` is true, whether it is proven that no solution is shorter; otherwise whether
        it is proven that there is no solution.
    lower_bound
        A proven lower bound of the moves of all solutions.
    nodes, seconds
        The number of zones searched, and the time.
    """

    moves: tuple[int, ...]
    solves: bool
    proven: bool
    lower_bound: int
    nodes: int
    seconds: float


def is_solvable(setup: FloodSetup, puzzle: Puzzle) -> bool:
    """Tell whether the board can become one color.

    It cannot if a free region has a forbidden color, since only this color takes the region.
    Otherwise every color left may be played, and on a connected board one of them always gains.
    """
    forbidden = int(setup.forbidden.view(np.uint32)[0])
    return not any(forbidden >> color & 1 for color in puzzle.palette.tolist())


def unsolvable(started: float) -> Solution:
    """Return the proven result that there is no solution.

    ``started`` is the time of the start, by ``time.perf_counter``.
    """
    return Solution((), False, True, 0, 0, time.perf_counter() - started)


def moves_of(puzzle: Puzzle, choices: Sequence[int]) -> tuple[int, ...]:
    """Return all moves of a solution as the game's colors, given its choices.

    Choices are numbers of the puzzle's palette, see :mod:`ludograph.games.flood.solo.moves`.
    """
    out = np.empty(puzzle.regions + 1, np.int32)
    zone, gained = make_zone(puzzle), np.zeros(puzzle.width, np.uint64)
    count = unfold(puzzle, zone, gained, np.array(choices, np.int32), out)
    return tuple(puzzle.palette[out[:count]].tolist())
