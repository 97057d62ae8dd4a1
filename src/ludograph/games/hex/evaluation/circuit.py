"""The board as an electric circuit, one for each color, solved by Kirchhoff's laws.

Anshelevich: "The game of Hex: an automatic theorem proving approach to game programming" (AAAI
2000) and "A hierarchical approach to computer Hex" (Artificial Intelligence 134, 2002), section 5:
in a color's circuit, own stones and borders have the resistance 0, free vertices the resistance 1,
and the opponent's stones are insulators. A wire joins any two neighbors; its resistance is the sum
of theirs. The smaller the resistance between the borders, the better they are connected.

Connected own stones are contracted to one node, and with a border to the node of the border. So
each wire has a resistance of 1 or 2, and the equations keep their digits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import BOTH, CELLS, ROOT, STONE, WINNER, parents_at
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import State

Floats = npt.NDArray[np.float64]

LIMIT = 20.0
"""The greatest balance, for a color with joined borders; -LIMIT for the other color."""

CUT = 1e-6
"""The conductance that a balance uses for a circuit in which the borders are cut off."""

PRECISION = 1e-26
"""The solution is done if the squares of the errors in the currents have become this small."""


class Circuit(NamedTuple):
    """A circuit with a voltage of 1 between its borders."""

    conductance: float
    """The conductance between the borders: 0 if they are cut off, inf if they are joined."""
    currents: Floats
    """``float64[n]``: the current through each free vertex; 0 for other vertices, and if the
    borders are joined."""


class Wires(NamedTuple):
    """The wires of a circuit, each in both directions: from ``ones`` to ``others``."""

    ones: npt.NDArray[np.intp]
    others: npt.NDArray[np.intp]
    siemens: Floats
    """The conductance of each wire."""


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


def solve(setup: HexSetup, state: State, color: int) -> Circuit:
    """Return the solved circuit of a color; about O(n · the length of the board)."""
    n = setup.touches.size
    if state[WINNER] == color:
        return Circuit(math.inf, np.zeros(n))
    wires = wires_of(setup, state, color)
    ones, others, siemens = wires
    volts = potentials(wires, n)
    flows = siemens * np.abs(volts[ones] - volts[others])
    through = np.bincount(ones, flows, n + 2)
    # Equal currents flow into a vertex and out of it.
    currents = np.where(state[CELLS : CELLS + n] >= 0, through[:n] / 2.0, 0.0)
    return Circuit(float(through[n + 1]), currents)


def wires_of(setup: HexSetup, state: State, color: int) -> Wires:
    """Return the wires of a color's circuit.

    The node of a free vertex has its number, that of a group the number of a stone, and that of a
    border chain ``n`` or ``n + 1``.
    """
    n = setup.touches.size
    vertices, inner = np.arange(n), setup.owners < 0
    cells, parents = state[CELLS : CELLS + n], state[parents_at(setup) :][:n]
    free, own = inner & (cells >= 0), inner & (cells == STONE - color)
    nodes = np.where(own & (parents >= 0), parents, vertices)
    while not np.array_equal(above := nodes[nodes], nodes):
        nodes = above
    borders = np.where(own, ROOT - parents[nodes], 0) & BOTH
    nodes[borders > 0] = n + borders[borders > 0] - 1
    ones, others = np.repeat(vertices, np.diff(setup.offsets)), setup.neighbors
    ohms = np.add(free[ones], free[others], dtype=np.float64)
    conducts = (free | own)[ones] & (free | own)[others] & (ohms > 0.0)
    starts, ends, wired = [nodes[ones[conducts]]], [nodes[others[conducts]]], [1.0 / ohms[conducts]]
    for side in (0, 1):
        beside = np.flatnonzero(free & (setup.touches >> (2 * color + side) & 1 == 1))
        border = np.full(beside.size, n + side)
        starts += [beside, border]
        ends += [border, beside]
        wired += [np.ones(2 * beside.size)]
    return Wires(np.concatenate(starts), np.concatenate(ends), np.concatenate(wired))


def potentials(wires: Wires, n: int) -> Floats:
    """Return the potential of each node if node ``n`` has 1 volt and node ``n + 1`` has 0.

    Kirchhoff's laws: the currents into any other node have the sum 0. These equations are solved by
    the method of conjugate gradients (Hestenes and Stiefel: "Methods of conjugate gradients for
    solving linear systems", 1952), scaled by the conductances of the nodes. A part that is cut off
    from a border keeps the potential of the other border, or 0.
    """
    ones, others, siemens = wires
    sums = np.bincount(ones, siemens, n + 2)
    inside = sums > 0.0
    inside[n:] = False
    scale = inside / np.maximum(sums, 0.5)

    def currents(volts: Floats) -> Floats:
        out = sums * volts - np.bincount(ones, siemens * volts[others], n + 2)
        return np.where(inside, out, 0.0)

    volts = np.zeros(n + 2)
    volts[n] = 1.0
    left = -currents(volts)
    direction = scaled = scale * left
    error = float(left @ scaled)
    for _ in range(2 * n):  # n steps would do without rounding
        if error <= PRECISION:
            break
        change = currents(direction)
        step = error / float(direction @ change)
        volts += step * direction
        left -= step * change
        scaled = scale * left
        before, error = error, float(left @ scaled)
        direction = scaled + error / before * direction
    return volts
