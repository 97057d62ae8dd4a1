"""Evaluations of a graph network per second on one core, beside NumPy.

    python benchmarks/graph_network.py [--channels 32] [--layers 6] [--repeats 5]

Both evaluate the same positions of random games, one at a time: features, values, and the logits of
all moves. The kernel runs in a compiled loop, as in a search. The peer has the same layers in
single precision, with the adjacency of the board as a dense matrix, and multiplies by BLAS. The
outputs of both are compared. The weights are random, so the strength of play is not measured.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
from pathlib import Path

import numpy as np

from ludograph import amazons, flood, hex, penguins
from ludograph.rules import compiled, random_state
from ludograph.rules.observer import Observer, sizes_of
from ludograph.search.network import NetworkShape, place_network, random_layers
from ludograph.search.network.evaluator import evaluate_all
from ludograph.search.network.layers import NORM_FLOOR

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import both_rates, report

POSITIONS = 64

STARTS = {
    "hex 11 x 11": lambda: hex.position(11),
    "flood 14 x 14": lambda: flood.position(14),
    "penguins 8 x 8": penguins.position,
    "amazons 8 x 8": lambda: amazons.position(8),
}


@compiled
def judged(network, seen, by_code, policy, values, count):
    """Evaluate positions one after the other, a number of times."""
    vertices, games, moves, kinds, ends, touched = seen
    for _ in range(count):
        evaluate_all(network, vertices, games, moves, kinds, ends, touched, by_code, policy, values)


def observed(start):
    """Return an observer that has seen positions of random games."""
    dice = random_state(1)
    states = []
    while len(states) < POSITIONS:
        position = start.copy()
        while not position.is_over and len(states) < POSITIONS:
            if not position.is_chance:
                states.append(position.state.copy())
            position.play_random(dice)
    observer = Observer(start.setup, POSITIONS, touches=True)
    observer.observe(start.setup, np.array(states), 0)
    return observer


def normalized(total):
    """Return features divided by the root of their mean square, vertex by vertex."""
    return total / np.sqrt((total * total).mean(axis=1, keepdims=True) + np.float32(NORM_FLOOR))


class Dense:
    """The network as NumPy multiplies it."""

    def __init__(self, layers, board, observer):
        self.layers, self.observer = layers, observer
        self.adjacent = np.zeros((board.n, board.n), np.float32)
        for vertex in range(board.n):
            others = board.neighbors_of(vertex)
            self.adjacent[vertex, others] = 1.0 / max(1, len(others))

    def judge(self, row):
        """Return the logits of all legal moves, and the value of the seat to move."""
        layers, seen = self.layers, self.observer.arrays
        count = int(self.observer.counts[row])
        sums = seen["vertices"][row] @ layers.vertex_in
        total = np.maximum(sums + seen["game"][row] @ layers.game_in + layers.bias_in, 0)
        for layer, body in enumerate(layers.body):
            found = normalized(total)
            pool = np.concatenate([found.mean(axis=0), found.max(axis=0)])
            base = pool @ layers.pooled[layer] + layers.body_bias[layer]
            total += np.maximum(found @ body[0] + (self.adjacent @ found) @ body[1] + base, 0)
        found = normalized(total)
        pool = np.concatenate([found.mean(axis=0), found.max(axis=0)])
        ends = seen["ends"][row, :count]
        sizes = np.diff(ends, prepend=0)
        which = np.repeat(np.arange(count), sizes)
        said = (found @ layers.touch[0])[seen["touched"][row, : sizes.sum()]]
        means = np.zeros((count, said.shape[1]), np.float32)
        np.add.at(means, which, said)
        moves = means / np.maximum(sizes, 1)[:, None] + pool @ layers.policy_pooled
        moves += layers.kind[seen["kinds"][row, :count]]
        moves += np.log1p(sizes)[:, None].astype(np.float32) * layers.counted
        units = np.maximum(pool @ layers.hidden + layers.hidden_bias, 0)
        value = np.tanh(units @ layers.value_out + layers.value_bias)
        return np.maximum(moves, 0) @ layers.policy_out, value[0]

    def judge_all(self, count):
        """Evaluate all positions, a number of times."""
        for _ in range(count):
            for row in range(POSITIONS):
                self.judge(row)
        return count * POSITIONS


def compare(name, start, options):
    """Print the rates of both on positions of a game."""
    sizes = sizes_of(start.setup)
    shape = NetworkShape(
        *(sizes.vertex_features, sizes.game_features, sizes.kinds),
        seats=2,
        channels=options.channels,
        layers=options.layers,
    )
    layers = random_layers(shape, 1)
    units = np.random.default_rng(1).standard_normal(layers.value_out.shape) * 0.1
    layers = layers._replace(value_out=units.astype(np.float32))
    network = place_network(shape, layers, start.setup, start.board)
    observer = observed(start)
    arrays = observer.arrays
    seen = tuple(arrays[n] for n in ("vertices", "game", "moves", "kinds", "ends", "touched"))
    policy = np.zeros((POSITIONS, observer.actions), np.float32)
    values = np.zeros((POSITIONS, 2))
    dense = Dense(layers, start.board, observer)

    def ours(count):
        judged(network, seen, observer.by_code, policy, values, count)
        return count * POSITIONS

    ours(1)
    for row in range(POSITIONS):
        logits, value = dense.judge(row)
        legal = arrays["moves"][row, : observer.counts[row]]
        actions = legal if observer.by_code else np.arange(legal.size)
        assert np.allclose(policy[row, actions], logits, rtol=1e-3, atol=1e-3)
        assert np.isclose(values[row, 0], value, rtol=1e-3, atol=1e-3)
    runs = {"ludograph": lambda: ours(20), "NumPy": lambda: dense.judge_all(4)}
    rates = both_rates(runs, options.repeats)
    own, peer = rates["ludograph"].processor, rates["NumPy"].processor
    report(name, own, peer, "/s of processor time")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name, start in STARTS.items():
        compare(name, start(), options)


if __name__ == "__main__":
    main()
