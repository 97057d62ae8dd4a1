"""Beam search: good solutions of boards of any size, without proof.

The zones after the same number of choices are a layer. The search keeps the ``width`` best zones of
each layer: those with the least sum of moves made and lower bound of the further moves, then those
with the most regions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo.moves import (
    Scratch,
    Zone,
    enter,
    finish,
    make_scratch,
    make_zone,
    play,
    play_and_finish,
    start_zone,
)
from ludograph.games.flood.solo.nogoods import bound_after
from ludograph.games.flood.solo.puzzle import (
    IntArray,
    LongArray,
    Puzzle,
    digest,
    make_puzzle,
    size_of,
)
from ludograph.rules import State, compiled, copy
from ludograph.rules.kernels.bits import bit_count
from ludograph.rules.kernels.sets import Words


@dataclass(frozen=True, slots=True)
class SoloSolution:
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


def unsolvable(started: float) -> SoloSolution:
    """Return the proven result that there is no solution.

    ``started`` is the time of the start, by ``time.perf_counter``.
    """
    return SoloSolution((), False, True, 0, 0, time.perf_counter() - started)


def moves_of(puzzle: Puzzle, choices: Sequence[int]) -> tuple[int, ...]:
    """Return all moves of a solution as the game's colors, given its choices.

    Choices are numbers of the puzzle's palette, see :mod:`ludograph.games.flood.solo.moves`. The
    colors that can be finished are inserted before the first choice and after each.
    """
    graph, scratch = puzzle.graph, make_scratch(puzzle)
    left, count = start_zone(puzzle, scratch)
    gains = scratch.steps[:count].tolist()
    for color in choices:
        gains.append(play(graph, scratch.after, color, scratch.gained))
        rest = int(finish(graph, scratch.after, left, scratch.gained, scratch.steps, 0))
        gains += scratch.steps[: (left ^ rest).bit_count()].tolist()
        left = rest
    ends = np.cumsum([size_of(mask) for mask in graph.masks])  # regions are sorted by color
    return tuple(puzzle.palette[np.searchsorted(ends, gains, side="right")].tolist())


MEMORY = 1 << 30
"""The most bytes of a layer."""

FAR = 1 << 30
"""A number of moves that is greater than that of any solution."""


def solve_beam(
    setup: FloodSetup, state: State, *, width: int = 200, seconds: float | None = None
) -> SoloSolution:
    """Return a good solution of a solo game from any of its positions.

    Parameters
    ----------
    width
        The number of zones that the search keeps of each layer; its time is proportional to it.
    seconds
        The time after which the search keeps a single zone per layer, which is quick; None: no
        limit.

    Returns
    -------
    SoloSolution
        It is proven only if its length is the lower bound of the start.

    Raises
    ------
    InvalidInput
        If the game has more than one seat, or layers of this width take more than 1 GiB.
    """
    started = time.perf_counter()
    puzzle = make_puzzle(setup, state)
    if not is_solvable(setup, puzzle):
        return unsolvable(started)
    needed = layer_bytes(puzzle, width)
    if width < 1 or needed > MEMORY:
        raise InvalidInput(
            f"flood: a beam of width {width} takes {needed >> 20} MiB on a board of "
            f"{puzzle.regions} regions; the width must be at least 1, the memory at most "
            f"{MEMORY >> 20} MiB"
        )
    choices, bound, nodes = beam(puzzle, width, started, seconds)
    moves = moves_of(puzzle, choices)
    return SoloSolution(
        moves=moves,
        solves=True,
        proven=bound == len(moves),
        lower_bound=bound,
        nodes=nodes,
        seconds=time.perf_counter() - started,
    )


def layer_bytes(puzzle: Puzzle, width: int) -> int:
    """Return the memory of a layer and of all zones that can follow it, in bytes."""
    return (8 * puzzle.width + 32) * width * (puzzle.palette.size + 1)


class Layer(NamedTuple):
    """Room for ``size`` zones after the same number of choices."""

    zones: Words
    """``uint64[size, width]``: the regions of each zone, a set of ``width`` words."""
    moves: IntArray
    """``int32[size]``: the moves made, including those of finished colors."""
    parents: IntArray
    """``int32[size]``: the place of the zone before the choice, in the layer before."""
    choices: IntArray
    """``int32[size]``: the color of the choice."""
    scores: LongArray
    """``int64[size]``: the order of the zones; lower scores are better."""
    digests: Words
    """``uint64[size]``: the digest of each zone."""


class Best(NamedTuple):
    """The best solution known, each field an array of one number."""

    moves: LongArray
    """The number of its moves."""
    parent: LongArray
    """The place of the zone before its last choice, in the layer in which it was found."""
    choice: LongArray
    """The color of its last choice."""


def make_layer(size: int, width: int) -> Layer:
    """Return room for a layer of ``size`` zones, sets of ``width`` words."""
    moves, parents, choices = np.empty((3, size), np.int32)
    return Layer(
        zones=np.empty((size, width), np.uint64),
        moves=moves,
        parents=parents,
        choices=choices,
        scores=np.empty(size, np.int64),
        digests=np.empty(size, np.uint64),
    )


def beam(
    puzzle: Puzzle, width: int, started: float, seconds: float | None
) -> tuple[list[int], int, int]:
    """Return the choices of a solution, the lower bound of the start and the number of nodes.

    Parameters
    ----------
    width, seconds
        As for :func:`solve_beam`.
    started
        The time of the start, by ``time.perf_counter``.
    """
    scratch, zone = make_scratch(puzzle), make_zone(puzzle)
    left, moves = start_zone(puzzle, scratch)
    bound = moves + int(bound_after(puzzle.graph, scratch, left, puzzle.regions + 1))
    zones, moved = scratch.after.held[np.newaxis].copy(), np.full(1, moves, np.int32)
    best = Best(*np.array([[FAR if left else moves], [0], [0]], np.int64))
    history: list[tuple[IntArray, IntArray]] = []
    chosen: list[int] = []
    nodes = 1
    while moved.size:
        if seconds is not None and time.perf_counter() - started > seconds:
            width = 1
            zones, moved = zones[:1], moved[:1]
        after = make_layer(moved.size * puzzle.palette.size, puzzle.width)
        before = int(best.moves[0])
        found = widen(puzzle, scratch, zone, zones, moved, after, best)
        nodes += found
        if best.moves[0] < before:
            chosen = trace(history, int(best.parent[0]), int(best.choice[0]))
        kept = select(after.scores[:found], after.digests[:found], width)
        history.append((after.parents[kept], after.choices[kept]))
        zones, moved = after.zones[kept], after.moves[kept]
    return chosen, bound, nodes


def select(scores: LongArray, digests: Words, width: int) -> LongArray:
    """Return the places of the ``width`` best zones, without duplicates, the best first.

    Zones with equal digests count as equal; a collision only loses a good zone.
    """
    order = np.lexsort((digests, scores))
    _, firsts = np.unique(digests[order], return_index=True)
    return order[np.sort(firsts)[:width]]


def trace(history: list[tuple[IntArray, IntArray]], state: int, color: int) -> list[int]:
    """Return the choices that lead to zone ``state`` of the last layer, followed by ``color``.

    ``history`` contains the parents and the choices of each layer.
    """
    chosen = [color]
    for parents, choices in reversed(history):
        chosen.append(int(choices[state]))
        state = int(parents[state])
    return chosen[::-1]


@compiled
def widen(
    puzzle: Puzzle,
    scratch: Scratch,
    zone: Zone,
    zones: Words,
    moved: IntArray,
    after: Layer,
    best: Best,
) -> int:
    """Write the zones that can follow a layer; return their number, with duplicates.

    It omits zones from which no solution can be better than the best one known.

    Parameters
    ----------
    zones, moved
        The zones of the layer and their moves made: ``uint64[size, width]``, ``int32[size]``.
    after
        Room for the next layer, ``size * colors`` zones.
    best
        The best solution known; it is replaced by a better one that ends after this layer.
    """
    graph = puzzle.graph
    colors = graph.masks.shape[0]
    regions = graph.rows.size - 1
    found = 0
    for parent in range(moved.size):
        left = enter(graph, puzzle.start, zone, zones[parent])
        for color in range(colors):
            if (left >> color) & 1 == 0:
                continue
            rest = play_and_finish(graph, scratch, zone, left, color)
            if rest < 0:
                continue
            moves = moved[parent] + 1 + bit_count(left ^ rest)
            if rest == 0 and moves < best.moves[0]:
                best.moves[0], best.parent[0], best.choice[0] = moves, parent, color
            limit = best.moves[0] - moves
            if rest == 0 or bit_count(rest) >= limit:
                continue
            bound = bound_after(graph, scratch, rest, limit)
            if bound < limit:
                copy(scratch.after.held, after.zones[found])
                after.moves[found] = moves
                after.parents[found] = parent
                after.choices[found] = color
                taken = size_of(scratch.after.held)
                after.scores[found] = (moves + bound) * (regions + 1) + regions - taken
                after.digests[found] = digest(scratch.after.held)
                found += 1
    return found
