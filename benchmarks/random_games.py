"""Random games of Flood per second on one core, beside the slow reference in plain Python.

    python benchmarks/random_games.py [--games 20000] [--reference-games 10]

Both play the same kinds of games on one board; the playouts of the searches have no reference.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import numpy as np

from ludograph import boards, flood, rules
from ludograph.games.flood.setup import vertex_colors
from ludograph.rules import OVER, TURN, compiled

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_seconds, report
from benchmarks.random_play import play_out, play_uniform
from tests.reference.flood import ReferenceFlood


@compiled
def play_on(setup, state, rng, codes, games):
    """Play games in which a seat passes only if it has no other move: the longest games."""
    for _ in range(games):
        rules.start(setup, state)
        while state[TURN] != OVER:
            count = rules.legal_moves(setup, state, codes)  # the pass comes last
            choice = rules.random_below(rng, max(1, count - 1))
            rules.play(setup, state, np.int64(codes[choice]))


def reference_games(position, games: int, *, passing: bool) -> None:
    board = position.board
    adjacency = [board.neighbors_of(v).tolist() for v in range(board.n)]
    colors = vertex_colors(position.setup).tolist()
    starts = position.setup.start_vertices.tolist()
    rng = random.Random(1)
    for _ in range(games):
        game = ReferenceFlood(adjacency, colors, starts)
        while not game.over:
            moves = game.legal_moves()
            game.play(rng.choice(moves if passing or len(moves) == 1 else moves[:-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--reference-games", type=int, default=10)
    options = parser.parse_args()
    position = flood.position(boards.square(14), colors=6, seed=1)
    setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
    codes, out = np.zeros(rules.info(setup).move_capacity, np.int32), np.zeros(2)
    kinds = {
        "passing only when forced": lambda n: play_on(setup, state, rng, codes, n),
        "all moves equally likely": lambda n: play_uniform(setup, state, rng, n),
    }
    print("Flood, 14 x 14, 6 colors, 2 seats, one core; the peer is tests/reference/flood.py")
    for name, play in kinds.items():
        play(1)  # compile, or load from the cache
        ours = options.games / median_seconds(lambda play=play: play(options.games))
        passing = name.startswith("all")
        slow = options.reference_games / median_seconds(
            lambda passing=passing: reference_games(
                position, options.reference_games, passing=passing
            ),
            3,
        )
        report(f"random games, {name}", ours, slow)
    play_out(setup, state, rng, out, 1)
    seconds = median_seconds(lambda: play_out(setup, state, rng, out, options.games))
    report("playouts of the searches, by gain", options.games / seconds)


if __name__ == "__main__":
    main()
