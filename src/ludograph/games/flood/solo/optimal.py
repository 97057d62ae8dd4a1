"""A shortest solution of a solo game, or the best one found in the time."""

from __future__ import annotations

import time

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.beam import beam, layer_bytes
from ludograph.games.flood.solo.deepening import Deepening
from ludograph.games.flood.solo.puzzle import Puzzle, make_puzzle
from ludograph.games.flood.solo.solution import Solution, is_solvable, moves_of, unsolvable
from ludograph.rules import State

SECONDS = 60.0
MEMORY = 64 << 20
FIRST_WIDTH = 25
"""The width of the first beam."""

WIDER = 4
"""The factor by which the next beam is wider. It starts after this factor times the last one's
time."""


def solve_optimal(
    setup: FloodSetup, state: State, *, seconds: float | None = SECONDS, memory: int = MEMORY
) -> Solution:
    """Return a shortest solution of a solo game from any of its positions.

    If the search for a shortest solution takes longer than a moment, beam searches of growing width
    alternate with it and find good solutions.

    Parameters
    ----------
    seconds
        The time after which the best solution known is returned; None for no limit.
    memory
        The most bytes of the search for a shortest solution, and of a layer of a beam.

    Returns
    -------
    Solution
        It is ``proven`` unless the time or the memory was too small; in any case ``lower_bound`` is
        proven.

    Raises
    ------
    InvalidInput
        If the game has more than one seat.
    """
    started = time.perf_counter()
    puzzle = make_puzzle(setup, state)
    if not is_solvable(setup, puzzle):
        return unsolvable(started)
    search = Deepening(puzzle, memory)
    beams = Beams(puzzle, started, seconds, memory)
    while search.choices is None and search.fits and not beams.reach(search.floor):
        search.go_on()
        if seconds is not None and time.perf_counter() > started + seconds:
            break
        if search.paused:
            beams.go_on()
    moves = beams.solution() if search.choices is None else moves_of(puzzle, search.choices)
    bound = min(search.floor, len(moves))
    return Solution(
        moves=moves,
        solves=True,
        proven=bound == len(moves),
        lower_bound=bound,
        nodes=beams.nodes + search.nodes,
        seconds=time.perf_counter() - started,
    )


class Beams:
    """Beam searches of growing width; the first one is due at once."""

    def __init__(self, puzzle: Puzzle, started: float, seconds: float | None, memory: int) -> None:
        self.nodes = 0
        self._puzzle = puzzle
        self._started = started
        self._seconds = seconds
        self._memory = memory
        self._moves: tuple[int, ...] | None = None
        self._width = FIRST_WIDTH
        self._due = started

    def reach(self, floor: int) -> bool:
        """Tell whether a solution of at most ``floor`` moves is known."""
        return self._moves is not None and len(self._moves) <= floor

    def go_on(self) -> None:
        """Run the next beam search if it is due and its layers fit in the memory."""
        now = time.perf_counter()
        if now < self._due or layer_bytes(self._puzzle, self._width) > self._memory:
            return
        self._run()
        self._due = time.perf_counter() + WIDER * (time.perf_counter() - now)
        self._width *= WIDER

    def solution(self) -> tuple[int, ...]:
        """Return the best solution of the beams; run the first beam if none has run."""
        if self._moves is None:
            self._run()
        assert self._moves is not None
        return self._moves

    def _run(self) -> None:
        """Run a beam search of the present width, and keep the better solution."""
        choices, _, nodes = beam(self._puzzle, self._width, self._started, self._seconds)
        self.nodes += nodes
        moves = moves_of(self._puzzle, choices)
        if self._moves is None or len(moves) < len(self._moves):
            self._moves = moves
