"""How often one strategy of Amazons beats another, over pairs of games with the seats exchanged.

    python benchmarks/amazons_strength.py [--pairs 20] [--jobs 2] [--size 10]
        [mcts:time=0.2/minimax:time=0.2 ...]

A pair is two games from one start: two random moves on a square board with four queens each. The
searches read the processor's clock, so `time` is processor time: a busy machine slows both alike.
"""

from __future__ import annotations

import random
import time
import types

from pairs import compare

DUELS = ["mcts:time=0.2/minimax:time=0.2", "minimax:time=0.1/mcts:sims=400"]

SIZES = ("8", "6", "10")


def make(seed: int, size: str):
    from ludograph import amazons
    from ludograph.search import pacing

    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    position, rng = amazons.position(int(size), queens=4), random.Random(seed)
    for _ in range(2):
        position.push(rng.choice(sorted(position.legal_moves())))
    return position


def main() -> None:
    compare(DUELS, __doc__.splitlines()[0], make, "wins", size=SIZES)


if __name__ == "__main__":
    main()
