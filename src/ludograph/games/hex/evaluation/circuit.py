"""The board as an electric circuit, one for each color.

Anshelevich: "The game of Hex: an automatic theorem proving approach to game programming" (AAAI
2000) and "A hierarchical approach to computer Hex" (Artificial Intelligence 134, 2002), section 5:
in a color's circuit, own stones and borders have the resistance 0, free vertices the resistance 1,
and the opponent's stones are insulators. A wire joins any two neighbors; its resistance is the sum
of theirs. The smaller the resistance between the borders, the better they are connected.

Kirchhoff's laws are a sparse linear system. :func:`reduce` solves it on the wires of
:mod:`ludograph.games.hex.evaluation.elimination`.
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
"""The conductance of a wire without resistance: between own stones, or to a border."""

LIMIT = 20.0
"""The greatest balance, for a color with joined borders; -LIMIT for the other color."""

ROUNDED = 1e9
"""Loads are rounded to multiples of one part in this number."""

CUT = 1e-6
"""The conductance that an evaluation uses for a circuit in which the borders are cut off."""


class Circuit(NamedTuple):
    """A circuit with a voltage of 1 between its borders."""

    conductance: float
    """The conductance between the borders: 0 if they are cut off, inf if they are joined."""
    currents: Floats
    """``float64[n]``: the current through each free vertex; 0 for other vertices, and if the
    borders are joined."""


def solve(setup: HexSetup, state: State, color: int) -> Circuit:
    """Return the solved circuit of a color; for the cost see :func:`reduce`."""
    currents = np.zeros(setup.touches.size)
    if state[WINNER] == color:
        return Circuit(math.inf, currents)
    plan = plan_of(setup)
    work = np.empty(work_size(plan))
    whole = reduce(setup.touches, state, plan, color, work)
    distribute(setup.touches, state, plan, color, work, currents)
    return Circuit(whole, currents)


def circuits(setup: HexSetup, state: State) -> tuple[Circuit, Circuit]:
    """Return the solved circuits of black and white."""
    return solve(setup, state, BLACK), solve(setup, state, WHITE)


def balance(black: Circuit, white: Circuit) -> float:
    """Return the logarithm of white's resistance over black's: positive if black is ahead.

    It is between ``-LIMIT`` and ``LIMIT``.
    """
    if math.isinf(black.conductance):
        return LIMIT
    if math.isinf(white.conductance):
        return -LIMIT
    ratio = math.log(max(black.conductance, CUT)) - math.log(max(white.conductance, CUT))
    return max(-LIMIT, min(LIMIT, ratio))


def plan_of(setup: HexSetup) -> Elimination:
    """Return the order in which a board's free vertices are eliminated, with the wires."""
    return elimination(setup.offsets, setup.neighbors, setup.free)


# A workspace in the state would make the copies of the state in a search slower.
@compiled(allocates=True)
def black_share(touches: IntArray, state: State, plan: Elimination) -> float:
    """Return black's share of the sum of both conductances; the game must not be over.

    It only reads the plan, so threads may share it.
    """
    work = np.empty(work_size(plan))
    black = both = 0.0
    for color in (BLACK, WHITE):  # a loop, so that the call is compiled only once
        found = max(reduce(touches, state, plan, color, work), CUT)
        both += found
        if color == BLACK:
            black = found
    return black / both


# A solution takes so long that the time for allocating a workspace does not matter.
@compiled(allocates=True)
def list_busiest(setup: HexSetup, state: State, plan: Elimination, count: int, out: Moves) -> int:
    """Write the ``count`` free vertices with the greatest loads, the greatest first.

    The load of a vertex is the sum of its shares of both colors' currents. Loads that are equal by
    symmetry may differ in their last digits; so loads are rounded, and vertices with equal loads
    are in ascending order.

    Returns
    -------
    int
        The number of vertices written, at most ``count``.
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


# The workspace of a solution: the conductance of each wire, then five arrays by node.

SHARES, SOURCES, SINKS, POTENTIALS, GATHERED = range(5)
"""The arrays: the reciprocal of the sum of a node's conductances, 0 without any; the conductance to
each border; the potential; the sum of conductances to a later node in :func:`reduce`."""


@compiled
def work_size(plan: Elimination) -> int:
    """Return the number of numbers in the workspace of a solution."""
    return plan.ends.size + 5 * plan.vertices.size


@compiled
def resistance(cell: int, color: int) -> int:
    """Return the resistance of a vertex, 0 or 1, in a color's circuit; -1 for an insulator.

    ``cell`` is the number of the vertex's cell in the state.
    """
    found = -1
    if cell >= 0:
        found = 1
    elif cell == STONE - color:
        found = 0
    return found


@compiled
def conductance(one: int, other: int) -> float:
    """Return the conductance of the wire between two vertices, given their resistances.

    It is 0 if one of them is -1.
    """
    found = 0.0
    if one >= 0 and other >= 0:
        found = 1.0 / (one + other) if one + other > 0 else SHORT
    return found


@compiled
def reduce(touches: IntArray, state: State, plan: Elimination, color: int, work: Floats) -> float:
    """Eliminate all vertices of a color's circuit; return the conductance between its borders.

    To eliminate a node, a wire is added between each two of its neighbors. The conductance of this
    wire is the product of the conductances from the node to both neighbors, divided by the sum of
    all conductances of the node (Rosen: "A new network theorem", 1924). This is Gaussian
    elimination without subtractions, so conductances of 1 and of ``SHORT`` lose no digits together
    (Grassmann, Taksar, Heyman: "Regenerative analysis and steady state distributions for Markov
    chains", 1985). Each node sums the wires that the elimination of earlier nodes gives it. The
    cost is O(sum of the squares of the nodes' numbers of wires).

    Parameters
    ----------
    work
        ``float64[work_size]``: the output, which :func:`distribute` needs.
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
            continue  # its share is 0, so its wires are never read
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
                # Unsigned indices need no test for numbers that count from the end.
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
    """Add the current through each free vertex to ``currents``, ``float64[n]``.

    Call :func:`reduce` before, with the same ``work``. The potential of a node is the weighted mean
    of the potentials at the other ends of its wires, and all of these come later in the order; so
    potentials are computed from the last node to the first. The current through a vertex is half of
    the sum of the currents in its wires, since equal currents flow in and out.
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
