"""Judgements of Hex positions by the network per second on one core, beside NumPy's.

python benchmarks/hex_network.py [--sizes 9,11,13] [--batch 16] [--seconds 0.3] [--repeat 7]

Both judge the same positions of random games. The kernel judges one at a time, in a compiled loop,
as in a search. The peer has the same layers in single precision: it gathers the features around all
cells and multiplies each layer at once, which BLAS does; first for one position at a time, then for
``--batch`` of them. So the second ratio shows what a search could win at most if it collected
positions for judgements in batches. All that is said is compared.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
from pathlib import Path

import numpy as np

from ludograph import hex
from ludograph.games.hex.evaluation.network import AROUND, MARGIN, OTHER, OWN, REACH, learned
from ludograph.games.hex.evaluation.patterns import make_patterns
from ludograph.rules import compiled
from ludograph.search.mcts.hints import JUDGEMENT, weigh

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_rates, report

POSITIONS = 64


@compiled
def judged(setup, knowledge, states, moves, out, rewards):
    """Judge positions one after the other."""
    for index in range(states.shape[0]):
        weigh(setup, knowledge, states[index], moves, JUDGEMENT, out, rewards[index])


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

    def __init__(self, size, batch=1):
        self.layers = learned()
        wide = size + 2 * MARGIN
        grid = np.arange(wide * wide).reshape(wide, wide)
        self.shape = (batch, size * size)
        boards = np.arange(batch)[:, None] * grid.size
        self.cells = (boards + grid[MARGIN:-MARGIN, MARGIN:-MARGIN].ravel()).ravel()
        seen = [-down * wide - right for down, right in REACH]
        around = [down * wide + right for down, right in AROUND]
        self.seen, self.around = (self.cells[:, None] + steps for steps in (seen, around))
        first = self.layers.stones.transpose(1, 0, 2)
        self.first = np.ascontiguousarray(first.reshape(-1, first.shape[2]))
        channels = self.layers.policy.size
        self.body = self.layers.body.reshape(len(self.layers.body), -1, channels)

    def judge(self, planes):
        """Return the logits of all cells, as the color to move sees them, and of a win.

        ``planes`` is ``float32[batch, 3, grid, grid]``; the results have a row for each position.
        """
        layers = self.layers
        found = np.zeros((planes[:, 0].size, layers.policy.size), np.float32)
        whole = planes.transpose(0, 2, 3, 1).reshape(-1, 3)
        stones = whole[self.seen].reshape(self.cells.size, -1)
        found[self.cells] = np.maximum(stones @ self.first + layers.stones_bias, 0)
        for weights, bias in zip(self.body, layers.body_bias, strict=True):
            near = found[self.around].reshape(self.cells.size, -1)
            found[self.cells] += np.maximum(near @ weights + bias, 0)
        features = found[self.cells]
        gathered = np.maximum(features @ layers.gather + layers.gather_bias, 0)
        gathered = gathered.reshape(*self.shape, -1)
        pooled = np.concatenate([gathered.mean(axis=1), gathered.max(axis=1)], axis=1)
        hidden = np.maximum(pooled @ layers.hidden + layers.hidden_bias, 0)
        logits = (features @ layers.policy).reshape(self.shape)
        return logits, hidden @ layers.worth[:-1] + layers.worth[-1]


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


def compare(size, batch, seconds, repeat):
    """Print judgements a second on one board: ours beside the peer's, alone and in batches."""
    positions = some_positions(size)
    setup = positions[0].setup
    knowledge = make_patterns(setup)
    states = np.array([position.state for position in positions])
    moves = np.array(hex.position(size, pie=False).legal_moves(), np.int32)
    out, rewards = np.empty(moves.size), np.empty((POSITIONS, 2))
    judged(setup, knowledge, states, moves, out, rewards)
    planes = np.array([planes_of(position) for position in positions])
    turns = [position.turn for position in positions]

    def ours(times):
        for _ in range(times):
            judged(setup, knowledge, states, moves, out, rewards)

    def numpy(dense, rows):
        def run(times):
            for _ in range(times):
                for first in range(0, POSITIONS, rows):
                    dense.judge(planes[first : first + rows])

        return run

    kinds = {"ours": ours}
    for rows in (1, batch):
        dense = Dense(size, rows)
        logits = [dense.judge(planes[at : at + rows])[1] for at in range(0, POSITIONS, rows)]
        values = 1.0 / (1.0 + np.exp(-np.concatenate(logits)))
        assert np.allclose(rewards[np.arange(POSITIONS), turns], values, atol=1e-3)
        kinds[f"numpy, {rows} at a time"] = numpy(dense, rows)
    rates = median_rates(kinds, dict.fromkeys(kinds, 1), seconds, repeat)
    for kind in list(kinds)[1:]:
        report(
            f"{size} x {size}, {1e6 / POSITIONS / rates['ours']:.0f} microseconds; {kind}",
            rates["ours"] * POSITIONS,
            rates[kind] * POSITIONS,
        )


def batch_size(text):
    """Read a divisor of POSITIONS."""
    rows = int(text)
    if rows < 1 or POSITIONS % rows:
        raise argparse.ArgumentTypeError(f"a divisor of {POSITIONS} is needed, got {text}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="9,11,13")
    parser.add_argument("--batch", type=batch_size, default=16, help="positions at a time")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        compare(size, options.batch, options.seconds, options.repeat)


if __name__ == "__main__":
    main()
