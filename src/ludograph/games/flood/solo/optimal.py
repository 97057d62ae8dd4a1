"""A shortest solution of a solo game, or the best one found in the time, by iterative deepening.

The first search is for a solution with the number of moves of the lower bound. If there is none,
the next search allows one move more, and so on (Korf, "Depth-first iterative-deepening", Artificial
Intelligence 27, 1985). The first solution found is a shortest one. Each refuted number of moves
raises the lower bound.
"""

from __future__ import annotations

import time

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.beam import (
    SoloSolution,
    beam,
    is_solvable,
    layer_bytes,
    moves_of,
    unsolvable,
)
from ludograph.games.flood.solo.moves import make_scratch, start_zone
from ludograph.games.flood.solo.nogoods import KEPT, bound_after, enlarge, make_nogoods
from ludograph.games.flood.solo.puzzle import Puzzle, make_puzzle
from ludograph.games.flood.solo.search import (
    PAUSED,
    REFUTED,
    SOLVED,
    Levels,
    level_bytes,
    make_levels,
    open_level,
    search,
)
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
) -> SoloSolution:
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
    SoloSolution
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
    return SoloSolution(
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


WORK_PER_CALL = 1 << 20
"""The work of a call: nodes times the regions of the board; it takes some milliseconds."""
SPARE = 8
"""The number of further levels when the search makes room for more."""


class Deepening:
    """A search by iterative deepening, which runs in calls of some milliseconds each.

    Parameters
    ----------
    memory
        The bytes for the levels of the search, and for up to ``KEPT`` nogoods per number of moves.

    Attributes
    ----------
    choices
        The choices of a shortest solution; None until it is found.
    floor
        The lower bound of the moves of all solutions.
    fits
        Whether the memory suffices to continue.
    nogoods
        The nogoods that the search has learned.
    paused
        Whether the search for ``floor`` moves was unfinished at the end of the last call.
    nodes
        The number of zones searched so far.
    """

    def __init__(self, puzzle: Puzzle, memory: int) -> None:
        self._puzzle = puzzle
        self._memory = memory
        self._scratch = make_scratch(puzzle)
        left, self._before = start_zone(puzzle, self._scratch)
        rest = bound_after(puzzle.graph, self._scratch, left, puzzle.regions + 1)
        self.floor = self._before + int(rest)
        self.choices: list[int] | None = None if left else []
        self.fits = True
        self.paused = False
        self.nodes = 0
        self._levels = make_levels(0, puzzle.width)
        self.nogoods = make_nogoods(0, 0, puzzle.width)

    def go_on(self) -> None:
        """Search some milliseconds for a solution of ``floor`` moves; do nothing if not ``fits``.

        If there is no such solution, ``floor`` grows by one.
        """
        if not self.paused:
            self._begin()
        if not self.fits:
            return
        levels = self._levels
        work = max(1, WORK_PER_CALL // max(1, self._puzzle.regions))
        code = search(self._puzzle.graph, self._scratch, levels, self.nogoods, work)
        self.nodes += int(levels.progress[0].nodes)
        levels.progress[0].nodes = 0
        self.paused = code == PAUSED
        if code == SOLVED:
            self.choices = choices_of(levels)
        elif code == REFUTED:
            self.floor += 1

    def _begin(self) -> None:
        """Open the first level of a search."""
        budget = self.floor - self._before
        if budget >= self._levels.frames.size:
            self._add_levels(budget + SPARE)
        if self.fits:
            left, _ = start_zone(self._puzzle, self._scratch)
            graph = self._puzzle.graph
            open_level(graph, self._scratch, self._levels, self.nogoods, budget, left, -1)

    def _add_levels(self, count: int) -> None:
        """Make room for ``count`` levels; old and new nogoods count, since both exist at a time."""
        width = self._puzzle.width
        free_bytes = self._memory - count * level_bytes(width) - self.nogoods.sets.nbytes
        kept = min(KEPT, free_bytes // (8 * count * width))
        self.fits = kept > 1
        if self.fits:
            self._levels = make_levels(count, width)
            self.nogoods = enlarge(self.nogoods, count, kept)


def choices_of(levels: Levels) -> list[int]:
    """Return the choices of the solution that a search has found."""
    choices = []
    budget = levels.progress[0].level
    while budget >= 0:
        frame = levels.frames[budget]
        choices.append(int(frame.choice))
        budget = frame.above
    return choices[::-1]
