"""Circuits of Hex solved per second on one core, by board size, beside NumPy's dense solution.

    python benchmarks/hex_circuit.py [--sizes 5,7,9,11,13,19] [--dense-up-to 19]

Both compute the conductance between the borders of a color, in positions of random games. The
sparse kernel runs in a compiled loop, as in a search. The peer merges groups of stones into nodes
and solves the whole matrix by LAPACK, one call per position. All results are compared. `order` is
the time in which the vertices of a board are ordered, once.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from pathlib import Path

import numpy as np

from ludograph import hex, rules
from ludograph.games.hex.evaluation.circuit import plan_of, reduce, work_size
from ludograph.games.hex.evaluation.elimination import ordered
from ludograph.games.hex.rules import BOTH, CELLS, ROOT, STONE
from ludograph.rules import compiled

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import report, timed

LEAK = 1e-9
"""A conductance from every node to the sink: without it what is cut off has no potential."""


@compiled
def sparse(touches, states, plan, work, out, times):
    """Solve all positions for both colors, ``times`` times."""
    for _ in range(times):
        for index in range(states.shape[0]):
            for color in range(2):
                out[index, color] = reduce(touches, states[index], plan, color, work)


def wiring(setup, state, color):
    """Return the node of each vertex, how many nodes, which vertices are free."""
    n = setup.touches.size
    cells, parents = state[CELLS : CELLS + n], state[CELLS + n : CELLS + 2 * n]
    inner = setup.owners < 0
    free, stones = inner & (cells >= 0), inner & (cells == STONE - color)
    roots = np.where(parents >= 0, parents, np.arange(n))
    while not np.array_equal(above := roots[roots], roots):
        roots = above
    heads = np.flatnonzero(stones & (parents < 0))
    touched = (ROOT - parents[heads]) & BOTH
    assert not (touched == BOTH).any()
    loose = heads[touched == 0]
    inside = int(free.sum()) + loose.size
    nodes = np.full(n, -1, np.int64)
    nodes[free] = np.arange(free.sum())
    nodes[loose] = np.arange(loose.size) + free.sum()
    nodes[heads[touched == 1]] = inside
    nodes[heads[touched == 2]] = inside + 1
    nodes[stones] = nodes[roots[stones]]
    return nodes, inside + 2, free


def dense(setup, state, color):
    """Return the conductance between a color's borders; O(nodes³)."""
    n = setup.touches.size
    nodes, count, free = wiring(setup, state, color)
    rows = np.repeat(np.arange(n), np.diff(setup.offsets))
    linked = (nodes[rows] >= 0) & (nodes[setup.neighbors] >= 0)
    rows, columns = rows[linked], setup.neighbors[linked]
    linked = nodes[rows] != nodes[columns]
    rows, columns = rows[linked], columns[linked]
    wires = np.zeros((count, count))
    np.add.at(wires, (nodes[rows], nodes[columns]), 1.0 / (1.0 * free[rows] + free[columns]))
    for side in (0, 1):
        beside = nodes[free & (setup.touches >> (2 * color + side) & 1 == 1)]
        wires[beside, count - 2 + side] += 1.0
        wires[count - 2 + side, beside] += 1.0
    potentials = np.zeros(count)
    potentials[-2] = 1.0
    matrix = np.diag(wires.sum(axis=1)[:-2] + LEAK) - wires[:-2, :-2]
    potentials[:-2] = np.linalg.solve(matrix, wires[:-2, -2])
    return float(wires[-2] @ (1.0 - potentials))


def positions(size: int, count: int):
    """Return the setup, and states of a random game before its end: ``[count, ...]``."""
    start = hex.position(size, pie=False)
    for seed in range(1000):
        position, rng, states = start.copy(), rules.random_state(seed), []
        while not position.is_over:
            states.append(position.state.copy())
            position.play_random(rng)
        if len(states) >= size * size // 2:
            break
    chosen = np.linspace(0, len(states) - 1, count).astype(int)
    return start.setup, np.array([states[index] for index in chosen])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="5,7,9,11,13,19")
    parser.add_argument("--dense-up-to", type=int, default=19, help="no peer on larger boards")
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the median counts")
    parser.add_argument("--seconds", type=float, default=0.1, help="per run, about")
    options = parser.parse_args()
    print("Conductances of Hex circuits, one core; the peer is numpy's dense solution")
    for size in map(int, options.sizes.split(",")):
        setup, states = positions(size, options.positions)
        plan = plan_of(setup)
        order = timed(lambda s=setup: ordered(s.offsets, s.neighbors, s.free))[0]
        work, out = np.empty(int(work_size(plan))), np.zeros((len(states), 2))
        run = (setup.touches, states, plan, work, out)
        sparse(*run, 1)  # compiled, or loaded from the cache
        times = max(1, int(options.seconds / timed(lambda r=run: sparse(*r, 1))[0]))
        with_peer = size <= options.dense_up_to
        ours, peers = [], []
        for _ in range(options.repeat):
            ours.append(2 * len(states) * times / timed(lambda r=run, t=times: sparse(*r, t))[0])
            if with_peer:
                seconds, expected = timed(
                    lambda s=setup, all_=states: [
                        [dense(s, one, c) for c in (0, 1)] for one in all_
                    ]
                )
                peers.append(2 * len(states) / seconds)
        if with_peer:
            assert np.allclose(out, expected, rtol=1e-6, atol=1e-6)
        assert not math.isnan(out.sum())
        line = f"{size} x {size}, {plan.ends.size} wires, order {1000 * order:.0f} ms"
        report(line, statistics.median(ours), statistics.median(peers) if peers else None)


if __name__ == "__main__":
    main()
