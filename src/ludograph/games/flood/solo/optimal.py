"""The shortest solution of a solo game: a quick beam, then A* until proven or out of means."""

from __future__ import annotations

import time

import numpy as np

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.astar import (
    BEST,
    BEST_NODE,
    COUNTERS,
    FLOOR,
    FULL,
    PAUSED,
    USED,
    Counters,
    best_choices,
    search,
)
from ludograph.games.flood.solo.beam import beam
from ludograph.games.flood.solo.nodes import (
    DEPTH,
    SLOTS,
    WAITING,
    Nodes,
    enlarge,
    fill_table,
    make_nodes,
    node_bytes,
    push,
)
from ludograph.games.flood.solo.puzzle import Puzzle, make_puzzle
from ludograph.games.flood.solo.solution import Solution, is_solvable, moves_of, unsolvable
from ludograph.games.flood.solo.step import make_scratch, start_zone
from ludograph.rules import State

SECONDS = 60.0
MEMORY = 1 << 30
FIRST_WIDTH = 25
"""Of the beam whose solution A* must beat."""
FIRST_CAPACITY = 1 << 14
WORK_PER_CALL = 1 << 20
"""Regions entered between two looks at the clock: some tens of milliseconds."""


def solve_optimal(
    setup: FloodSetup,
    state: State,
    *,
    seconds: float | None = SECONDS,
    memory: int = MEMORY,
    capacity: int = FIRST_CAPACITY,
) -> Solution:
    """Return a shortest solution of a solo game from any of its positions.

    Parameters
    ----------
    seconds
        Time after which the best solution known is returned; None for no limit.
    memory
        Bytes that the nodes may take, likewise; while a pool is enlarged the old one, at least
        half as large, is there as well.
    capacity
        Nodes to make room for at first.

    Returns
    -------
    Solution
        ``proven`` unless time or memory ended first; then ``lower_bound`` is what is proven.

    Raises
    ------
    InvalidInput
        If the game has more than one seat.
    """
    started = time.perf_counter()
    puzzle = make_puzzle(setup, state)
    if not is_solvable(setup, puzzle):
        return unsolvable(started)
    half = None if seconds is None else seconds / 2
    choices, _, looked_at = beam(puzzle, FIRST_WIDTH, started, half)
    moves = moves_of(puzzle, choices)
    deadline = None if seconds is None else started + seconds
    counters, nodes = _run(puzzle, len(moves), deadline, memory, capacity)
    if counters[BEST_NODE] >= 0:
        moves = moves_of(puzzle, best_choices(counters, nodes))
    bound = min(int(counters[FLOOR]), len(moves))
    return Solution(
        moves=moves,
        solves=True,
        proven=bound == len(moves),
        lower_bound=bound,
        nodes=looked_at + int(counters[USED]),
        seconds=time.perf_counter() - started,
    )


def _run(
    puzzle: Puzzle, known: int, deadline: float | None, memory: int, capacity: int
) -> tuple[Counters, Nodes]:
    """Search for less than ``known`` moves; return the counters and the nodes."""
    sets = make_scratch(puzzle)
    zone, depth, bound = start_zone(puzzle, sets)
    counters = np.zeros(COUNTERS, np.int64)
    counters[BEST], counters[BEST_NODE], counters[FLOOR] = known, -1, bound
    colors = puzzle.palette.size
    limit = max(colors + 2, memory // node_bytes(puzzle.width))
    nodes = make_nodes(min(max(capacity, colors + 2), limit), puzzle.width)
    if bound >= known:
        return counters, nodes
    heads = np.zeros(known + 1, np.uint32)
    nodes.zones[: puzzle.width] = zone
    nodes.records[:SLOTS] = 0
    nodes.records[DEPTH] = depth
    nodes.records[WAITING] = (1 << colors) - 1
    counters[USED] = 1
    fill_table(nodes.zones, nodes.table, puzzle.width, 1)
    push(nodes.records, heads, 0, bound)
    budget = max(1, WORK_PER_CALL // max(1, puzzle.regions))
    while True:
        code = search(puzzle, nodes, heads, counters, sets, budget)
        if code == FULL:
            size = nodes.records.size // SLOTS
            if size >= limit:
                return counters, nodes
            nodes = enlarge(nodes, int(counters[USED]), puzzle.width, min(2 * size, limit))
        elif code != PAUSED:
            return counters, nodes
        if deadline is not None and time.perf_counter() > deadline:
            return counters, nodes
