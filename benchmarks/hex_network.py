"""Judgements of Hex positions by the network per second on one core, beside NumPy's.

python benchmarks/hex_network.py [--sizes 9,11,13] [--seconds 0.3] [--repeat 7]

Both judge the same positions of random games, one at a time. The kernel runs in a compiled loop, as
in a search. The peer has the same layers in single precision: it gathers the features around all
cells and multiplies each layer at once, which BLAS does. All that is said is compared.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
from pathlib import Path

import numpy as np

from ludograph import hex
from ludograph.games.hex.network.weights import AROUND, MARGIN, OTHER, OWN, REACH, learned
from ludograph.games.hex.patterns.strengths import make_patterns
from ludograph.rules import compiled
from ludograph.search.mcts.hints import judge

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_rates, report

POSITIONS = 64


@compiled
def judged(setup, knowledge, states, moves, out, rewards):
    """Judge positions one after the other."""
    for index in range(states.shape[0]):
        judge(setup, knowledge, states[index], moves, out, rewards[index])


def planes_of(position):
    """Return what the network sees: ``float32[3, grid, grid]``, two rows of borders around."""
    size, color = position.size, position.color_to_move
    board = slice(MARGIN, -MARGIN)
    planes = np.zeros((3, size + 2 * MARGIN, size + 2 * MARGIN), np.float32)
    planes[OWN, :MARGIN, board] = planes[OWN, -MARGIN:, board] = 1.0
    planes[OTHER, board, :MARGIN] = planes[OTHER, board, -MARGIN:] = 1.0
    planes[2, board, board] = 1.0
    for ply, move in enumerate(position.history):
        row, column = position.place(move)
        if color:
            row, column = column, row
        planes[OWN if ply % 2 == color else OTHER, row + MARGIN, column + MARGIN] = 1.0
    return planes


class Dense:
    """The network as NumPy multiplies it."""

    def __init__(self, size):
        self.layers = learned()
        wide = size + 2 * MARGIN
        grid = np.arange(wide * wide).reshape(wide, wide)
        self.cells = grid[MARGIN:-MARGIN, MARGIN:-MARGIN].ravel()
        seen = [-down * wide - right for down, right in REACH]
        around = [down * wide + right for down, right in AROUND]
        self.seen, self.around = (self.cells[:, None] + steps for steps in (seen, around))
        first = self.layers.stones.transpose(1, 0, 2)
        self.first = np.ascontiguousarray(first.reshape(-1, first.shape[2]))
        channels = self.layers.policy.size
        self.body = self.layers.body.reshape(len(self.layers.body), -1, channels)

    def judge(self, planes):
        """Return the logits of all cells, as the color to move sees them, and of a win."""
        layers = self.layers
        found = np.zeros((planes[0].size, layers.policy.size), np.float32)
        stones = planes.reshape(3, -1).T[self.seen].reshape(self.cells.size, -1)
        found[self.cells] = np.maximum(stones @ self.first + layers.stones_bias, 0)
        for weights, bias in zip(self.body, layers.body_bias, strict=True):
            near = found[self.around].reshape(self.cells.size, -1)
            found[self.cells] += np.maximum(near @ weights + bias, 0)
        features = found[self.cells]
        gathered = np.maximum(features @ layers.gather + layers.gather_bias, 0)
        pooled = np.concatenate([gathered.mean(axis=0), gathered.max(axis=0)])
        hidden = np.maximum(pooled @ layers.hidden + layers.hidden_bias, 0)
        return features @ layers.policy, hidden @ layers.worth[:-1] + layers.worth[-1]


def some_positions(size):
    """Return positions of random games, a quarter full at most."""
    rng = np.random.default_rng(size)
    positions = []
    for _ in range(POSITIONS):
        position = hex.position(size, pie=False)
        for _ in range(int(rng.integers(size * size // 4))):
            position.play(int(rng.choice(position.legal_moves())))
        positions.append(position)
    return positions


def compare(size, seconds, repeat):
    """Print judgements a second on one board, ours and the peer's."""
    positions = some_positions(size)
    setup = positions[0].setup
    knowledge, dense = make_patterns(setup), Dense(size)
    states = np.array([position.state for position in positions])
    moves = np.array(hex.position(size, pie=False).legal_moves(), np.int32)
    out, rewards = np.empty(moves.size), np.empty((POSITIONS, 2))
    judged(setup, knowledge, states, moves, out, rewards)
    planes = [planes_of(position) for position in positions]
    for position, seen, found in zip(positions, planes, rewards, strict=True):
        value = 1.0 / (1.0 + np.exp(-dense.judge(seen)[1]))
        assert abs(found[position.turn] - value) < 1e-3, (found, value)

    def ours(times):
        for _ in range(times):
            judged(setup, knowledge, states, moves, out, rewards)

    def numpy(times):
        for _ in range(times):
            for seen in planes:
                dense.judge(seen)

    rates = median_rates({"ours": ours, "numpy": numpy}, {"ours": 3, "numpy": 1}, seconds, repeat)
    report(
        f"{size} x {size}, {1e6 / POSITIONS / rates['ours']:.0f} microseconds each",
        rates["ours"] * POSITIONS,
        rates["numpy"] * POSITIONS,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="9,11,13")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        compare(size, options.seconds, options.repeat)


if __name__ == "__main__":
    main()
