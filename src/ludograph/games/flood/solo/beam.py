"""Beam search: good solutions of boards of any size, without proof.

All zones reached by so many choices are one layer. Of each layer the ``width`` best stay: first by
moves made + lower bound of the rest, then by regions taken.
"""

from __future__ import annotations

import time

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.bitsets import Words, bit_count, digest, size_of
from ludograph.games.flood.solo.puzzle import IntArray, LongArray, Puzzle, make_puzzle
from ludograph.games.flood.solo.solution import Solution, is_solvable, moves_of, unsolvable
from ludograph.games.flood.solo.step import (
    ZONE_AFTER,
    bound_after,
    enter,
    finish_colors,
    make_scratch,
    play_color,
    start_zone,
)
from ludograph.rules import State, compiled

MEMORY = 1 << 30
"""Bytes that a layer may take."""

FAR = 1 << 30
"""More moves than any solution has."""

# Slots of ``best``.
MOVES, STATE, COLOR = 0, 1, 2


def solve_beam(
    setup: FloodSetup, state: State, *, width: int = 200, seconds: float | None = None
) -> Solution:
    """Return a good solution of a solo game from any of its positions.

    Parameters
    ----------
    width
        Zones that stay in a layer; twice as many take twice as long.
    seconds
        After this time the search goes on with a single zone per layer, which is quick.

    Returns
    -------
    Solution
        Never better than the optimum, and proven only where it meets the lower bound of the start.

    Raises
    ------
    InvalidInput
        If the game has more than one seat, or layers of this width take more than 1 GiB.
    """
    started = time.perf_counter()
    puzzle = make_puzzle(setup, state)
    if not is_solvable(setup, puzzle):
        return unsolvable(started)
    layer_bytes = 8 * puzzle.width * width * (puzzle.palette.size + 1)
    if width < 1 or layer_bytes > MEMORY:
        raise InvalidInput(
            f"flood: a beam of width {width} takes {layer_bytes >> 20} MiB on a board of "
            f"{puzzle.regions} regions; the width must be at least 1, the memory at most "
            f"{MEMORY >> 20} MiB"
        )
    choices, bound, nodes = beam(puzzle, width, started, seconds)
    moves = moves_of(puzzle, choices)
    return Solution(
        moves=moves,
        solves=True,
        proven=bound == len(moves),
        lower_bound=bound,
        nodes=nodes,
        seconds=time.perf_counter() - started,
    )


def beam(
    puzzle: Puzzle, width: int, started: float, seconds: float | None
) -> tuple[list[int], int, int]:
    """Return the choices of a solution, the lower bound of the start and the zones looked at."""
    sets = make_scratch(puzzle)
    zones, depth, bound = start_zone(puzzle, sets)
    depths = np.full(1, depth, np.int32)
    best = np.array([FAR if bound > depth else depth, 0, 0], np.int64)
    history: list[tuple[IntArray, IntArray]] = []
    chosen: list[int] = []
    nodes = 1
    while depths.size:
        if seconds is not None and time.perf_counter() - started > seconds:
            width = 1
            zones, depths = zones[: puzzle.width], depths[:1]
        room = depths.size * puzzle.palette.size
        after = np.empty(room * puzzle.width, np.uint64)
        depths_after, parents, choices = (np.empty(room, np.int32) for _ in range(3))
        scores, digests = np.empty(room, np.int64), np.empty(room, np.uint64)
        before = int(best[MOVES])
        found = widen(
            puzzle,
            zones,
            depths,
            sets,
            after,
            depths_after,
            parents,
            choices,
            scores,
            digests,
            best,
        )
        nodes += found
        if best[MOVES] < before:
            chosen = trace(history, int(best[STATE]), int(best[COLOR]))
        kept = select(scores[:found], digests[:found], width)
        history.append((parents[kept], choices[kept]))
        zones = after.reshape(room, puzzle.width)[kept].reshape(-1)
        depths = depths_after[kept]
    return chosen, bound, nodes


def select(scores: LongArray, digests: Words, width: int) -> LongArray:
    """Return the places of the best zones, each zone once, the best first.

    Zones are told apart by their digests: should two ever share one, a good zone is lost, no more.
    """
    order = np.lexsort((digests, scores))
    _, firsts = np.unique(digests[order], return_index=True)
    return order[np.sort(firsts)[:width]]


def trace(history: list[tuple[IntArray, IntArray]], state: int, color: int) -> list[int]:
    """Return the choices that lead to a zone of the last layer, and a last one."""
    chosen = [color]
    for parents, choices in reversed(history):
        chosen.append(int(choices[state]))
        state = int(parents[state])
    return chosen[::-1]


@compiled
def widen(
    puzzle: Puzzle,
    zones: Words,
    depths: IntArray,
    sets: Words,
    zones_out: Words,
    depths_out: IntArray,
    parents: IntArray,
    choices: IntArray,
    scores: LongArray,
    digests: Words,
    best: LongArray,
) -> int:
    """Write what can follow a layer; return how many zones that is, some of them twice.

    Parameters
    ----------
    zones, depths
        ``uint64[size * width]``, ``int32[size]``: the layer, and the moves made.
    zones_out, depths_out, parents, choices, scores, digests
        The next one, room for ``size * colors``; lower scores are better.
    best
        ``int64[3]``: the moves of the best solution, and the zone of the layer and the color that
        lead to it, if it ends in this layer.
    """
    spans, masks, rows, links = puzzle.spans, puzzle.masks, puzzle.rows, puzzle.links
    bits, first_near = puzzle.bits, puzzle.near
    width = first_near.size
    regions = rows.size - 1
    after = ZONE_AFTER * width
    found = 0
    for state in range(depths.size):
        left = enter(spans, masks, rows, links, bits, first_near, sets, zones, state * width)
        for color in range(spans.size >> 1):
            if (left >> color) & 1 and play_color(
                spans, masks, rows, links, bits, width, sets, color
            ):
                rest = finish_colors(spans, masks, rows, links, bits, width, sets, left)
                depth = depths[state] + 1 + bit_count(left ^ rest)
                if rest == 0 and depth < best[MOVES]:
                    best[MOVES], best[STATE], best[COLOR] = depth, state, color
                limit = best[MOVES] - depth
                if rest == 0 or bit_count(rest) >= limit:
                    continue
                bound = bound_after(spans, masks, rows, links, bits, width, sets, rest, limit)
                if bound < limit:
                    for word in range(width):
                        zones_out[found * width + word] = sets[after + word]
                    depths_out[found] = depth
                    parents[found] = state
                    choices[found] = color
                    taken = size_of(sets, after, width)
                    scores[found] = (depth + bound) * (regions + 1) + regions - taken
                    digests[found] = digest(sets, after, width)
                    found += 1
    return found
