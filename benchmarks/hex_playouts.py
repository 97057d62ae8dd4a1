"""What it costs a search of Hex that its playouts answer by patterns, and not by bridges only.

python benchmarks/hex_playouts.py [--sizes 9,11,13] [--sims 20000] [--repeat 7]

Simulations per second of the processor from the empty board, statistics being shared, without
patterns in the tree, connections and solver. Both take turns; the ratio is the median of theirs.
"""

from __future__ import annotations

import argparse
import statistics
import time

from ludograph import hex
from ludograph.games.hex.patterns.replies import make_replies
from ludograph.games.hex.strategies.searches import BRIDGES, HEX_EXPLORATION, PATTERNS, RAVE
from ludograph.search.mcts import MonteCarlo, SearchOptions


def searchers(size: int) -> dict[str, MonteCarlo]:
    """Return a search for each kind of playouts."""
    setup = hex.position(size, pie=False).setup
    setups = {BRIDGES: setup, PATTERNS: setup._replace(replies=make_replies(setup))}
    return {
        name: MonteCarlo(setup, SearchOptions(seed=1, c=HEX_EXPLORATION, rave=RAVE))
        for name, setup in setups.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="9,11,13")
    parser.add_argument("--sims", type=int, default=20_000, help="simulations per run")
    parser.add_argument("--repeat", type=int, default=7, help="runs, of which the median counts")
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        start = hex.position(size, pie=False).state
        kinds = searchers(size)
        rates: dict[str, list[float]] = {name: [] for name in kinds}
        for search in kinds.values():
            search.search(start, sims=100)
        for _ in range(options.repeat):
            for name, search in kinds.items():
                began = time.process_time()
                search.search(start, sims=options.sims)
                rates[name].append(options.sims / (time.process_time() - began))
        ratios = [ours / plain for ours, plain in zip(rates[PATTERNS], rates[BRIDGES], strict=True)]
        print(
            f"{size} x {size}: {statistics.median(rates[PATTERNS]):,.0f} simulations/s by "
            f"{PATTERNS}, {statistics.median(rates[BRIDGES]):,.0f} by {BRIDGES}, ratio "
            f"{statistics.median(ratios):.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
