"""The board as an electric circuit, one for each color.

Anshelevich: "The game of Hex: an automatic theorem proving approach to game programming" (AAAI
2000) and "A hierarchical approach to computer Hex" (Artificial Intelligence 134, 2002), section 5:
in a color's circuit its own stones and borders have resistance 0, free vertices 1, the opponent's
stones let nothing through; two neighbors are joined by a wire of the sum of their resistances.
The resistance between the borders tells how well they hang together. Kirchhoff's laws are a linear
system with an unknown per free vertex and group of stones, solved densely: O(unknowns³).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import BOTH, CELLS, ROOT, STONE
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import State

Floats = npt.NDArray[np.float64]

LEAK = 1e-9
"""A conductance from every node to the sink: without it what is cut off would have no potential."""

LIMIT = 20.0
"""The evaluation of borders that are joined, or cut off for good; its opposite for the other."""


class Circuit(NamedTuple):
    """A circuit with a voltage of 1 between its borders."""

    conductance: float
    """Of the whole: 0 where the borders are cut off from each other, inf where they are joined."""
    currents: Floats
    """``float64[n]``: what runs through each free vertex."""


class Wiring(NamedTuple):
    """The board with a color's stones melted to the nodes of its circuit."""

    nodes: npt.NDArray[np.int64]
    """``int64[n]``: the node of each vertex, -1 where nothing runs."""
    size: int
    """Nodes; the last two are the source and the sink."""
    free: npt.NDArray[np.bool_]
    """``bool[n]``: the vertices still to be played on."""
    joined: bool
    """Whether source and sink are one."""


def wiring(setup: HexSetup, state: State, color: int) -> Wiring:
    """Number the nodes of a color's circuit: free vertices, then groups, then the two borders."""
    n = setup.touches.size
    cells = state[CELLS : CELLS + n]
    parents = state[CELLS + n : CELLS + 2 * n]
    inner = setup.owners < 0
    free = inner & (cells >= 0)
    stones = inner & (cells == STONE - color)
    roots = np.where(parents >= 0, parents, np.arange(n))
    while not np.array_equal(above := roots[roots], roots):
        roots = above
    heads = np.flatnonzero(stones & (parents < 0))
    touched = ROOT - parents[heads]
    loose = heads[touched == 0]
    inside = int(free.sum()) + loose.size
    nodes = np.full(n, -1, np.int64)
    nodes[free] = np.arange(free.sum())
    nodes[loose] = np.arange(loose.size) + free.sum()
    nodes[heads[touched == 1]] = inside
    nodes[heads[touched == 2]] = inside + 1
    nodes[stones] = nodes[roots[stones]]
    return Wiring(nodes, inside + 2, free, bool((touched == BOTH).any()))


def solve(setup: HexSetup, state: State, color: int) -> Circuit:
    """Return the circuit of a color, solved; O(unknowns³).

    A stone next to a border is one with it; two wires between the same nodes are parallel.
    """
    n = setup.touches.size
    nodes, count, free, joined = wiring(setup, state, color)
    if joined:
        return Circuit(math.inf, np.zeros(n))
    rows = np.repeat(np.arange(n), np.diff(setup.offsets))
    kept = (nodes[rows] >= 0) & (nodes[setup.neighbors] >= 0)
    rows, columns = rows[kept], setup.neighbors[kept]
    kept = nodes[rows] != nodes[columns]
    rows, columns = rows[kept], columns[kept]
    wires = np.zeros((count, count))
    np.add.at(wires, (nodes[rows], nodes[columns]), 1.0 / (1.0 * free[rows] + free[columns]))
    for side in (0, 1):
        doors = nodes[free & (setup.touches >> (2 * color + side) & 1 == 1)]
        wires[doors, count - 2 + side] += 1.0
        wires[count - 2 + side, doors] += 1.0
    potentials = np.zeros(count)
    potentials[-2] = 1.0
    matrix = np.diag(wires.sum(axis=1)[:-2] + LEAK) - wires[:-2, :-2]
    if count > 2:
        potentials[:-2] = np.linalg.solve(matrix, wires[:-2, -2])
    through = np.abs(wires * (potentials[:, None] - potentials)).sum(axis=1) / 2
    currents = np.zeros(n)
    currents[free] = through[nodes[free]]
    return Circuit(float(wires[-2] @ (1.0 - potentials)), currents)


def balance(black: Circuit, white: Circuit) -> float:
    """Return the logarithm of white's resistance over black's: positive where black is ahead."""
    if math.isinf(black.conductance):
        return LIMIT
    if math.isinf(white.conductance):
        return -LIMIT
    least = 1e-6  # what leaks through a board that is cut in two
    ratio = math.log(max(black.conductance, least)) - math.log(max(white.conductance, least))
    return max(-LIMIT, min(LIMIT, ratio))


def circuits(setup: HexSetup, state: State) -> tuple[Circuit, Circuit]:
    """Return both colors' circuits."""
    return solve(setup, state, BLACK), solve(setup, state, WHITE)


def busiest(setup: HexSetup, state: State, count: int) -> list[int]:
    """Return the free vertices with most of both currents, the most first."""
    load = np.zeros(setup.touches.size)
    for circuit in circuits(setup, state):
        if 0.0 < circuit.conductance < math.inf:
            load += circuit.currents / circuit.conductance
    free = setup.free[state[CELLS + setup.free] >= 0]
    # Rounded: what is equal by symmetry is taken in the order of the vertices.
    order = np.argsort(-np.round(load[free], 9), kind="stable")
    chosen: list[int] = free[order[:count]].tolist()
    return chosen
