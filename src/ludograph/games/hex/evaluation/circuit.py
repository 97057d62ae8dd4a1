"""The board as an electric circuit, one for each color.

Anshelevich: "The game of Hex: an automatic theorem proving approach to game programming" (AAAI
2000) and "A hierarchical approach to computer Hex" (Artificial Intelligence 134, 2002), section 5:
in a color's circuit its own stones and borders have resistance 0, free vertices 1, the opponent's
stones let nothing through; two neighbors are joined by a wire of the sum of their resistances.
The resistance between the borders tells how well they hang together.

Kirchhoff's laws are a sparse linear system, solved by :func:`reduce` on the wires that
:mod:`ludograph.games.hex.evaluation.elimination` has found for the board.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.evaluation.elimination import Elimination, IntArray, elimination
from ludograph.games.hex.rules import CELLS, STONE, WINNER
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import Moves, State, compiled, fill

Floats = npt.NDArray[np.float64]

SHORT = 1e15
"""The conductance of a wire between own stones or to the border; that of others is 1."""

LIMIT = 20.0
"""The evaluation of borders that are joined, or cut off for good; its opposite for the other."""

ROUNDED = 1e9
"""Loads that differ by less than one part in this number are equal."""

CUT = 1e-6
"""A conductance that is none; a circuit that is cut in two counts with it in an evaluation."""


class Circuit(NamedTuple):
    """A circuit with a voltage of 1 between its borders."""

    conductance: float
    """Of the whole: 0 where the borders are cut off from each other, inf where they are joined."""
    currents: Floats
    """``float64[n]``: what runs through each free vertex."""


def solve(setup: HexSetup, state: State, color: int) -> Circuit:
    """Return the circuit of a color, solved; O(wires · degree), see :func:`reduce`.

    Two wires between the same nodes are parallel. Through joined borders no current is known.
    """
    currents = np.zeros(setup.touches.size)
    if state[WINNER] == color:
        return Circuit(math.inf, currents)
    plan = plan_of(setup)
    work = np.empty(work_size(plan))
    whole = reduce(setup.touches, state, plan, color, work)
    distribute(setup.touches, state, plan, color, work, currents)
    return Circuit(whole, currents)


def circuits(setup: HexSetup, state: State) -> tuple[Circuit, Circuit]:
    """Return both colors' circuits."""
    return solve(setup, state, BLACK), solve(setup, state, WHITE)


def balance(black: Circuit, white: Circuit) -> float:
    """Return the logarithm of white's resistance over black's: positive where black is ahead."""
    if math.isinf(black.conductance):
        return LIMIT
    if math.isinf(white.conductance):
        return -LIMIT
    ratio = math.log(max(black.conductance, CUT)) - math.log(max(white.conductance, CUT))
    return max(-LIMIT, min(LIMIT, ratio))


def plan_of(setup: HexSetup) -> Elimination:
    """Return in which order the free vertices of a board are taken out of its circuits."""
    return elimination(setup.offsets, setup.neighbors, setup.free)


# Doing so in the state would make every node of a search dearer to copy.
@compiled(allocates=True)
def black_share(touches: IntArray, state: State, plan: Elimination) -> float:
    """Return black's part of the sum of both conductances, while nobody has won.

    The one array that it allocates is its own, so threads may share the plan.
    """
    work = np.empty(work_size(plan))
    black = both = 0.0
    for color in (BLACK, WHITE):  # one call is compiled once
        found = max(reduce(touches, state, plan, color, work), CUT)
        both += found
        if color == BLACK:
            black = found
    return black / both


# Solving takes so long that making a workspace does not show.
@compiled(allocates=True)
def list_busiest(setup: HexSetup, state: State, plan: Elimination, count: int, out: Moves) -> int:
    """Write the free vertices with most of both currents, the most first; return how many.

    Loads that are equal by symmetry may differ in their last digits: they are rounded, and taken
    in the order of the vertices.
    """
    work = np.empty(work_size(plan))
    currents = np.empty(setup.touches.size)
    loads = np.zeros(setup.touches.size)
    for color in (BLACK, WHITE):
        whole = reduce(setup.touches, state, plan, color, work)
        if whole > 0.0 and state[WINNER] != color:
            fill(currents, 0.0)
            distribute(setup.touches, state, plan, color, work, currents)
            for place in range(setup.free.size):
                vertex = setup.free[place]
                loads[vertex] += currents[vertex] / whole
    found = 0
    for place in range(setup.free.size):
        vertex = setup.free[place]
        if state[CELLS + vertex] < 0:
            continue
        load = math.floor(loads[vertex] * ROUNDED + 0.5)
        loads[vertex] = load
        if found == count and load <= loads[out[count - 1]]:
            continue
        at = min(found, count - 1)
        while at > 0 and loads[out[at - 1]] < load:
            out[at] = out[at - 1]
            at -= 1
        out[at] = vertex
        found = min(found + 1, count)
    return found


# The workspace of a solution: for each wire its conductance, then for each node five numbers.

SHARES, SOURCES, SINKS, POTENTIALS, GATHERED = range(5)
"""The reciprocal of a node's whole conductance, 0 for none; the conductance to either border; the
potential; what :func:`reduce` has gathered."""


@compiled
def work_size(plan: Elimination) -> int:
    """Return how many numbers the workspace of a solution has."""
    return plan.ends.size + 5 * plan.vertices.size


@compiled
def resistance(cell: int, color: int) -> int:
    """Return what a color's current meets in a vertex: 0 or 1, or -1 where nothing runs."""
    found = -1
    if cell >= 0:
        found = 1
    elif cell == STONE - color:
        found = 0
    return found


@compiled
def conductance(one: int, other: int) -> float:
    """Return that of the wire between two vertices of these resistances, -1 for none."""
    found = 0.0
    if one >= 0 and other >= 0:
        found = 1.0 / (one + other) if one + other > 0 else SHORT
    return found


@compiled
def reduce(touches: IntArray, state: State, plan: Elimination, color: int, work: Floats) -> float:
    """Take all vertices out of a color's circuit; return the conductance that joins its borders.

    Without a node, current runs from one of its neighbors to another as by a wire whose
    conductance is the product of theirs to the node over the sum of all that it has (Rosen: "A new
    network theorem", 1924); this is Gaussian elimination without a subtraction, so no digits are
    lost between conductances of 1 and ``SHORT`` (Grassmann, Taksar, Heyman: "Regenerative analysis
    and steady state distributions for Markov chains", 1985). Each node gathers what those before
    it leave it. O(sum of the squares of the nodes' wires).

    Parameters
    ----------
    work
        ``float64[work_size]``: filled for :func:`distribute`.
    """
    vertices, offsets, ends = plan.vertices, plan.offsets, plan.ends
    count, wires = vertices.size, ends.size
    shares = work[wires + SHARES * count : wires + (SHARES + 1) * count]
    sources = work[wires + SOURCES * count : wires + (SOURCES + 1) * count]
    sinks = work[wires + SINKS * count : wires + (SINKS + 1) * count]
    gathered = work[wires + GATHERED * count : wires + (GATHERED + 1) * count]
    for node in range(count):
        gathered[node] = 0.0
    whole = 0.0
    for node in range(count):
        vertex = vertices[node]
        own = resistance(state[CELLS + vertex], color)
        shares[node] = 0.0
        if own < 0:
            continue  # what stands in its wires is never read: its share is 0
        touched = touches[vertex] >> (2 * color)
        source = conductance(own, 0) if touched & 1 else 0.0
        sink = conductance(own, 0) if touched & 2 else 0.0
        for edge in range(plan.near_offsets[node], plan.near_offsets[node + 1]):
            end = plan.near[edge]
            other = resistance(state[CELLS + vertices[end]], color)
            gathered[end] += conductance(own, other)
        for slot in range(plan.arrivals[node], plan.arrivals[node + 1]):
            wire = plan.arriving[slot]
            before = plan.origins[wire]
            part = work[wire] * shares[before]
            if part > 0.0:
                source += part * sources[before]
                sink += part * sinks[before]
                # Unsigned numbers: they cannot count from an array's end, so nothing is checked.
                for later in range(np.uint64(wire + 1), np.uint64(offsets[before + 1])):
                    gathered[ends[later]] += part * work[later]
        total = source + sink
        for wire in range(offsets[node], offsets[node + 1]):
            work[wire] = gathered[ends[wire]]
            gathered[ends[wire]] = 0.0
            total += work[wire]
        sources[node] = source
        sinks[node] = sink
        if total > 0.0:
            shares[node] = 1.0 / total
            whole += source * sink / total
    return whole


@compiled
def distribute(
    touches: IntArray, state: State, plan: Elimination, color: int, work: Floats, currents: Floats
) -> None:
    """Add the current through each free vertex, ``float64[n]``, after :func:`reduce`.

    Put back in reverse, a node's potential is the average of those at the ends of its wires. As
    much runs out of a vertex as into it, so its current is half of what its wires carry.
    """
    vertices, count, wires = plan.vertices, plan.vertices.size, plan.ends.size
    shares = work[wires + SHARES * count : wires + (SHARES + 1) * count]
    sources = work[wires + SOURCES * count : wires + (SOURCES + 1) * count]
    potentials = work[wires + POTENTIALS * count : wires + (POTENTIALS + 1) * count]
    for back in range(count):
        node = count - 1 - back
        vertex = vertices[node]
        here = 0.0
        if shares[node] > 0.0:
            here = sources[node]
            for wire in range(plan.offsets[node], plan.offsets[node + 1]):
                here += work[wire] * potentials[plan.ends[wire]]
            here *= shares[node]
        potentials[node] = here
        own = resistance(state[CELLS + vertex], color)
        if own == 1:
            touched = touches[vertex] >> (2 * color)
            currents[vertex] += (1.0 - here) / 2.0 if touched & 1 else 0.0
            currents[vertex] += here / 2.0 if touched & 2 else 0.0
        for edge in range(plan.near_offsets[node], plan.near_offsets[node + 1]):
            near = vertices[plan.near[edge]]
            other = resistance(state[CELLS + near], color)
            flow = conductance(own, other) * abs(here - potentials[plan.near[edge]]) / 2.0
            currents[vertex] += flow if own == 1 else 0.0
            currents[near] += flow if other == 1 else 0.0
